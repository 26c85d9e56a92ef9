import ContentPackage
import Foundation
import SafeFiles
import Support
import TestSupport
import Testing
import ZipArchive

@testable import Installation

/// The next run completes or rolls back an interrupted installation.
struct RecoveryTests {
  @Test func `a staged version without a pending record is deleted`() throws {
    let setting = try RecoverySetting()
    try setting.stage("2.0")
    #expect(try setting.recover() == "1.0")
    #expect(setting.version(in: setting.live) == "1.0")
  }

  @Test func `a staged version with a pending record is deleted if it was not swapped in`() throws {
    let setting = try RecoverySetting()
    try setting.stage("2.0")
    try setting.writePending("2.0")
    #expect(try setting.recover() == "1.0")
    #expect(setting.version(in: setting.live) == "1.0")
  }

  @Test func `a version that was swapped in stays, and the previous one is kept`() throws {
    let setting = try RecoverySetting()
    try setting.stage("2.0")
    try setting.writePending("2.0")
    try setting.swap()
    #expect(try setting.recover() == "2.0")
    #expect(setting.version(in: setting.live) == "2.0")
    #expect(setting.version(in: setting.previous) == "1.0")
  }

  @Test func `between the two steps of a swap, the old version is restored`() throws {
    let setting = try RecoverySetting()
    try setting.stage("2.0")
    try setting.writePending("2.0", .moveAside)
    try setting.move(setting.live, setting.displaced)
    #expect(try setting.recover() == "1.0")
    #expect(setting.version(in: setting.live) == "1.0")
  }

  @Test func `after the two steps of a swap, the new version stays`() throws {
    let setting = try RecoverySetting()
    try setting.stage("2.0")
    try setting.writePending("2.0", .moveAside)
    try setting.move(setting.live, setting.displaced)
    try setting.move(setting.staged, setting.live)
    #expect(try setting.recover() == "2.0")
    #expect(setting.version(in: setting.live) == "2.0")
    #expect(setting.version(in: setting.previous) == "1.0")
  }

  @Test(arguments: [false, true])
  func `in a copy, the content decides in place of inode numbers`(_ isSwapped: Bool) throws {
    let setting = try RecoverySetting()
    try setting.stage("2.0")
    try setting.writePending("2.0")
    if isSwapped { try setting.swap() }
    try setting.replaceWithCopy()
    let expected = isSwapped ? "2.0" : "1.0"
    #expect(try setting.recover() == expected)
    #expect(setting.version(in: setting.live) == expected)
  }

  /// A change of the new folder between an interruption and the next run.
  enum Event: String, CaseIterable {
    case edited, copiedAndEdited, copiedWithOtherPermissions, deleted, copiedAndDeleted
  }

