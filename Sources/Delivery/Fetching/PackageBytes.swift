import ContentPackage
import SafeFiles
import ZipArchive

/// A package where it lies in a store.
struct PackageBytes: Sendable {
  let reference: ObjectReference
  let store: any Store
  let meter: TransferMeter
  let pieces: PieceBudget

  /// For messages.
  var name: String { FileSystem.joined(store.name, reference.path.text) }

  /// The entries that lie in `range`, which are received while they are decoded in the order of their bytes; all of the
  /// package in one request if `range` is nil.
  func entries(in range: Range<Int64>?) -> ReceivedEntries {
    let wanted = range ?? 0..<reference.byteCount
    let bytes = RunBytes(
      ObjectStream(of: reference.path, wanted, isWhole: range == nil, in: store, meter))
    return ReceivedEntries(bytes, name, pieces)
  }
}

/// Entries that are decoded while they arrive; belongs to one thread.
final class ReceivedEntries {
  /// The first packed bytes of an entry, which were received before.
  struct KnownBytes {
    let file: InputFile
    /// At the start of the file.
    let byteCount: Int64
  }

  private let bytes: RunBytes
  private let decoder: EntryDecoder
  /// The package, for messages.
  private let name: String
  /// Where in the package the entry that was decoded last ends.
  private(set) var position: Int64 = 0

  fileprivate init(_ bytes: RunBytes, _ name: String, _ pieces: PieceBudget) {
    self.name = name
    self.bytes = bytes
    decoder = EntryDecoder(source: bytes, pieces: pieces)
  }

  /// Decodes an entry, of which what is not known begins at `position` or behind it, and holds what comes against its
  /// digest; what comes goes to `copy` too, packed as it is.
  ///
  /// - Throws: `Untrustworthy` for other content, `CompressedContent` where that came compressed, `StoreError`, `Interruption`, and what `body` throws.
  func decode(
    _ entry: IndexEntry, behind known: KnownBytes? = nil, copyingTo copy: consuming OutputFile? = nil,
    _ body: (RawSpan) throws -> Void
  ) throws {
    var hasher = SHA256Hasher()
    bytes.begin(at: entry.offset, with: known, copyingTo: copy)
    defer { bytes.end() }
    do throws(EntryDecodingError<any Error>) {
      try decoder.decode(ZipEntry(entry)) { (block) throws(any Error) in
        hasher.update(block)
        try body(block)
      }
    } catch {
      switch error {
      case .body(let error): throw error
      case .source(let error): throw error.underlying ?? error
      case .damaged(let error):
        throw wrong("\(entry.path.escaped): \(error.message)")
      }
    }
    guard hasher.finish() == entry.digest else {
      throw wrong("the SHA-256 of \(entry.path.escaped) is another")
    }
    position = entry.offset + entry.packedSize
  }
}

extension ReceivedEntries {
  private func wrong(_ what: String) -> any Error {
    StoreReader.encoded(name, bytes.contentEncoding).map { CompressedContent(error: $0) }
      ?? Untrustworthy(name, "has other content than was signed: \(what)")
  }
}

/// Content that is wrong because something on the way compressed it, which is no attack.
struct CompressedContent: WrongContent {
  let error: StoreError
}

extension Untrustworthy: WrongContent {}

extension ZipEntry {
  /// As much of a file's header as is needed to decode it.
  fileprivate init(_ entry: IndexEntry) {
    self.init(
      path: entry.path, kind: .file, method: entry.method == .stored ? .stored : .deflated,
      crc32: entry.crc32,
      compressedSize: entry.packedSize, size: entry.size, permissions: entry.mode,
      localHeaderOffset: entry.offset, dataOffset: entry.offset, endOffset: entry.offset + entry.packedSize,
      centralDirectoryHeader: 0..<0, offsetField: 0..<0)
  }
}
