import ContentPackage
package import SafeFiles
package import StrictJSON
import Support
import ZipArchive

extension ReleaseIndex {
  /// The number of bytes after which a block is passed on.
  private static let blockSize = 64 * 1024

  /// Writes an index as a document.
  ///
  /// - Parameters:
  ///   - entries: The entries, in offset order.
  ///   - manifest: The bytes of `ContentInfo.plist`.
  ///   - write: Receives the document block by block.
  /// - Throws: The errors of `write`.
  package static func write<Failure: Error>(
    _ entries: some Sequence<IndexEntry>, manifest: [UInt8],
    to write: (RawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = JSONWriter()
    try writer.object { (writer) throws(Failure) in
      writer.key("entries")
      try writer.array { (writer) throws(Failure) in
        for entry in entries {
          writer.object { $0.write(entry) }
          if writer.bytes.count >= blockSize { try writer.flush(write) }
        }
      }
      writer.member("manifest", Base64.standard.encode(manifest))
    }
    writer.endLine()
    try writer.flush(write)
  }

  /// Returns the size of an index as a document.
  static func byteCount(of entries: some Sequence<IndexEntry>, manifest: [UInt8]) -> Int64 {
    var count: Int64 = 0
    write(entries, manifest: manifest) { (block) throws(Never) in count += Int64(block.byteCount) }
    return count
  }

  /// Parses the index of a package of `packageBytes` bytes, and passes its entries to `body`.
  ///
  /// The entries are in offset order, do not overlap and are within the package. Their paths are unchecked.
  ///
  /// - Returns: The bytes of `ContentInfo.plist`.
  /// - Throws: `DocumentError`, including the errors of `body`.
  package static func read(
    _ source: any ByteSource, packageBytes: Int64, _ body: (IndexEntry) throws(DocumentError) -> Void
  ) throws(DocumentError) -> [UInt8] {
    var hasEntries = false
    var manifest: [UInt8]?
    var reader = JSONReader(source, limits: DocumentLimits.index)
    try reader.document { (reader) throws(DocumentError) in
      try reader.object { (key, reader) throws(DocumentError) in
        switch key {
        case "entries":
          try readEntries(&reader, within: packageBytes, body)
          hasEntries = true
        case "manifest": manifest = try reader.base64(atMost: Int(Limits.manifestBytes))
        default: try reader.skip()
        }
      }
    }
    guard hasEntries, let manifest else {
      throw DocumentError("the index lacks its entries or manifest")
    }
    return manifest
  }

  private static func readEntries(
    _ reader: inout JSONReader, within packageBytes: Int64, _ body: (IndexEntry) throws(DocumentError) -> Void
  ) throws(DocumentError) {
    var count = 0
    var nameBytes = 0
    var targetBytes = 0
    var end: Int64 = 0
    try reader.array { (reader) throws(DocumentError) in
      guard count < maximumEntryCount else {
        throw reader.error("there are more than \(maximumEntryCount) entries")
      }
      let entry = try IndexEntry(&reader, targetBytes: &targetBytes)
      guard entry.offset >= end else {
        throw reader.error("an entry begins at \(entry.offset), where another has its bytes")
      }
      guard entry.packedSize <= packageBytes, entry.offset <= packageBytes - entry.packedSize else {
        throw reader.error("an entry ends after the \(packageBytes) bytes of the package")
      }
      end = entry.offset + entry.packedSize
      count += 1
      nameBytes += entry.path.count
      guard nameBytes <= Limits.nameBytes(for: maximumEntryCount) else {
        throw reader.error(
          "the paths have more than the \(Limits.nameBytes(for: maximumEntryCount)) bytes that a package may have"
        )
      }
      try body(entry)
    }
  }
}

extension IndexEntry {
  /// Parses an entry, and adds the length of its target to `targetBytes`.
  fileprivate init(_ reader: inout JSONReader, targetBytes: inout Int) throws(DocumentError) {
    var path: String?
    var kind: Kind?
    var mode: UInt16?
    var size: Int64?
    var digest: SHA256Digest?
    var method: Method?
    var offset: Int64?
    var packedSize: Int64?
    var crc32: UInt32?
    var target: [UInt8]?
    try reader.object { (key, reader) throws(DocumentError) in
      switch key {
      case "path": path = try reader.string(atMost: DocumentLimits.pathBytes)
      case "kind": kind = try reader.word(Kind.self)
      case "mode":
        mode = try reader.unlessNull { (reader) throws(DocumentError) in
          UInt16(truncatingIfNeeded: try reader.integer(in: 0...0o7777))
        }
      case "size": size = try reader.integer(in: 0...Limits.maximumBytes)
      case "sha256":
        digest = try reader.unlessNull { (reader) throws(DocumentError) in try reader.digest() }
      case "method": method = try reader.word(Method.self)
      case "offset": offset = try reader.integer(in: 0...Limits.maximumBytes)
      case "packedSize": packedSize = try reader.integer(in: 0...Limits.maximumBytes)
      case "crc32": crc32 = UInt32(truncatingIfNeeded: try reader.integer(in: 0...Int64(UInt32.max)))
      case "target": target = Array(try reader.string(atMost: Int(Limits.linkTargetBytes)).utf8)
      default: try reader.skip()
      }
    }
    guard let path, let kind, let size, let method, let offset, let packedSize, let crc32 else {
      throw reader.error("an entry lacks one of path, kind, size, method, offset, packedSize and crc32")
    }
    guard (digest == nil) == (kind == .folder) else {
      throw reader.error("a \(kind.rawValue) has \(digest == nil ? "no" : "a") sha256")
    }
    if let read = target {
      guard kind == .link, SHA256Digest(of: read) == digest, read.count == size else {
        throw reader.error("a target is not the one that size and sha256 are of")
      }
      targetBytes += read.count
      if targetBytes > ReleaseIndex.maximumTargetByteCount { target = nil }
    }
    guard kind != .folder || (size == 0 && packedSize == 0) else { throw reader.error("a folder has data") }
    guard method == .deflated || size == packedSize else {
      throw reader.error("an entry is stored, but has \(packedSize) bytes for \(size)")
    }
    self.init(
      path: EntryPath(path), kind: kind, mode: mode, size: size, digest: digest, method: method,
      offset: offset, packedSize: packedSize, crc32: crc32, target: target)
  }
}

extension JSONReader {
  /// Reads a string that must be a raw value of `Word`.
  fileprivate mutating func word<Word: RawRepresentable<String>>(
    _: Word.Type
  ) throws(DocumentError) -> Word {
    let text = try string(atMost: DocumentLimits.wordBytes)
    guard let word = Word(rawValue: text) else { throw error("'\(text)' is not known here") }
    return word
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ entry: IndexEntry) {
    member("path", entry.path.string)
    member("kind", entry.kind.rawValue)
    if let mode = entry.mode { member("mode", Int64(mode)) } else { member("mode", nil) }
    member("size", entry.size)
    member("sha256", entry.digest?.hexadecimal)
    member("method", entry.method.rawValue)
    member("offset", entry.offset)
    member("packedSize", entry.packedSize)
    member("crc32", Int64(entry.crc32))
    if let target = entry.target.flatMap({ String(validating: $0, as: UTF8.self) }) {
      member("target", target)
    }
  }
}
