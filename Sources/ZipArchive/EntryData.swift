package import SafeFiles

/// Bytes that are ready to be written to an archive.
package enum EntryData: ByteSource {
  case memory(ArraySlice<UInt8>)
  case file(InputFile, Range<Int64>)

  package var name: String {
    switch self {
    case .memory: "memory"
    case .file(let file, _): file.path
    }
  }

  package func hasChanged() throws(FileFailure) -> Bool {
    switch self {
    case .memory: false
    case .file(let file, _): try file.hasChanged()
    }
  }

  package var byteCount: Int64 {
    switch self {
    case .memory(let bytes): Int64(bytes.count)
    case .file(_, let range): Int64(range.count)
    }
  }

  /// The bytes in `range`, which is relative to the start of these bytes.
  package func part(_ range: Range<Int64>) -> EntryData {
    switch self {
    case .memory(let bytes):
      .memory(bytes[(bytes.startIndex + Int(range.lowerBound))..<(bytes.startIndex + Int(range.upperBound))])
    case .file(let file, let whole):
      .file(file, (whole.lowerBound + range.lowerBound)..<(whole.lowerBound + range.upperBound))
    }
  }

  package func read(at offset: Int64, into buffer: inout MutableRawSpan) throws(FileFailure) -> Int {
    switch self {
    case .memory(let bytes):
      return MemoryBytes(bytes).read(at: offset, into: &buffer)
    case .file(let file, let range):
      guard offset >= 0, offset < range.count else { return 0 }
      let count = min(buffer.byteCount, Int(Int64(range.count) - offset))
      var part = buffer._mutatingExtracting(first: count)
      return try file.read(at: range.lowerBound + offset, into: &part)
    }
  }

  /// Passes all bytes to `body`, in blocks of up to 256 KiB.
  ///
  /// - Returns: false if there are now fewer than `byteCount`.
  /// - Throws: `FileFailure`, and what `body` throws.
  package func forEachBlock(_ body: (RawSpan) throws -> Void) throws -> Bool {
    var block = [UInt8](repeating: 0, count: Int(min(byteCount, 256 * 1024)))
    var offset: Int64 = 0
    while offset < byteCount {
      let count = try read(at: offset, into: &block, count: block.count)
      guard count > 0 else { return false }
      try body(unsafe block.span.bytes.extracting(first: count))
      offset += Int64(count)
    }
    return true
  }
}
