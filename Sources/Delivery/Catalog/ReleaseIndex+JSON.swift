import ContentPackage
import ZipArchive

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation  // untested
#endif

extension ReleaseIndex {
  /// About what an entry takes beside its name.
  private static let bytesPerEntry = 240

  /// The file of the index.
  package var bytes: [UInt8] {
    let names = entries.reduce(0) { $0 + $1.path.bytes.count }
    var writer = JSONWriter(capacity: names + entries.count * Self.bytesPerEntry + manifest.count * 2)
    writer.object {
      $0.key("entries")
      $0.array { writer in
        for entry in entries { writer.object { $0.write(entry) } }
      }
      $0.member("manifest", Data(manifest).base64EncodedString())
    }
    return writer.line()
  }

  /// Reads the index of a package of `packageBytes` bytes.
  ///
  /// The entries lie in the order of their bytes, beside one another and within the package. Their paths are whatever
  /// the index says: they are for the rules to judge.
  package init(bytes: [UInt8], packageBytes: Int64) throws(DocumentProblem) {
    var entries: [IndexEntry]?
    var manifest: [UInt8]?
    var reader = JSONReader(bytes)
    try reader.document { (reader) throws(DocumentProblem) in
      try reader.object { (key, reader) throws(DocumentProblem) in
        switch key {
        case "entries": entries = try Self.entries(&reader, within: packageBytes)
        case "manifest":
          guard let data = Data(base64Encoded: try reader.string()) else {
            throw reader.problem("the manifest is not base64")
          }
          guard data.count <= Limits.manifestBytes else {
            throw reader.problem(
              "the manifest has \(data.count) bytes, expected at most \(Limits.manifestBytes)")
          }
          manifest = Array(data)
        default: try reader.skip()
        }
      }
    }
    guard let entries, let manifest else { throw DocumentProblem("the index lacks its entries or manifest") }
    self.init(entries: entries, manifest: manifest)
  }

  private static func entries(
    _ reader: inout JSONReader, within packageBytes: Int64
  ) throws(DocumentProblem) -> [IndexEntry] {
    var entries: [IndexEntry] = []
    var end: Int64 = 0
    try reader.array { (reader) throws(DocumentProblem) in
      guard entries.count < mostEntries else {
        throw reader.problem("there are more than \(mostEntries) entries")
      }
      let entry = try IndexEntry(&reader)
      guard entry.offset >= end else {
        throw reader.problem("an entry begins at \(entry.offset), where another has its bytes")
      }
      guard entry.packedSize <= packageBytes, entry.offset <= packageBytes - entry.packedSize else {
        throw reader.problem("an entry ends behind the \(packageBytes) bytes of the package")
      }
      end = entry.offset + entry.packedSize
      entries.append(entry)
    }
    return entries
  }
}

extension IndexEntry {
  fileprivate init(_ reader: inout JSONReader) throws(DocumentProblem) {
    var path: String?
    var kind: Kind?
    var mode: UInt16?
    var size: Int64?
    var digest: SHA256Digest?
    var method: Method?
    var offset: Int64?
    var packedSize: Int64?
    var crc32: UInt32?
    try reader.object { (key, reader) throws(DocumentProblem) in
      switch key {
      case "path": path = try reader.string(atMost: DocumentLimits.pathBytes)
      case "kind": kind = try reader.word(Kind.self)
      case "mode":
        mode = try reader.unlessNull { (reader) throws(DocumentProblem) in
          UInt16(truncatingIfNeeded: try reader.integer(in: 0...0o7777))
        }
      case "size": size = try reader.integer(in: 0...Limits.maximumBytes)
      case "sha256":
        digest = try reader.unlessNull { (reader) throws(DocumentProblem) in try reader.digest() }
      case "method": method = try reader.word(Method.self)
      case "offset": offset = try reader.integer(in: 0...Limits.maximumBytes)
      case "packedSize": packedSize = try reader.integer(in: 0...Limits.maximumBytes)
      case "crc32": crc32 = UInt32(truncatingIfNeeded: try reader.integer(in: 0...Int64(UInt32.max)))
      default: try reader.skip()
      }
    }
    guard let path, let kind, let size, let method, let offset, let packedSize, let crc32 else {
      throw reader.problem("an entry lacks one of path, kind, size, method, offset, packedSize and crc32")
    }
    guard (digest == nil) == (kind == .folder) else {
      throw reader.problem("a \(kind.rawValue) has \(digest == nil ? "no" : "a") sha256")
    }
    guard kind != .folder || (size == 0 && packedSize == 0) else { throw reader.problem("a folder has data") }
    guard method == .deflated || size == packedSize else {
      throw reader.problem("an entry is stored, but has \(packedSize) bytes for \(size)")
    }
    self.init(
      path: EntryPath(path), kind: kind, mode: mode, size: size, digest: digest, method: method,
      offset: offset, packedSize: packedSize, crc32: crc32)
  }
}

extension JSONReader {
  /// Reads one of the words that a type has.
  fileprivate mutating func word<Word: RawRepresentable<String>>(
    _: Word.Type
  ) throws(DocumentProblem) -> Word {
    let text = try string(atMost: 100)
    guard let word = Word(rawValue: text) else { throw problem("'\(text)' is not known here") }
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
  }
}
