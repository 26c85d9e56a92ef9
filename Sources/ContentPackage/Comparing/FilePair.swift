import SafeFiles
import Support
import ZipArchive

/// Compares files of two sources, one pair at a time; confined to one thread.
struct FilePair {
  private struct Side {
    let source: any ContentSource
    let reader: any ContentReader
    var block = [UInt8](repeating: 0, count: blockSize)

    init(_ source: any ContentSource) {
      self.source = source
      reader = source.makeReader()
    }

    func stream(_ item: ContentItem, _ packed: CompressedData) throws -> any ContentStream {
      guard packed.method == .deflated else { return StoredStream(packed.data) }
      do { return try reader.content(of: item) } catch let error as ContentError { throw unsound(error) }
    }

    /// Reads the next bytes of a file into `block`, and returns their number.
    mutating func fill(from stream: any ContentStream) throws -> Int {
      do { return try stream.read(into: &block, count: block.count) } catch let error as ContentError {
        throw unsound(error)
      }
    }

    private func unsound(_ error: ContentError) -> UnsoundArchive {
      UnsoundArchive(path: source.path, findings: [error.finding])
    }
  }

  /// The number of bytes read from each file at a time.
  private static let blockSize = 64 * 1024

  private var left: Side
  private var right: Side
  private let context: WorkContext

  init(_ old: any ContentSource, _ new: any ContentSource, _ context: WorkContext) {
    left = Side(old)
    right = Side(new)
    self.context = context
  }

  /// Returns whether two files of the same size have the same content.
  mutating func isSame(_ item: ContentItem, _ other: ContentItem) throws -> Bool {
    defer { context.progress.advance(by: item.size) }
    let (packed, otherPacked) = try (left.reader.packed(item), right.reader.packed(other))
    var isSame = false
    if packed.method == otherPacked.method, packed.data.byteCount == otherPacked.data.byteCount {
      isSame = try areEqual(StoredStream(packed.data), StoredStream(otherPacked.data))
    }
    // Different compressed data may still have the same content.
    if !isSame, packed.method == .deflated || otherPacked.method == .deflated {
      isSame = try areEqual(left.stream(item, packed), right.stream(other, otherPacked))
    }
    for data in [packed.data, otherPacked.data] where try data.hasChanged() {
      throw SourceError.changed(data.name)
    }
    return isSame
  }

  private mutating func areEqual(_ first: any ContentStream, _ second: any ContentStream) throws -> Bool {
    while true {
      try context.cancellation.check()
      let (count, other) = try (left.fill(from: first), right.fill(from: second))
      // UInt8 has no padding.
      let (bytes, others) = unsafe (left.block.borrowedSpan.bytes, right.block.borrowedSpan.bytes)
      guard bytes.extracting(first: count).isEqual(to: others.extracting(first: other)) else { return false }
      if count < Self.blockSize { return true }
    }
  }
}
