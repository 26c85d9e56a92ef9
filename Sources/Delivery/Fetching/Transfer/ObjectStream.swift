import SafeFiles

/// A sequential stream of a range of an object in a store.
///
/// Belongs to one thread; `Sendable` only because `ByteSource` requires it. While that thread is busy, the system's
/// socket buffers receive the data.
final class ObjectStream: PackageStream, @unchecked Sendable {
  /// The maximum size of one range request.
  private static let maximumRequestSize: Int64 = 32 << 20

  let name: String
  let byteCount: Int64
  /// The object, whose size is known.
  private let reference: ObjectReference
  private let store: any Store
  private let meter: TransferMeter
  /// The ranges that remain to be requested; a nil element requests the whole object.
  private var requests: ArraySlice<Range<Int64>?>
  private var reader: (any ObjectReader)?
  /// The current block, and how many of its bytes are consumed.
  private var bytes: [UInt8] = []
  private var used = 0
  /// The offset in the object of the next unconsumed byte.
  private var position: Int64

  /// Creates a stream of `range`, or of the whole object in one request if `usesOneRequest`.
  init(
    of reference: ObjectReference, _ range: Range<Int64>, usesOneRequest: Bool, in store: any Store,
    _ meter: TransferMeter
  ) {
    name = FileSystem.joined(store.name, reference.path.text)
    byteCount = range.upperBound
    self.reference = reference
    self.store = store
    self.meter = meter
    requests = usesOneRequest ? [nil] : Self.requests(for: range)[...]
    position = range.lowerBound
  }

  private static func requests(for range: Range<Int64>) -> [Range<Int64>?] {
    stride(from: range.lowerBound, to: range.upperBound, by: Int(maximumRequestSize)).map {
      $0..<min($0 + maximumRequestSize, range.upperBound)
    }
  }

  func hasChanged() -> Bool { false }

  var contentEncoding: String? { reader?.contentEncoding }

  /// Reads at `offset`, which must not be below the current position. Unread bytes before it are skipped.
  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws(SourceError) -> Int {
    guard offset >= position else { throw .changed(name) }
    var filled = 0
    while filled < buffer.byteCount {
      if used == bytes.count, try !refill() { break }
      let gap = offset + Int64(filled) - position
      guard gap == 0 else {
        advance(Int(min(gap, Int64(bytes.count - used))))
        continue
      }
      let count = min(buffer.byteCount - filled, bytes.count - used)
      var target = buffer._mutatingExtracting(droppingFirst: filled)
      unsafe target.withUnsafeMutableBytes { unsafe $0.copyBytes(from: bytes[used..<used + count]) }
      advance(count)
      filled += count
    }
    return filled
  }

  private func advance(_ count: Int) {
    used += count
    position += Int64(count)
  }

  /// Waits for the next block.
  ///
  /// - Returns: False at the end of the range.
  private func refill() throws(SourceError) -> Bool {
    used = 0
    do {
      while true {
        if let reader, try reader.next(&bytes) {
          meter.add(bytes.count)
          return true
        }
        bytes.removeAll(keepingCapacity: true)
        guard let part = requests.popFirst() else { return false }
        meter.addRequest()
        reader = try store.open(reference.path, range: part, byteCount: reference.byteCount)
      }
    } catch {
      bytes.removeAll()
      throw .transport(error)
    }
  }
}
