import ContentPackage
import SafeFiles
import Support

/// Reads a file of a folder store.
final class StoredFileReader: ObjectReader {
  /// The number of bytes read at a time.
  private static let blockSize: Int64 = 256 << 10

  private let file: InputFile
  private var remaining: Range<Int64>
  private let cancellation: Cancellation

  init(_ file: InputFile, _ range: Range<Int64>, _ cancellation: Cancellation) {
    self.file = file
    remaining = range
    self.cancellation = cancellation
  }

  func next(_ buffer: inout [UInt8]) throws -> Bool {
    try cancellation.check()
    let count = Int(min(Self.blockSize, Int64(remaining.count)))
    guard count > 0 else { return false }
    if buffer.count > count { buffer.removeLast(buffer.count - count) }
    if buffer.count < count { buffer += repeatElement(0, count: count - buffer.count) }
    let read: Int
    do throws(SourceError) {
      read = try file.read(at: remaining.lowerBound, into: &buffer, count: count)
    } catch {
      throw StoreError(error, reading: file.path)
    }
    guard read == count else {
      throw StoreError(.invalidResponse, file.path, "\(file.path) became shorter while it was read")
    }
    remaining = remaining.lowerBound + Int64(count)..<remaining.upperBound
    return true
  }
}
