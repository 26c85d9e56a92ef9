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
  /// A `Documents` folder in which version 1.0 of a product is installed.
  private final class Setting {
    private let folder: TemporaryFolder
    private(set) var path: String
    let product: ProductIdentifier
    var context = WorkContext()

    init() throws {
      folder = try TemporaryFolder()
      path = folder.place("Documents")
      product = try #require(ProductIdentifier("com.example.book"))
      try withFolder(for: .installing) { folder in
        try layOut("1.0", in: folder)
        try folder.apply(record("1.0", previous: nil), replacing: .product, from: .package)
      }
    }

    var access: DocumentsAccess { DocumentsAccess(path: path, isDurable: false, context: context) }

    @discardableResult
    func withFolder<Result>(
      for purpose: DocumentsFolder.Purpose, _ body: (borrowing DocumentsFolder) throws -> Result
    ) throws -> Result {
      try #require(try DocumentsFolder.withLock(access, for: purpose, body))
    }

    private func installed(_ version: String) throws -> InstalledVersion {
      let content = Array(version.utf8)
      let item = InstalledItem.file(
        EntryPath("version"), size: Int64(content.count), ContentDigest(of: content, .standard))
      return try InstalledVersion(
        contentVersion: #require(ContentVersion(version)), items: InstalledItems([item], .standard))
    }

    func record(_ version: String, previous: String?) throws -> InstallationRecord {
      InstallationRecord(
        product, layout: .flat, isExcludedFromBackup: false, installed: try installed(version),
        previous: try previous.map { [try installed($0)] } ?? [])
    }

    func place(_ name: String) -> String { "\(path)/\(name)" }
    var live: String { place("com.example.book") }
    var staged: String { place(".iapkg/staging") }
    var displaced: String { place(".iapkg/displaced") }
    var previous: String { place(".iapkg/previous/com.example.book/1.0") }

    /// Stages a version, whose number is in a file, and stops there.
    func stage(_ version: String) throws {
      try FileManager.default.createDirectory(atPath: staged, withIntermediateDirectories: false)
      try version.write(toFile: staged + "/version", atomically: false, encoding: .utf8)
    }

    /// Creates more files in a folder than a removal deletes after the cleanup time.
    func fill(_ folder: String) throws {
      for number in 0..<1200 {
        try #require(FileManager.default.createFile(atPath: "\(folder)/\(number)", contents: nil))
      }
    }

    /// Simulates a signal that leaves no time for cleanup; with false, ends the simulation.
    func hurry(_ isHurried: Bool = true) {
      let cancellation = Cancellation(cleanupTime: .zero)
      if isHurried { cancellation.cancel(signal: 15) }
      context = WorkContext(cancellation: cancellation)
    }

    private func layOut(_ version: String, in folder: borrowing DocumentsFolder) throws {
      _ = try folder.makeStaging()
      try version.write(toFile: staged + "/version", atomically: false, encoding: .utf8)
    }

    /// Writes the pending record that precedes the step.
    func promise(_ version: String, _ placement: ProductChange.Placement = .exchange) throws {
      var record = try record(version, previous: "1.0")
      record.change = ProductChange(
        target: .product, source: .package, placement: placement, incoming: try inode(staged),
        outgoing: try inode(live), keptNumber: 1)
      try Data(record.text()).write(to: URL(fileURLWithPath: place(".iapkg/pending")))
    }

    private func inode(_ path: String) throws -> UInt64? {
      try FileSystem.status(of: path, followingLinks: false)?.identity.inode
    }

    func move(_ from: String, _ to: String) throws {
      try FileManager.default.moveItem(atPath: from, toPath: to)
    }

    /// Replaces the folder by a copy, in which every folder has another inode number.
    func becomeCopy() throws {
      let copy = path + "-copy"
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      try FileManager.default.removeItem(atPath: path)
      path = copy
    }

    func swap() throws {
      try move(live, place("aside"))
      try move(staged, live)
      try move(place("aside"), staged)
    }

    /// Returns the version in a folder.
    func version(in folder: String) -> String? {
      try? String(contentsOfFile: folder + "/version", encoding: .utf8)
    }

    /// Opens the folder, which recovers it, and returns the recorded version.
    func recover() throws -> String? {
      let record = try withFolder(for: .changing) { try $0.record(of: product) }
      let left = Set(try FileManager.default.contentsOfDirectory(atPath: place(".iapkg")))
      #expect(left.isSubset(of: ["lock", "previous", "records"]))
      return record?.installed?.contentVersion.text
    }
  }

  @Test func `a staged version that was not promised yet is thrown away`() throws {
    let setting = try Setting()
    try setting.stage("2.0")
    #expect(try setting.recover() == "1.0")
    #expect(setting.version(in: setting.live) == "1.0")
  }

  @Test func `a promised version that was not swapped in is thrown away`() throws {
    let setting = try Setting()
    try setting.stage("2.0")
    try setting.promise("2.0")
    #expect(try setting.recover() == "1.0")
    #expect(setting.version(in: setting.live) == "1.0")
  }

  @Test func `a version that was swapped in stays, and the one before is kept`() throws {
    let setting = try Setting()
    try setting.stage("2.0")
    try setting.promise("2.0")
    try setting.swap()
    #expect(try setting.recover() == "2.0")
    #expect(setting.version(in: setting.live) == "2.0")
    #expect(setting.version(in: setting.previous) == "1.0")
  }

  @Test func `between the two steps of a swap the old version comes back`() throws {
    let setting = try Setting()
    try setting.stage("2.0")
    try setting.promise("2.0", .moveAside)
    try setting.move(setting.live, setting.displaced)
    #expect(try setting.recover() == "1.0")
    #expect(setting.version(in: setting.live) == "1.0")
  }

  @Test func `after the two steps of a swap the new version stays`() throws {
    let setting = try Setting()
    try setting.stage("2.0")
    try setting.promise("2.0", .moveAside)
    try setting.move(setting.live, setting.displaced)
    try setting.move(setting.staged, setting.live)
    #expect(try setting.recover() == "2.0")
    #expect(setting.version(in: setting.live) == "2.0")
    #expect(setting.version(in: setting.previous) == "1.0")
  }

  @Test(arguments: [false, true])
  func `in a copy, where inode numbers tell nothing, the content does`(_ isSwapped: Bool) throws {
    let setting = try Setting()
    try setting.stage("2.0")
    try setting.promise("2.0")
    if isSwapped { try setting.swap() }
    try setting.becomeCopy()
    let expected = isSwapped ? "2.0" : "1.0"
    #expect(try setting.recover() == expected)
    #expect(setting.version(in: setting.live) == expected)
  }

  @Test func `between the two steps of a swap the old version comes back in a copy too`() throws {
    let setting = try Setting()
    try setting.stage("2.0")
    try setting.promise("2.0", .moveAside)
    try setting.move(setting.live, setting.displaced)
    try setting.becomeCopy()
    #expect(try setting.recover() == "1.0")
    #expect(setting.version(in: setting.live) == "1.0")
  }

  @Test func `what was displaced is left alone when nothing tells whose it is`() throws {
    let setting = try Setting()
    try setting.move(setting.live, setting.displaced)
    #expect(throws: InstallationError.self) { try setting.recover() }
    #expect(setting.version(in: setting.displaced) == "1.0")
  }

  @Test func `what a signal leaves no time to delete is named, and the next run deletes it`() throws {
    let setting = try Setting()
    try setting.stage("2.0")
    try setting.fill(setting.staged)
    setting.hurry()
    #expect(throws: Interruption.self) { try setting.recover() }
    #expect(setting.context.cancellation.leftovers == [setting.staged])
    setting.hurry(false)
    #expect(try setting.recover() == "1.0")
    #expect(setting.version(in: setting.live) == "1.0")
  }

  @Test func `a removal that a signal ends early has taken place, and the next run completes it`() throws {
    let setting = try Setting()
    try setting.fill(setting.live)
    setting.hurry()
    try setting.withFolder(for: .changing) { folder in
      let nothing = InstallationRecord(
        setting.product, layout: .flat, isExcludedFromBackup: false, installed: nil)
      try folder.apply(nothing, replacing: .product, from: .nothing)
    }
    #expect(!FileManager.default.fileExists(atPath: setting.live))
    #expect(FileManager.default.fileExists(atPath: setting.place(".iapkg/trash")))
    setting.hurry(false)
    let products = InstalledProducts(setting.access)
    let change = try products.remove(setting.product)
    #expect(change.before == nil && change.after == nil, "the repeated removal completes the first")
    #expect(try FileManager.default.contentsOfDirectory(atPath: setting.path) == [])
    #expect(throws: InstallationError.self) { try products.remove(setting.product) }
  }

  @Test func `while a record is pending, staging may be the old version and is kept`() throws {
    let setting = try Setting()
    try setting.stage("2.0")
    try setting.promise("2.0")
    try setting.swap()
    try setting.withFolder(for: .rehearsing) { try $0.discardStaging() }
    #expect(setting.version(in: setting.staged) == "1.0")
    #expect(try setting.recover() == "2.0")
  }

  @Test(arguments: ["", "1.x", "../1", "\u{1B}[31m"])
  func `a record of a version that is none is no record`(_ version: String) throws {
    let setting = try Setting()
    let text = try setting.record("7.7", previous: nil).text()
    let changed = String(decoding: text, as: UTF8.self).split(separator: "7.7").joined(separator: version)
    #expect(throws: RecordUnreadable.self) {
      try InstallationRecord(decoding: MemoryBytes(Array(changed.utf8)), path: "record")
    }
  }

  @Test func `a record that was settled after the swap changes nothing more`() throws {
    let setting = try Setting()
    #expect(try setting.recover() == "1.0")
    #expect(try setting.recover() == "1.0")
    #expect(setting.version(in: setting.live) == "1.0")
  }

  @Test func `what an aborted writer left of a record is thrown away`() throws {
    let setting = try Setting()
    try Data("{".utf8).write(to: URL(fileURLWithPath: setting.place(".iapkg/pending.new")))
    #expect(try setting.recover() == "1.0")
  }

  @Test func `a folder that another process put in place counts as changed`() throws {
    let setting = try Setting()
    try FileManager.default.removeItem(atPath: setting.live)
    try FileManager.default.createDirectory(atPath: setting.live, withIntermediateDirectories: false)
    let found = try InstalledProducts(setting.access).status(
      of: [setting.product], verifying: false)
    #expect(found.products.first?.inspection.missing == [EntryPath("version")])
  }
}
