import Foundation
import SafeFiles
import Testing

@testable import ContentPackage

/// What an interrupted installation has left is brought to an end, or taken back, by the next one.
struct RecoveryTests {
  /// A `Documents` folder in which version 1.0 of a product is installed.
  private final class Setting {
    let path = "/tmp/iapkg-recovery-\(UUID().uuidString)"
    let product: ProductIdentifier

    init() throws {
      product = try #require(ProductIdentifier("com.example.book"))
      let folder = try DocumentsFolder.open(path)
      try layOut("1.0", in: folder)
      try folder.publish(info("1.0"))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func info(_ version: String) throws -> ContentInfo {
      ContentInfo(productIdentifier: product, contentVersion: try #require(ContentVersion(version)))
    }

    func place(_ name: String) -> String { "\(path)/\(name)" }
    var live: String { place("com.example.book") }
    var staged: String { place(".iapkg/staging/com.example.book") }
    var previous: String { place(".iapkg/previous/com.example.book") }

    /// Lays out a version and goes no further.
    func stage(_ version: String) throws { try layOut(version, in: DocumentsFolder.open(path)) }

    /// Lays out a version, of which one file tells.
    private func layOut(_ version: String, in folder: borrowing DocumentsFolder) throws {
      _ = try folder.makeStaging(for: product)
      try version.write(toFile: staged + "/version", atomically: false, encoding: .utf8)
    }

    /// Writes the record that stands before the swap.
    func promise(_ version: String) throws {
      let status = try #require(try FileSystem.status(of: staged, followingLinks: false))
      let record = try InstallationRecord(info(version), folder: status.identity).encoded()
      try Data(record).write(to: URL(fileURLWithPath: place(".iapkg/records/com.example.book.pending")))
    }

    func move(_ from: String, _ to: String) throws {
      try FileManager.default.moveItem(atPath: from, toPath: to)
    }

    /// Which version lies in a folder.
    func version(in folder: String) -> String? {
      try? String(contentsOfFile: folder + "/version", encoding: .utf8)
    }

    /// Opens the folder, which puts it in order, and tells the version on record.
    func recover() throws -> String? {
      let record = try DocumentsFolder.open(path).record(of: product)?.contentVersion
      #expect(try FileManager.default.contentsOfDirectory(atPath: place(".iapkg/staging")) == [])
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: place(".iapkg/records")) == ["com.example.book"])
      return record
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
    try setting.move(setting.live, setting.place("aside"))
    try setting.move(setting.staged, setting.live)
    try setting.move(setting.place("aside"), setting.staged)
    #expect(try setting.recover() == "2.0")
    #expect(setting.version(in: setting.live) == "2.0")
    #expect(setting.version(in: setting.previous) == "1.0")
  }

  @Test func `between the two steps of a swap the new version goes in`() throws {
    let setting = try Setting()
    try setting.stage("2.0")
    try setting.promise("2.0")
    try setting.move(setting.live, setting.previous)
    #expect(try setting.recover() == "2.0")
    #expect(setting.version(in: setting.live) == "2.0")
    #expect(setting.version(in: setting.previous) == "1.0")
  }

  @Test func `a record that was settled after the swap changes nothing more`() throws {
    let setting = try Setting()
    #expect(try setting.recover() == "1.0")
    #expect(try setting.recover() == "1.0")
    #expect(setting.version(in: setting.live) == "1.0")
  }

  @Test func `a folder that somebody else put in place is not the version on record`() throws {
    let setting = try Setting()
    try setting.move(setting.live, setting.place("aside"))
    try FileManager.default.createDirectory(atPath: setting.live, withIntermediateDirectories: false)
    #expect(try setting.recover() == nil)
  }
}
