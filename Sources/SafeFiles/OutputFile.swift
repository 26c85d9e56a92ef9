import Support
import SystemPackage

/// A file that is being written, from its start to its end.
///
/// Small writes are buffered, so the file may be incomplete until it is closed.
package struct OutputFile: ~Copyable, Sendable {
  /// The size from which writes are not buffered.
  private static let bufferCapacity = 1 << 16
  /// The largest number of bytes that one system call copies, because nothing can interrupt it.
  private static let copyChunk: Int64 = 1 << 26
  /// The number of bytes that are read at once if the kernel does not copy.
  private static let fallbackChunk: Int64 = 1 << 20

  /// The path, for messages.
  package let path: String
  /// The bytes written so far.
  package private(set) var byteCount: Int64 = 0
  private let descriptor: Descriptor
  private var buffer: [UInt8] = []

  /// The file, which has `byteCount` bytes and is at its end.
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

  /// Appends the bytes at `range` of `source`: copied by the kernel if they lie in a file, and if it can.
  ///
  /// `copied` is called with the size of each piece after it was copied.
  ///
  /// - Throws: `.endedEarly` if `source` has fewer bytes, `.file` with operation `write`, and errors of the source.
  package mutating func copy(
    from source: any ByteSource, range: Range<Int64>, _ copied: (Int64) -> Void = { _ in }
  ) throws(SourceError) {
    var range = range
    do throws(FileError) {
      switch source.backing {
      case .memory(let bytes):
        let part = bytes.dropFirst(Int(clamping: range.lowerBound)).prefix(range.count)
        guard part.count == range.count else { break }  // reading tells that the source ends early
        try write(unsafe part.span.bytes)  // every UInt8 is valid
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
  /// - Returns: the position up to which it has copied.
  private mutating func copyInKernel(
    from source: InputFile, _ range: Range<Int64>, _ copied: (Int64) -> Void
  ) throws(FileError) -> Int64 {
    try flush()
    var position = range.lowerBound
    let target = descriptor.number
    while position < range.upperBound {
      let count = Int(min(range.upperBound - position, Self.copyChunk))
      let done = try attempt(.write, path) { () throws(Errno) in
        try Platform.copyRange(
          from: source.descriptor.number, at: position, to: target, count: count)
      }
      // Some file systems return 0 before the end. Reading tells whether this is the end.
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
      let count = Int(min(range.upperBound - position, Self.fallbackChunk))
      let bytes = try source.bytes(at: position, count: count)
      guard bytes.count == count else {
        throw .endedEarly(source.name)
      }
      do throws(FileError) { try write(unsafe bytes.span.bytes) } catch { throw .file(error) }
      position += Int64(count)
      copied(Int64(count))
    }
  }

  /// Writes everything written so far to stable storage.
  ///
  /// - Throws: `FileError` with operation `write` or `synchronize`. It is then unknown what is on the disk,
  ///   and another attempt would not tell.
  package mutating func synchronize() throws(FileError) {
    try flush()
    let number = descriptor.number
    try attempt(.synchronize, path) { () throws(Errno) in try Platform.synchronize(number) }
  }

  /// Writes the buffer and closes the file.
  ///
  /// - Throws: `FileError` with operation `write`, also for errors that the system reports only now.
  package consuming func close() throws(FileError) {
    try flush()
    let path = path
    do throws(Errno) { try descriptor.close() } catch { throw FileError(.write, path, error) }
  }

  /// Writes the buffer and starts reading the same file, which must be open for both.
  ///
  /// - Parameter name: the path for messages, if it is not that of the output.
  /// - Returns: the same file, to be read.
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
      try unsafe buffer.span.bytes.withUnsafeBytes { bytes throws(Errno) in
        try unsafe POSIX.writeAll(number, bytes)
      }
    } catch {
      throw FileError(.write, path, error)
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
