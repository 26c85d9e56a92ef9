import ContentPackage
import SafeFiles
import StrictJSON
import Support
import ZipArchive

/// An entry in a page has no absolute offset, so that its page stays the same when preceding entries grow. Members with
/// their default value are omitted.
extension IndexEntry {
  /// Returns the permission bits of an entry without the member `mode`.
  private static func defaultMode(of kind: Kind) -> UInt16 {
    switch kind {
    case .file: 0o644
    case .folder: 0o755
    case .link: 0o777
    }
  }

  /// Returns the number of bytes between the data of an entry and that of the preceding entry, if only the entry's
  /// header lies between them.
  private static func defaultGap(before path: EntryPath, _ kind: Kind) -> Int64 {
    EntryHeader.localBytes(for: path, isFolder: kind == .folder)
  }

  /// Parses an entry of a page.
  ///
  /// - Parameters:
  ///   - reader: The reader of the page.
  ///   - start: The offset of the entry's data; nil if it follows from the preceding entry.
  ///   - end: The end of the data of the preceding entry.
  ///   - packageBytes: The size of the package.
  ///   - hasTarget: Returns whether a target of this length is kept.
  /// - Throws: `DocumentError`.
  init(
    _ reader: inout JSONReader, at start: Int64?, after end: Int64, within packageBytes: Int64,
    keepingTarget hasTarget: (Int) -> Bool
  ) throws(DocumentError) {
    var path: String?
    var kind = Kind.file
    var mode: UInt16??
    var size: Int64 = 0
    var digest: SHA256Digest?
    var gap: Int64?
    var packedSize: Int64?
    var crc32: UInt32 = 0
    var target: [UInt8]?
    var chunks: [Chunk] = []
    try reader.object { (key, reader) throws(DocumentError) in
      switch key {
      case "path": path = try reader.string(atMost: DocumentLimits.maximumPathBytes)
      case "kind":
        let text = try reader.string(atMost: DocumentLimits.maximumWordBytes)
        guard let known = Kind(rawValue: text) else { throw reader.error("'\(text)' is not a kind of entry") }
        kind = known
      case "mode":
        mode = .some(
          try reader.unlessNull { (reader) throws(DocumentError) in
            UInt16(truncatingIfNeeded: try reader.integer(in: 0...0o7777))
          })
      case "size": size = try reader.integer(in: 0...Limits.maximumBytes)
      case "sha256": digest = try reader.digest()
      case "gap": gap = try reader.integer(in: 0...Limits.maximumBytes)
      case "packedSize": packedSize = try reader.integer(in: 0...Limits.maximumBytes)
      case "crc32": crc32 = UInt32(truncatingIfNeeded: try reader.integer(in: 0...Int64(UInt32.max)))
      case "target": target = Array(try reader.string(atMost: Int(Limits.maximumLinkTargetBytes)).utf8)
      case "chunks": chunks = try Chunk.list(records: reader.base64(atMost: DocumentLimits.maximumChunkBytes))
      default: try reader.skip()
      }
    }
    guard let path else { throw reader.error("an entry lacks its path") }
    guard (digest == nil) == (kind == .folder) else {
      throw reader.error("a \(kind.rawValue) has \(digest == nil ? "no" : "a") sha256")
    }
    if let read = target {
      guard kind == .link, SHA256Digest(of: read) == digest, read.count == size else {
        throw reader.error("a target does not match its size and sha256")
      }
      if !hasTarget(read.count) { target = nil }
    }
    guard kind != .folder || (size == 0 && packedSize ?? 0 == 0) else {
      throw reader.error("a folder has data")
    }
    let entryPath = EntryPath(path)
    let offset = start ?? end + (gap ?? Self.defaultGap(before: entryPath, kind))
    guard offset >= end else {
      throw reader.error("an entry begins at \(offset), before the end of the preceding one")
    }
    guard packedSize ?? size <= packageBytes, offset <= packageBytes - (packedSize ?? size) else {
      throw reader.error("an entry ends after the \(packageBytes) bytes of the package")
    }
    try Chunk.check(chunks, kind == .file, size: size, packedSize: packedSize)
    self.init(
      path: entryPath, kind: kind, mode: mode ?? Self.defaultMode(of: kind), size: size, digest: digest,
      method: packedSize == nil ? .stored : .deflated, offset: offset, packedSize: packedSize ?? size,
      crc32: crc32, target: target, chunks: chunks)
  }

  /// Writes the entry of a page; `end` is the end of the preceding entry's data, nil for the first entry of the page.
  func write(after end: Int64?, to writer: inout JSONWriter) {
    writer.member("path", path.string)
    if kind != .file { writer.member("kind", kind.rawValue) }
    if mode != Self.defaultMode(of: kind) {
      if let mode { writer.member("mode", Int64(mode)) } else { writer.member("mode", nil) }
    }
    if kind != .folder { writer.member("size", size) }
    if method == .deflated { writer.member("packedSize", packedSize) }
    if let end, offset - end != Self.defaultGap(before: path, kind) { writer.member("gap", offset - end) }
    if crc32 != 0 { writer.member("crc32", Int64(crc32)) }
    if let digest { writer.member("sha256", digest.hexadecimal) }
    if let target = target.flatMap({ String(validating: $0, as: UTF8.self) }) {
      writer.member("target", target)
    }
    if !contentChunks.isEmpty {
      writer.member("chunks", Base64.standard.encode(contentChunks.flatMap(\.record)))
    }
  }
}
