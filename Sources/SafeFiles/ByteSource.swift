/// Bytes that can be read at any position and do not change while they are read: a file, or memory.
package protocol ByteSource: Sendable {
  /// How many bytes there are.
  var byteCount: Int64 { get }

  /// Fills `buffer` with the bytes from `offset` on.
  ///
  /// - Returns: how many bytes were read; fewer than asked for only at the end of the source.
  /// - Throws: `FileFailure` with operation `read`.
  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws(FileFailure) -> Int
}

extension ByteSource {
  /// The bytes from `offset` on, at most `count` of them; fewer only at the end of the source.
  package func bytes(at offset: Int64, count: Int) throws(FileFailure) -> [UInt8] {
    let available = max(0, min(Int64(count), byteCount - offset))
    var result = [UInt8](repeating: 0, count: Int(available))
    let read = try read(at: offset, into: &result, count: result.count)
    result.removeLast(result.count - read)
    return result
  }

  /// Fills the first `count` bytes of `buffer`, which has at least so many, with those from `offset` on.
  ///
  /// - Returns: how many bytes were read; fewer than asked for only at the end of the source.
  package func read(at offset: Int64, into buffer: inout [UInt8], count: Int) throws(FileFailure) -> Int {
    var span = buffer.mutableSpan
    var bytes = unsafe span.mutableBytes  // any byte is a UInt8
    var target = bytes._mutatingExtracting(first: count)
    return try read(at: offset, into: &target)
  }
}

/// Bytes in memory.
package struct MemoryBytes: ByteSource {
  private let contents: ArraySlice<UInt8>

  package init(_ contents: ArraySlice<UInt8>) { self.contents = contents }

  package init(_ contents: [UInt8]) { self.contents = contents[...] }

  package var byteCount: Int64 { Int64(contents.count) }

  package func read(at offset: Int64, into buffer: inout MutableRawSpan) -> Int {
    guard offset >= 0, offset < byteCount else { return 0 }
    let part = contents.dropFirst(Int(offset)).prefix(buffer.byteCount)
    unsafe buffer.withUnsafeMutableBytes { unsafe $0.copyBytes(from: part) }
    return part.count
  }
}
