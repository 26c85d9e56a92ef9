import ContentPackage
import SafeFiles
import Testing
import ZipArchive

@testable import Installation

@Suite struct InstallationRecordTests {
  private let record: InstallationRecord

  init() throws {
    let product = try #require(ProductIdentifier("com.example.book"))
    let digest = try #require(ContentDigest(hexadecimal: String(repeating: "0a", count: 16)))
    func version(_ version: String, files: Int) throws -> InstalledVersion {
      InstalledVersion(
        contentVersion: try #require(ContentVersion(version)),
        items: try InstalledItems(
          [.folder(EntryPath("ü")), .link(EntryPath("ü/link"), target: Array("a\nb\"".utf8))]
            + (0..<files).map { .file(EntryPath("ü/\($0)\n"), size: 1 << 40, digest) }, .standard))
    }
    record = InstallationRecord(
      product, layout: .versioned, isExcludedFromBackup: true, installed: try version("2.0", files: 2_000),
      previous: [try version("1.5", files: 1), try version("1.0", files: 0)])
  }

  private func decoded(_ text: [UInt8]) throws -> InstallationRecord {
    try InstallationRecord(decoding: MemoryBytes(text), path: "record")
  }

  @Test func `a long record reads back as it was written`() throws {
    #expect(try decoded(record.text()) == record)
  }

  @Test func `a record with a changed byte is unreadable`() throws {
    var spoiled = try record.text()
    let index = try #require(spoiled.lastIndex(of: UInt8(ascii: "a")))
    spoiled[index] = UInt8(ascii: "b")
    #expect(throws: RecordUnreadable.self) { try decoded(spoiled) }
  }

  @Test func `a truncated or extended record is unreadable`() throws {
    let text = try record.text()
    let lines = text.split(separator: UInt8(ascii: "\n"))
    let withoutLast = lines.dropLast().flatMap { $0 + [UInt8(ascii: "\n")] }
    for other in [
      [], Array(text.dropLast()), withoutLast, text + lines[1] + [UInt8(ascii: "\n")], text + text,
    ] {
      #expect(throws: RecordUnreadable.self) { try decoded(other) }
    }
  }

  @Test(arguments: [
    (#""schemaVersion":1"#, #""schemaVersion":2"#), (#""itemCount":2002"#, #""itemCount":-1"#),
    (#""itemCount":2002"#, #""itemCount":9000000000000000000"#), ("0a0a", "0A0a"),
    ("com.example.book", "../book"), (#""contentVersion":"1.5""#, #""contentVersion":"1.x""#),
    (#""versioned""#, #""nested""#), (#""link","#, #""fifo","#), (#""file",1"#, #""file","1"#),
    (#""folder"]"#, #""folder",0]"#), (#""keepsPermissions":true"#, #""keepsPermissions":1"#),
  ])
  func `a record with an invalid value is unreadable`(_ old: String, _ new: String) throws {
    let text = String(decoding: try record.text(), as: UTF8.self)
    let changed = text.split(separator: "\n").map { line in
      line.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }
    let bytes = Array((changed.joined(separator: "\n") + "\n").utf8)
    #expect(throws: RecordUnreadable.self) { try decoded(bytes) }
  }
}

extension InstallationRecord {
  /// Returns the whole file.
  func text() throws -> [UInt8] {
    var text: [UInt8] = []
    try encode { line in unsafe line.withUnsafeBytes { unsafe text.append(contentsOf: $0) } }
    return text
  }
}