  @Test(arguments: Event.allCases)
  func `the user's files in the old folder are kept, for any change of the new one`(_ event: Event) throws {
    let setting = try RecoverySetting()
    try setting.stage("2.0")
    try setting.writePending("2.0")
    try "mine".write(toFile: setting.live + "/mine", atomically: false, encoding: .utf8)
    try setting.swap()
    if event != .edited, event != .deleted { try setting.replaceWithCopy() }
    switch event {
    case .edited, .copiedAndEdited:
      try "edit".write(toFile: setting.live + "/version", atomically: false, encoding: .utf8)
    case .copiedWithOtherPermissions:
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: setting.live + "/version")
    case .deleted, .copiedAndDeleted: try FileManager.default.removeItem(atPath: setting.live)
    }
    #expect(try setting.recover(leaving: ["kept"]) == "2.0")
    #expect(setting.version(in: setting.previous) == "1.0")
    let kept = setting.place(".iapkg/kept/com.example.book/1/1.0/mine")
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == "mine")
  }

  @Test func `a cleanup that was interrupted is completed in a copy with an edited file`() throws {
    let setting = try RecoverySetting()
    try setting.stage("2.0")
    try setting.writePending("2.0")
    try setting.swap()
    let folder = (setting.previous as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try setting.move(setting.staged, setting.previous)
    try setting.replaceWithCopy()
    try "edit".write(toFile: setting.live + "/version", atomically: false, encoding: .utf8)
    #expect(try setting.recover() == "2.0")
    #expect(setting.version(in: setting.previous) == "1.0")
  }

  @Test func `between the two steps of a swap, the old version is restored in a copy too`() throws {
    let setting = try RecoverySetting()
    try setting.stage("2.0")
    try setting.writePending("2.0", .moveAside)
    try setting.move(setting.live, setting.displaced)
    try setting.replaceWithCopy()
    #expect(try setting.recover() == "1.0")
    #expect(setting.version(in: setting.live) == "1.0")
  }

  @Test func `a displaced folder without a record is an error and stays`() throws {
    let setting = try RecoverySetting()
    try setting.move(setting.live, setting.displaced)
    #expect(throws: InstallationError.self) { try setting.recover() }
    #expect(setting.version(in: setting.displaced) == "1.0")
  }

  @Test func `a folder that a signal leaves no time to delete is reported, and the next run deletes it`()
    throws
  {
    let setting = try RecoverySetting()
    try setting.stage("2.0")
    try setting.fill(setting.staged)
    setting.hurry()
    #expect(throws: Interruption.self) { try setting.recover() }
    #expect(setting.context.cancellation.leftovers == [setting.staged])
    setting.hurry(false)
    #expect(try setting.recover() == "1.0")
    #expect(setting.version(in: setting.live) == "1.0")
  }

  @Test func `a removal that a signal ends early takes effect, and the next run completes it`() throws {
    let setting = try RecoverySetting()
    try setting.fill(setting.live)
    setting.hurry()
    try setting.withFolder(for: .changing) { folder in
      let nothing = InstallationRecord(
        setting.product, layout: .flat, isExcludedFromBackup: false, installed: nil)
      try folder.apply(nothing, replacing: .product, from: .nothing, forced: true)
    }
    #expect(!FileManager.default.fileExists(atPath: setting.live))
    let remains = ["displaced", "trash"].map { setting.place(".iapkg/\($0)") }
    #expect(remains.contains { FileManager.default.fileExists(atPath: $0) })
    setting.hurry(false)
    let products = InstalledProducts(setting.access)
    let change = try products.remove(setting.product)
    #expect(change.before == nil && change.after == nil, "the repeated removal completes the first")
    #expect(change.deleted.isEmpty && !change.kept.isEmpty, "files may have appeared since")
    #expect(try FileManager.default.contentsOfDirectory(atPath: setting.path) == [".iapkg"])
    #expect(throws: InstallationError.self) { try products.remove(setting.product) }
  }

  @Test func `a version that an interrupted run was about to delete is compared by the next run`() throws {
    let setting = try RecoverySetting()
    try setting.stage("2.0")
    try setting.writePending("2.0", keeping: nil)
    try setting.swap()
    let outdated = setting.place(".iapkg/outdated-1.0")
    try setting.move(setting.staged, outdated)
    try "mine".write(toFile: outdated + "/mine", atomically: false, encoding: .utf8)
    #expect(try setting.recover(leaving: ["kept"]) == "2.0")
    let kept = setting.place(".iapkg/kept/com.example.book/1/1.0/mine")
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == "mine")
  }

  @Test func `while a record is pending, staging may be the old version and is kept`() throws {
    let setting = try RecoverySetting()
    try setting.stage("2.0")
    try setting.writePending("2.0")
    try setting.swap()
    try setting.withFolder(for: .dryRun) { try $0.discardStaging() }
    #expect(setting.version(in: setting.staged) == "1.0")
    #expect(try setting.recover() == "2.0")
  }

  @Test(arguments: ["", "1.x", "../1", "\u{1B}[31m"])
  func `a record with an invalid version is unreadable`(_ version: String) throws {
    let setting = try RecoverySetting()
    let text = try setting.record("7.7", previous: nil).text()
    let changed = String(decoding: text, as: UTF8.self).split(separator: "7.7").joined(separator: version)
    #expect(throws: RecordUnreadable.self) {
      try InstallationRecord(decoding: MemoryBytes(Array(changed.utf8)), path: "record")
    }
  }

  @Test func `a received file replaces a symbolic link in an earlier download`() throws {
    let setting = try RecoverySetting()
    let content = setting.place(".iapkg/downloads/com.example.book/content")
    func receive(_ version: String) throws {
      try setting.withFolder(for: .changing) { try $0.writeDownloadNote([], of: setting.product) }
      try setting.stage(version)
      #expect(try setting.recover(leaving: ["downloads"]) == "1.0")
    }
    try receive("2.0")
    #expect(setting.version(in: content) == "2.0")
    try FileManager.default.removeItem(atPath: content + "/version")
    try FileManager.default.createSymbolicLink(
      atPath: content + "/version", withDestinationPath: setting.live + "/version")
    try receive("3.0")
    #expect(setting.version(in: content) == "3.0")
    #expect(setting.version(in: setting.live) == "1.0")
  }

  @Test func `without a pending record, a recovery changes nothing`() throws {
    let setting = try RecoverySetting()
    #expect(try setting.recover() == "1.0")
    #expect(try setting.recover() == "1.0")
    #expect(setting.version(in: setting.live) == "1.0")
  }

  @Test func `the partial record of an aborted writer is deleted`() throws {
    let setting = try RecoverySetting()
    try Data("{".utf8).write(to: URL(fileURLWithPath: setting.place(".iapkg/pending.new")))
    #expect(try setting.recover() == "1.0")
  }

  @Test func `a folder that another process put in place counts as changed`() throws {
    let setting = try RecoverySetting()
    try FileManager.default.removeItem(atPath: setting.live)
    try FileManager.default.createDirectory(atPath: setting.live, withIntermediateDirectories: false)
    let found = try InstalledProducts(setting.access).status(
      of: [setting.product], verifying: false)
    #expect(found.products.first?.inspection.missing == [EntryPath("version")])
  }
}
