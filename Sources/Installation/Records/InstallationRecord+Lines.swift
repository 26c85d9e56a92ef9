import ContentPackage
import SafeFiles
import Support
import ZipArchive

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation  // untested
#endif

/// A record file has a JSON value on each line: first the `Header`, then the items of the version in use, then those of
/// the previous versions. Neither reader nor writer needs the whole text in memory.
extension InstallationRecord {
  private struct Header: Codable {
    let schemaVersion: Int
    let productIdentifier: String
    let layout: InstallationLayout
    let isExcludedFromBackup: Bool
    /// The digest algorithm; nil in records of programs that had only XXH3-128.
    let digestAlgorithm: DigestAlgorithm?
    let installed: Version?
    let previous: [Version]
    let change: ProductChange?
  }

  private struct Version: Codable {
    let contentVersion: String
    let contentDigest: String
    let keepsPermissions: Bool
    /// The number of item lines of this version.
    let itemCount: Int

    init(_ version: InstalledVersion) {
      contentVersion = version.contentVersion.text
      contentDigest = version.contentDigest
      keepsPermissions = version.keepsPermissions
      itemCount = version.items.count
    }
  }

  /// The number of the format, incremented when earlier code cannot read a new format.
  private static let currentSchema = 1

  /// Passes the bytes of the file to `write`, line by line.
  func encode<Failure: Error>(_ write: (RawSpan) throws(Failure) -> Void) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let header = try encoder.encode(
      Header(
        schemaVersion: Self.currentSchema, productIdentifier: productIdentifier.text, layout: layout,
        isExcludedFromBackup: isExcludedFromBackup, digestAlgorithm: algorithm,
        installed: installed.map(Version.init),
        previous: previous.map(Version.init), change: change))
    let line = Array(header) + [UInt8(ascii: "\n")]
    try write(unsafe line.borrowedSpan.bytes)  // UInt8 has no padding
    for version in versions {
      try version.items.forEach { try write(unsafe $0.line.borrowedSpan.bytes) }
    }
  }

  /// Reads a record.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - path: The path of the file, for messages.
  ///   - cancellation: Cancels the reading.
  /// - Throws: `RecordUnreadable` with `path`, `SourceError`, or `FileError` if there is no space for a temporary file.
  init(
    decoding source: some ByteSource, path: String, cancellation: Cancellation = Cancellation()
  ) throws {
    var lines = LineReader(source)
    func next<Value>(_ parse: (ArraySlice<UInt8>) throws -> Value) throws -> Value {
      guard let line = try lines.next(), let value = try? parse(line) else {
        throw RecordUnreadable(path: path)
      }
      return value
    }
    let header = try next { try JSONDecoder().decode(Header.self, from: Data($0)) }
    let algorithm = header.digestAlgorithm ?? .xxh3
    func nextVersion(_ version: Version) throws -> InstalledVersion {
      guard let contentVersion = ContentVersion(version.contentVersion), version.itemCount >= 0 else {
        throw RecordUnreadable(path: path)
      }
      let writer = InstalledItems.Writer(algorithm)
      for _ in 0..<version.itemCount {
        try cancellation.check()
        guard try writer.append(next(InstalledItem.init(line:))) else { throw RecordUnreadable(path: path) }
      }
      let items = try writer.finish()
      guard items.digest == version.contentDigest else { throw RecordUnreadable(path: path) }
      return InstalledVersion(
        contentVersion: contentVersion, keepsPermissions: version.keepsPermissions, items: items)
    }
    guard header.schemaVersion == Self.currentSchema,
      let product = ProductIdentifier(header.productIdentifier)
    else { throw RecordUnreadable(path: path) }
    self.init(
      product, layout: header.layout, isExcludedFromBackup: header.isExcludedFromBackup,
      installed: try header.installed.map(nextVersion), previous: try header.previous.map(nextVersion),
      change: header.change)
    guard try lines.next() == nil else { throw RecordUnreadable(path: path) }
  }

  /// Reads only the layout of a record; nil if it is unreadable or of another product.
  static func layout(
    of product: ProductIdentifier, decoding source: some ByteSource
  ) -> InstallationLayout? {
    var lines = LineReader(source)
    guard let line = try? lines.next(), let header = try? JSONDecoder().decode(Header.self, from: Data(line)),
      header.schemaVersion == currentSchema, header.productIdentifier == product.text
    else { return nil }
    return header.layout
  }
}

/// Reads the lines of a text, with only one block in memory.
private struct LineReader<Source: ByteSource> {
  private let source: Source
  private var offset: Int64 = 0
  /// The current block; lines before `start` have been returned.
  private var block: [UInt8] = []
  private var start = 0

  /// The size of a block in bytes, longer than any line: a path and a link target with every byte escaped.
  private static var capacity: Int { 64 * 1024 }

  init(_ source: Source) { self.source = source }

  /// Returns the next line without its line feed; nil at the end of the text. Returns an empty line, which no record
  /// has, for a line that is unterminated or too long.
  mutating func next() throws(SourceError) -> ArraySlice<UInt8>? {
    if let line = lineInBlock() { return line }
    block.removeSubrange(..<start)
    start = 0
    let more = try source.bytes(at: offset, count: Self.capacity)
    offset += Int64(more.count)
    block += more
    return lineInBlock() ?? (block.isEmpty ? nil : [])
  }

  private mutating func lineInBlock() -> ArraySlice<UInt8>? {
    guard let end = block[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { start = end + 1 }
    return block[start..<end]
  }
}
