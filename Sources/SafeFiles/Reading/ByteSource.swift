import Support

/// Random access to bytes in a file, in memory, or on another machine.
///
/// Several threads can read one source.
package protocol ByteSource: Sendable {
  /// The name for messages; for a file, its path. Not safe to print.
  var name: String { get }
  /// The number of bytes.
  var byteCount: Int64 { get }

  /// Fills `buffer` with the bytes at `offset`.
  ///
  /// - Returns: The number of bytes read, smaller than the buffer only at the end of the source.
  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws(SourceError) -> Int

  /// Returns whether the bytes may have changed since the source was opened.
  func hasChanged() throws(SourceError) -> Bool

  /// The storage of the bytes, if they can be copied without reading them into a buffer first.
  var backing: ByteBacking? { get }
}

/// The storage of a source's bytes.
package enum ByteBacking: Sendable {
  /// An open file, from this offset on.
  case file(InputFile, offset: Int64)
  case memory(ArraySlice<UInt8>)
}

extension ByteSource {
  package var backing: ByteBacking? { nil }

  /// Returns at most `count` bytes at `offset`, fewer only at the end of the source.
  package func bytes(at offset: Int64, count: Int) throws(SourceError) -> [UInt8] {
    let available = max(0, min(Int64(count), byteCount - offset))
    var result = [UInt8](repeating: 0, count: Int(available))
    let read = try read(at: offset, into: &result, count: result.count)
    result.removeLast(result.count - read)
    return result
  }

  /// Fills the first `count` bytes of `buffer`, which must have at least as many, with the bytes at `offset`.
  ///
  /// - Returns: The number of bytes read, smaller than `count` only at the end of the source.
  package func read(at offset: Int64, into buffer: inout [UInt8], count: Int) throws(SourceError) -> Int {
    try buffer.withMutableBytes { (bytes) throws(SourceError) in
      var target = bytes._mutatingExtracting(first: count)
      return try read(at: offset, into: &target)
    }
  }

  /// Passes all bytes to `body` in order, in blocks of up to 256 KiB.
  ///
  /// - Returns: False if the source now has fewer than `byteCount` bytes.
  /// - Throws: `SourceError`, and the errors of `body`.
  package func forEachBlock(_ body: (RawSpan) throws -> Void) throws -> Bool {
    let blockSize: Int64 = 256 * 1024
    var block = [UInt8](repeating: 0, count: Int(min(byteCount, blockSize)))
    var offset: Int64 = 0
    while offset < byteCount {
      let count = try read(at: offset, into: &block, count: block.count)
      guard count > 0 else { return false }
      try body(unsafe block.borrowedSpan.bytes.extracting(first: count))
      offset += Int64(count)
    }
    return true
  }

  /// Returns the bytes in `range` as a source.
  package func part(_ range: Range<Int64>) -> any ByteSource { SourcePart(of: self, range) }
}

/// A range of the bytes of another source.
private struct SourcePart<Whole: ByteSource>: ByteSource {
  private let whole: Whole
  private let range: Range<Int64>

  init(of whole: Whole, _ range: Range<Int64>) {
    self.whole = whole
    self.range = range
  }

  var name: String { whole.name }
  var byteCount: Int64 { Int64(range.count) }

  func hasChanged() throws(SourceError) -> Bool { try whole.hasChanged() }

  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws(SourceError) -> Int {
    guard offset >= 0, offset < range.count else { return 0 }
    let count = min(buffer.byteCount, Int(Int64(range.count) - offset))
    var part = buffer._mutatingExtracting(first: count)
    return try whole.read(at: range.lowerBound + offset, into: &part)
  }

  var backing: ByteBacking? {
    switch whole.backing {
    case .file(let file, let offset): .file(file, offset: offset + range.lowerBound)
    case .memory(let bytes):
      .memory(bytes.dropFirst(Int(clamping: range.lowerBound)).prefix(range.count))
    case nil: nil
    }
  }
}

/// Bytes in memory.
package struct MemoryBytes: ByteSource {
  private let contents: ArraySlice<UInt8>

  package init(_ contents: ArraySlice<UInt8>) { self.contents = contents }

  package init(_ contents: [UInt8]) { self.contents = contents[...] }

  package var name: String { "memory" }
  package var byteCount: Int64 { Int64(contents.count) }
  package var backing: ByteBacking? { .memory(contents) }

  package func hasChanged() -> Bool { false }

  package func read(at offset: Int64, into buffer: inout MutableRawSpan) -> Int {
    guard offset >= 0, offset < byteCount else { return 0 }
    let part = contents.dropFirst(Int(offset)).prefix(buffer.byteCount)
    unsafe buffer.withUnsafeMutableBytes { unsafe $0.copyBytes(from: part) }
    return part.count
  }
}

extension RawSpan {
  /// Returns whether both spans have the same bytes.
  package func isEqual(to other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    return unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in unsafe POSIX.areEqual(left, right) }
    }
  }
}
