import SystemPackage

/// Bytes that can be read at any position: a file, or memory.
package protocol ByteSource: Sendable {
  /// What messages call it: the path of a file.
  var name: String { get }
  /// The number of bytes.
  var byteCount: Int64 { get }

  /// Fills `buffer` with the bytes at `offset`.
  ///
  /// - Returns: the number of bytes read, which is smaller than the buffer only at the end of the source.
  /// - Throws: `FileFailure` with operation `read`.
  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws(FileFailure) -> Int

  /// Whether the bytes may not be those any more that were there at first.
  ///
  /// - Throws: `FileFailure` with operation `inspect`.
  func hasChanged() throws(FileFailure) -> Bool
}

extension ByteSource {
  /// At most `count` bytes at `offset`, and fewer only at the end of the source.
  package func bytes(at offset: Int64, count: Int) throws(FileFailure) -> [UInt8] {
    let available = max(0, min(Int64(count), byteCount - offset))
    var result = [UInt8](repeating: 0, count: Int(available))
    let read = try read(at: offset, into: &result, count: result.count)
    result.removeLast(result.count - read)
    return result
  }

  /// Fills the first `count` bytes of `buffer`, which has at least as many, with those at `offset`.
  ///
  /// - Returns: the number of bytes read, which is smaller than `count` only at the end of the source.
  package func read(at offset: Int64, into buffer: inout [UInt8], count: Int) throws(FileFailure) -> Int {
    var span = buffer.mutableSpan
    var bytes = unsafe span.mutableBytes  // every byte is a valid UInt8
    var target = bytes._mutatingExtracting(first: count)
    return try read(at: offset, into: &target)
  }
}

/// Bytes in memory.
package struct MemoryBytes: ByteSource {
  private let contents: ArraySlice<UInt8>

  package init(_ contents: ArraySlice<UInt8>) { self.contents = contents }

  package init(_ contents: [UInt8]) { self.contents = contents[...] }

  package var name: String { "memory" }
  package var byteCount: Int64 { Int64(contents.count) }

  package func hasChanged() -> Bool { false }

  package func read(at offset: Int64, into buffer: inout MutableRawSpan) -> Int {
    guard offset >= 0, offset < byteCount else { return 0 }
    let part = contents.dropFirst(Int(offset)).prefix(buffer.byteCount)
    unsafe buffer.withUnsafeMutableBytes { unsafe $0.copyBytes(from: part) }
    return part.count
  }
}

extension FileFailure {
  /// A source has fewer bytes than it said at first.
  package static func becameShorter(_ name: String) -> FileFailure {
    FileFailure(.read, name, .ioError, detail: "it became shorter while it was read")
  }
}

extension RawSpan {
  /// Whether two runs of bytes are the same.
  package func isEqual(to other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    return unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in unsafe POSIX.areEqual(left, right) }
    }
  }
}
