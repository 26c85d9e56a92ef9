import SafeFiles

/// The bytes of a part of an object in a store, in order and while they arrive.
///
/// It belongs to one thread: it is `Sendable` only because every `ByteSource` is. While that thread is busy, the
/// system's buffers receive.
final class ObjectStream: ByteSource, @unchecked Sendable {
  /// The most that one request asks for.
  private static let longestRequest: Int64 = 32 << 20

  let name: String
  let byteCount: Int64
  private let path: StorePath
  private let store: any Store
  private let meter: TransferMeter
  /// The parts that are still to be asked for; nil for all of the object.
  private var requests: ArraySlice<Range<Int64>?>
  private var reader: (any ObjectReader)?
  /// Bytes that have come, and how many of them are used up.
  private var bytes: [UInt8] = []
  private var used = 0
  /// Where in the object the next unused byte is.
  private var position: Int64

  /// The bytes of an object at `range`; all of the object in one request with `isWhole`.
  init(of path: StorePath, _ range: Range<Int64>, isWhole: Bool, in store: any Store, _ meter: TransferMeter)
  {
    name = FileSystem.joined(store.name, path.text)
    byteCount = range.upperBound
    self.path = path
    self.store = store
    self.meter = meter
    requests = isWhole ? [nil] : Self.requests(for: range)[...]
    position = range.lowerBound
  }

  private static func requests(for range: Range<Int64>) -> [Range<Int64>?] {
    stride(from: range.lowerBound, to: range.upperBound, by: Int(longestRequest)).map {
      $0..<min($0 + longestRequest, range.upperBound)
    }
  }

  func hasChanged() -> Bool { false }

  /// The compression that the last answer had, which was not asked for.
  var contentEncoding: String? { reader?.contentEncoding }

  /// Reads on. What lies before `offset` and was not read is passed over; nothing is read twice.
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

  /// Waits for more bytes.
  ///
  /// - Returns: false at the end.
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
        reader = try store.open(path, range: part)
      }
    } catch {
      bytes.removeAll()
      throw .transport(error)
    }
  }
}
