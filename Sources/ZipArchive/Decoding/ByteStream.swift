package import SafeFiles

/// A sequential stream of bytes; confined to one thread.
package protocol ByteStream: AnyObject {
  /// Reads up to `count` bytes into the start of `buffer`.
  ///
  /// - Returns: The number of bytes read, 0 only at the end.
  func read(into buffer: inout [UInt8], count: Int) throws(StreamError) -> Int
}

/// The reason why a stream cannot be read further.
package enum StreamError: Error {
  /// The underlying source cannot be read.
  case source(SourceError)
  /// The bytes are invalid: one lower-case sentence without a full stop, safe to print.
  case damaged(String)
}

extension ByteStream {
  /// Reads until the first `count` bytes of `buffer` are filled, or the stream ends.
  ///
  /// - Returns: The number of bytes read.
  package func fill(_ buffer: inout [UInt8], count: Int) throws(StreamError) -> Int {
    var filled = try read(into: &buffer, count: count)
    guard filled > 0, filled < count else { return filled }
    var rest = [UInt8](repeating: 0, count: count - filled)
    while filled < count {
      let read = try read(into: &rest, count: count - filled)
      guard read > 0 else { return filled }
      buffer.replaceSubrange(filled..<filled + read, with: rest[..<read])
      filled += read
    }
    return filled
  }
}

/// The bytes of a source as a stream.
package final class SourceStream: ByteStream {
  private let source: any ByteSource
  private var position: Int64 = 0

  package init(_ source: any ByteSource) { self.source = source }

  package func read(into buffer: inout [UInt8], count: Int) throws(StreamError) -> Int {
    let wanted = Int(min(Int64(min(count, buffer.count)), source.byteCount - position))
    guard wanted > 0 else { return 0 }
    do throws(SourceError) {
      guard try source.read(at: position, into: &buffer, count: wanted) == wanted else {
        throw .endedEarly(source.name)
      }
    } catch {
      throw .source(error)
    }
    position += Int64(wanted)
    return wanted
  }
}
