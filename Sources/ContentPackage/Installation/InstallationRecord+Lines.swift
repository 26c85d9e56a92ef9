import SafeFiles

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation  // untested
#endif

/// A record's file has a JSON value on each line: the first is the `Header`, then come the items of what is
/// installed, then those of the version before. So neither side needs the whole text in memory.
extension InstallationRecord {
  private struct Header: Codable {
    let schemaVersion: Int
    let productIdentifier: String
    let installed: Version?
    let previous: Version?
    let transition: Transition?
  }

  private struct Version: Codable {
    let contentVersion: String
    let layout: InstallationLayout
    let contentSHA256: String
    let isExcludedFromBackup: Bool
    /// How many of the lines are its items.
    let itemCount: Int

    init(_ installation: Installation) {
      contentVersion = installation.contentVersion
      layout = installation.layout
      contentSHA256 = installation.contentSHA256
      isExcludedFromBackup = installation.isExcludedFromBackup
      itemCount = installation.items.count
    }

    /// - Returns: nil if these are not the items that were recorded.
    func installation(_ items: [InstalledItem]) -> Installation? {
      let installation = Installation(
        contentVersion: contentVersion, layout: layout, isExcludedFromBackup: isExcludedFromBackup,
        items: items)
      return installation.contentSHA256 == contentSHA256 ? installation : nil
    }
  }

  /// Raised when a later form of the record can no longer be read by this one.
  private static let currentSchema = 1

  /// Hands the bytes of the file to `write`, line by line.
  func encode<Failure: Error>(_ write: (RawSpan) throws(Failure) -> Void) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func writeLine(_ value: some Encodable) throws {
      let line = try Array(encoder.encode(value)) + [UInt8(ascii: "\n")]
      try write(unsafe line.span.bytes)  // any UInt8 is a byte
    }
    try writeLine(
      Header(
        schemaVersion: Self.currentSchema, productIdentifier: productIdentifier,
        installed: installed.map(Version.init), previous: previous.map(Version.init), transition: transition))
    for installation in [installed, previous] {
      for item in installation?.items ?? [] { try writeLine(item) }
    }
  }

  /// Reads a record.
  ///
  /// - Throws: `RecordUnreadable` with `path`, or `FileFailure` with operation `read`.
  init(decoding source: some ByteSource, path: String) throws {
    var lines = LineReader(source)
    let decoder = JSONDecoder()
    func next<Value: Decodable>(_ type: Value.Type) throws -> Value {
      guard let line = try lines.next(), let value = try? decoder.decode(type, from: Data(line)) else {
        throw RecordUnreadable(path: path)
      }
      return value
    }
    let header = try next(Header.self)
    let versions = [header.installed, header.previous]
    guard header.schemaVersion == Self.currentSchema, ProductIdentifier(header.productIdentifier) != nil,
      versions.allSatisfy({ $0.map { ContentVersion($0.contentVersion) != nil && $0.itemCount >= 0 } ?? true }
      )
    else { throw RecordUnreadable(path: path) }
    let installations = try versions.map { version in
      try version.map { version in
        var items: [InstalledItem] = []  // for which no memory is taken before they are read
        for _ in 0..<version.itemCount { items.append(try next(InstalledItem.self)) }
        guard let installation = version.installation(items) else { throw RecordUnreadable(path: path) }
        return installation
      }
    }
    guard try lines.next() == nil else { throw RecordUnreadable(path: path) }
    self.init(
      productIdentifier: header.productIdentifier, installed: installations[0], previous: installations[1],
      transition: header.transition)
  }
}

/// A record in `Documents/.iapkg/` is not one of ours, or of a later iapkg.
public struct RecordUnreadable: Error {
  /// The record's file, which is not safe to print.
  public let path: String
}

/// The lines of a text, of which only a block is in memory.
private struct LineReader<Source: ByteSource> {
  private let source: Source
  private var offset: Int64 = 0
  /// What has been read; lines before `start` have been handed out.
  private var block: [UInt8] = []
  private var start = 0

  /// More than any line has: a path and a link's target with all their bytes escaped.
  private static var capacity: Int { 64 * 1024 }

  init(_ source: Source) { self.source = source }

  /// The next line without its end; nil at the end of the text. What stands behind the last line end, or in a line
  /// that is too long, is a line that no record has.
  mutating func next() throws(FileFailure) -> ArraySlice<UInt8>? {
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
