import Digests
import Foundation
import SafeFiles
import Testing
import ZipArchive

@testable import ContentPackage

/// What an interrupted installation has left is brought to an end, or taken back, by the next one.
struct RecoveryTests {
  /// A `Documents` folder in which version 1.0 of a product is installed.
  private final class Setting {
    var path = "/tmp/iapkg-recovery-\(UUID().uuidString)"
    let product: ProductIdentifier

    init() throws {
      product = try #require(ProductIdentifier("com.example.book"))
      let folder = try DocumentsFolder.open(access)
      try layOut("1.0", in: folder)
      try folder.replace(product, from: .staging, with: record("1.0", before: nil))
      folder.close()
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var access: DocumentsAccess {
      DocumentsAccess(
        path: path, patience: .zero, isDurable: false, cancellation: Cancellation(), report: { _ in })
    }

    private func installation(_ version: String) -> Installation {
      let digest = FileHasher().digest(of: Array(version.utf8))
      let item = InstalledItem.file(EntryPath("version"), size: Int64(version.utf8.count), digest)
      return Installation(
        contentVersion: version, layout: .flat, isExcludedFromBackup: false, items: [item])
    }

    func record(_ version: String, before: String?) -> InstallationRecord {
      InstallationRecord(product, installed: installation(version), previous: before.map(installation))
    }

    func place(_ name: String) -> String { "\(path)/\(name)" }
    var live: String { place("com.example.book") }
    var staged: String { place(".iapkg/staging") }
    var displaced: String { place(".iapkg/displaced") }
    var previous: String { place(".iapkg/previous/com.example.book") }

    /// Lays out a version, of which one file tells, and goes no further.
    func stage(_ version: String) throws {
      let folder = try DocumentsFolder.open(access)
      try layOut(version, in: folder)
      folder.close()
    }

    private func layOut(_ version: String, in folder: borrowing DocumentsFolder) throws {
      _ = try folder.makeStaging()
      try version.write(toFile: staged + "/version", atomically: false, encoding: .utf8)
    }

    /// Writes the record that stands before the swap.
    func promise(_ version: String) throws {
      let transition = InstallationRecord.Transition(
        slot: .staging, incoming: try inode(staged), outgoing: try inode(live))
      let record = record(version, before: "1.0").reached(by: transition)
      try Data(record.text()).write(to: URL(fileURLWithPath: place(".iapkg/pending")))
    }

    private func inode(_ path: String) throws -> UInt64? {
      try FileSystem.status(of: path, followingLinks: false)?.identity.inode
    }

    func move(_ from: String, _ to: String) throws {
      try FileManager.default.moveItem(atPath: from, toPath: to)
    }

    /// Goes on with a copy of all of it, in which every folder has another inode number.
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

    /// Which version lies in a folder.
    func version(in folder: String) -> String? {
      try? String(contentsOfFile: folder + "/version", encoding: .utf8)
    }

    /// Opens the folder, which puts it in order, and tells the version on record.
    func recover() throws -> String? {
      let folder = try DocumentsFolder.open(access)
      let record = try folder.record(of: product)
      folder.close()
      #expect(
        Set(try FileManager.default.contentsOfDirectory(atPath: place(".iapkg"))) == [
          "lock", "previous", "records",
        ])
      return record?.installed?.contentVersion
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
    try setting.promise("2.0")
    try setting.move(setting.live, setting.displaced)
    #expect(try setting.recover() == "1.0")
    #expect(setting.version(in: setting.live) == "1.0")
  }

  @Test func `after the two steps of a swap the new version stays`() throws {
    let setting = try Setting()
    try setting.stage("2.0")
    try setting.promise("2.0")
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
    try setting.promise("2.0")
    try setting.move(setting.live, setting.displaced)
    try setting.becomeCopy()
    #expect(try setting.recover() == "1.0")
    #expect(setting.version(in: setting.live) == "1.0")
  }

  @Test func `what was displaced is left alone when nothing tells whose it is`() throws {
    let setting = try Setting()
    try setting.move(setting.live, setting.displaced)
    #expect(throws: InstallationRefusal.self) { try setting.recover() }
    #expect(setting.version(in: setting.displaced) == "1.0")
  }

  @Test func `while a record is pending, staging may be the old version and is kept`() throws {
    let setting = try Setting()
    try setting.stage("2.0")
    try setting.promise("2.0")
    try setting.swap()
    if let folder = try DocumentsFolder.openExisting(setting.access, recovering: false) {
      try folder.discardStaging()
      folder.close()
    }
    #expect(setting.version(in: setting.staged) == "1.0")
    #expect(try setting.recover() == "2.0")
  }

  @Test(arguments: ["", "1.x", "../1", "\u{1B}[31m"])
  func `a record of a version that is none is no record`(_ version: String) throws {
    let setting = try Setting()
    let text = try setting.record(version, before: nil).text()
    #expect(throws: RecordUnreadable.self) {
      try InstallationRecord(decoding: MemoryBytes(text), path: "record")
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

  @Test func `a folder that somebody else put in place is not as it was installed`() throws {
    let setting = try Setting()
    try FileManager.default.removeItem(atPath: setting.live)
    try FileManager.default.createDirectory(atPath: setting.live, withIntermediateDirectories: false)
    let status = try InstalledProducts(setting.access).status(
      of: [setting.product], verifying: false, jobs: 1)
    #expect(status.first?.inspection.missing == [EntryPath("version")])
  }
}
