import SafeFiles
import ZipArchive

/// Items serialized for the current process only.
///
/// An item is a byte count of the rest, its kind, the byte count of its path, and the path. A file's size and digest,
/// or a link's target, follow. All numbers are 64-bit little-endian.
struct SerializedItems {
  private enum Kind: UInt64 { case folder, file, link }

  private static let numberSize = 8

  private(set) var bytes: [UInt8] = []
  /// The name for messages.
  private let name: String

  init(bytes: [UInt8] = [], name: String = "") {
    self.bytes = bytes
    self.name = name
  }

  mutating func append(_ item: InstalledItem) {
    let start = bytes.count
    bytes.append(littleEndian: UInt64(0))
    switch item.kind {
    case .folder:
      append(.folder, item.path)
    case .file(let size, let digest):
      append(.file, item.path)
      bytes.append(littleEndian: UInt64(bitPattern: size))
      bytes.append(littleEndian: digest.words.high)
      bytes.append(littleEndian: digest.words.low)
    case .link(let target):
      append(.link, item.path)
      bytes += target
    }
    let length = UInt64(bytes.count - start - Self.numberSize)
    for index in 0..<Self.numberSize {
      bytes[start + index] = UInt8(truncatingIfNeeded: length >> (8 * UInt64(index)))
    }
  }

  private mutating func append(_ kind: Kind, _ path: EntryPath) {
    bytes.append(littleEndian: kind.rawValue)
    bytes.append(littleEndian: UInt64(path.count))
    bytes += path.part(0..<path.count)
  }

  /// Calls `body` with each item.
  func forEach(_ body: (InstalledItem) throws -> Void) throws {
    var offset = 0
    while offset < bytes.count { try body(item(from: next(&offset))) }
  }

  /// Returns the item at `index`.
  func item(at index: Int) throws(SourceError) -> InstalledItem {
    var offset = 0
    for _ in 0..<index { _ = try next(&offset) }
    return try item(from: next(&offset))
  }

  /// Returns the index of the item with this path; nil if there is none.
  func index(of path: EntryPath) throws(SourceError) -> Int? {
    let wanted = path.part(0..<path.count)
    var offset = 0
    var index = 0
    while offset < bytes.count {
      var item = try next(&offset)
      _ = try number(&item)
      if try text(&item) == wanted { return index }
      index += 1
    }
    return nil
  }

  private func item(from bytes: ArraySlice<UInt8>) throws(SourceError) -> InstalledItem {
    var rest = bytes
    let kind = Kind(rawValue: try number(&rest))
    let path = EntryPath(bytes: try text(&rest))
    switch kind {
    case .folder: return .folder(path)
    case .file:
      let size = Int64(bitPattern: try number(&rest))
      return .file(path, size: size, ContentDigest(high: try number(&rest), low: try number(&rest)))
    case .link: return .link(path, target: Array(rest))
    case nil: throw .endedEarly(name)
    }
  }

  /// Returns the bytes of the item at `offset`, and advances the offset.
  private func next(_ offset: inout Int) throws(SourceError) -> ArraySlice<UInt8> {
    var rest = bytes[offset...]
    let item = try text(&rest)
    offset = rest.startIndex
    return item
  }

  /// Reads a byte count and that many bytes.
  private func text(_ rest: inout ArraySlice<UInt8>) throws(SourceError) -> ArraySlice<UInt8> {
    try take(Int(clamping: try number(&rest)), from: &rest)
  }

  private func number(_ rest: inout ArraySlice<UInt8>) throws(SourceError) -> UInt64 {
    try take(Self.numberSize, from: &rest).uint64(at: 0)
  }

  private func take(_ count: Int, from rest: inout ArraySlice<UInt8>) throws(SourceError) -> ArraySlice<UInt8>
  {
    guard rest.count >= count else { throw .endedEarly(name) }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
