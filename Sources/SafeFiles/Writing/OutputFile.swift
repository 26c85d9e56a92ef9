import Support
import SystemPackage

/// A file that is written sequentially.
///
/// Small writes are buffered, so the file may be incomplete until it is closed.
package struct OutputFile: ~Copyable, Sendable {
  /// The size from which writes are not buffered, in bytes.
  private static let bufferCapacity = 1 << 16
  /// The maximum number of bytes that one system call copies. The call cannot be interrupted, so it must be short.
  package static let maximumCopyByteCount: Int64 = 1 << 23
  /// The number of bytes to read at once if the kernel does not copy.
  private static let fallbackBlockSize: Int64 = 1 << 20

  /// The path, for messages.
  package let path: String
  /// The number of bytes written so far.
  package private(set) var byteCount: Int64 = 0
  private let descriptor: Descriptor
  private var buffer: [UInt8] = []

  /// Takes ownership of a file with `byteCount` bytes, positioned at its end.
  init(owning descriptor: consuming Descriptor, path: String, byteCount: Int64 = 0) {
    self.descriptor = descriptor
    self.path = path
    self.byteCount = byteCount
  }

  /// Appends `bytes`.
  ///
  /// - Throws: `FileError` with operation `write`.
  package mutating func write(_ bytes: RawSpan) throws(FileError) {
    guard !bytes.isEmpty else { return }
    if buffer.count + bytes.byteCount > Self.bufferCapacity { try flush() }
    if bytes.byteCount >= Self.bufferCapacity {
      let number = descriptor.number
      try attempt(.write, path) { () throws(Errno) in
        try unsafe bytes.withUnsafeBytes { bytes throws(Errno) in
          try unsafe POSIX.writeAll(number, bytes)
        }
      }
    } else {
      unsafe bytes.withUnsafeBytes { unsafe buffer.append(contentsOf: $0) }
    }
    byteCount += Int64(bytes.byteCount)
  }

  /// Appends the bytes at `range` of `source`, and calls `copied` with the size of each copied piece. If the source is
  /// a file, the kernel copies as many bytes as it can.
  ///
  /// - Throws: `.endedEarly` if `source` has fewer bytes, `.file` with operation `write`, and the errors of the source.
  package mutating func copy(
    from source: any ByteSource, range: Range<Int64>, _ copied: (Int64) -> Void = { _ in }
  ) throws(SourceError) {
    var range = range
    do throws(FileError) {
      switch source.backing {
      case .memory(let bytes):
        let part = bytes.dropFirst(Int(clamping: range.lowerBound)).prefix(range.count)
        guard part.count == range.count else { break }  // reading throws the error
        try write(unsafe part.span.bytes)  // UInt8 has no padding
        return copied(Int64(range.count))
      case .file(let file, let offset):
        let end = try copyInKernel(
          from: file, offset + range.lowerBound..<offset + range.upperBound, copied)
        range = (end - offset)..<range.upperBound
      case nil: break
      }
    } catch {
      throw .file(error)
    }
    try readAndWrite(source, range, copied)
  }

  /// Lets the kernel copy as much as it can.
  ///
  /// - Returns: The position up to which it has copied.
  private mutating func copyInKernel(
    from source: InputFile, _ range: Range<Int64>, _ copied: (Int64) -> Void
  ) throws(FileError) -> Int64 {
    try flush()
    var position = range.lowerBound
    let target = descriptor.number
    while position < range.upperBound {
      let count = Int(min(range.upperBound - position, Self.maximumCopyByteCount))
      let done = try attempt(.write, path) { () throws(Errno) in
        try Platform.copyRange(
          from: source.descriptor.number, at: position, to: target, count: count)
      }
      // Some file systems return 0 before the end; the read that follows detects a real end.
      guard let done, done > 0 else { break }
      position += Int64(done)
      byteCount += Int64(done)
      copied(Int64(done))
    }
    return position
  }

  private mutating func readAndWrite(
    _ source: any ByteSource, _ range: Range<Int64>, _ copied: (Int64) -> Void
  ) throws(SourceError) {
    var position = range.lowerBound
    while position < range.upperBound {
      let count = Int(min(range.upperBound - position, Self.fallbackBlockSize))
      let bytes = try source.bytes(at: position, count: count)
      guard bytes.count == count else {
        throw .endedEarly(source.name)
      }
      do throws(FileError) { try write(unsafe bytes.borrowedSpan.bytes) } catch { throw .file(error) }
      position += Int64(count)
      copied(Int64(count))
    }
  }

  /// Writes everything written so far to stable storage.
  ///
  /// - Throws: `FileError` with operation `write` or `synchronize`. The content on disk is then unknown, and a retry
  ///   would not report that.
  package mutating func synchronize() throws(FileError) {
    try flush()
    let number = descriptor.number
    try attempt(.synchronize, path) { () throws(Errno) in try Platform.synchronize(number) }
  }

  /// Writes the buffer and closes the file.
  ///
  /// - Throws: `FileError` with operation `write`, also for errors that the system reports on closing.
  package consuming func close() throws(FileError) {
    try flush()
    let path = path
    do throws(Errno) { try descriptor.close() } catch { throw FileError(.write, path, error) }
  }

  /// Writes the buffer and converts the file to an input. The descriptor must be open for reading too.
  ///
  /// - Parameter name: The path for messages, if it differs from the output's.
  /// - Returns: The same file, for reading.
  /// - Throws: `FileError` with operation `write` if the buffer cannot be written, or `open`.
  consuming func reopenedForReading(as name: String? = nil) throws(FileError) -> InputFile {
    try flush()
    let path = name ?? path
    return try InputFile.checked(descriptor, path: path)
  }

  private mutating func flush() throws(FileError) {
    guard !buffer.isEmpty else { return }
    let number = descriptor.number
    do throws(Errno) {
      try unsafe buffer.borrowedSpan.bytes.withUnsafeBytes { bytes throws(Errno) in
        try unsafe POSIX.writeAll(number, bytes)
      }
    } catch {
      throw FileError(.write, path, error)
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
