import SystemPackage

/// A file that is being written, from its start to its end.
///
/// Small writes are gathered; what was not closed may be incomplete.
package struct OutputFile: ~Copyable, Sendable {
  /// Writes of this size and more go straight to the system.
  private static let bufferCapacity = 1 << 16
  /// The most that one call to the kernel copies, since nothing interrupts it.
  private static let copyChunk: Int64 = 1 << 26
  /// The bytes read at once where the kernel does not copy.
  private static let fallbackChunk: Int64 = 1 << 20

  /// The path, for messages.
  package let path: String
  /// The bytes written so far.
  package private(set) var byteCount: Int64 = 0
  private let descriptor: Descriptor
  private var buffer: [UInt8] = []

  init(owning descriptor: consuming Descriptor, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Appends `bytes`.
  ///
  /// - Throws: `FileFailure` with operation `write`.
  package mutating func write(_ bytes: RawSpan) throws(FileFailure) {
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

  /// Appends the bytes at `range` of `source`, through the kernel where that is possible.
  ///
  /// - Throws: `FileFailure` with operation `read` if `source` has not so many bytes, or `write`.
  package mutating func copy(from source: InputFile, range: Range<Int64>) throws(FileFailure) {
    try flush()
    var position = range.lowerBound
    let target = descriptor.number
    while position < range.upperBound {
      let count = Int(min(range.upperBound - position, Self.copyChunk))
      let copied = try attempt(.write, path) { () throws(Errno) in
        try Platform.copyRange(
          from: source.descriptor.number, at: position, to: target, count: count)
      }
      // Some file systems answer 0 before the end; reading tells which it is.
      guard let copied, copied > 0 else { return try readAndWrite(source, position..<range.upperBound) }
      position += Int64(copied)
      byteCount += Int64(copied)
    }
  }

  private mutating func readAndWrite(_ source: InputFile, _ range: Range<Int64>) throws(FileFailure) {
    var position = range.lowerBound
    while position < range.upperBound {
      let count = Int(min(range.upperBound - position, Self.fallbackChunk))
      let bytes = try source.bytes(at: position, count: count)
      guard bytes.count == count else {
        throw FileFailure(.read, source.path, .ioError, detail: "it became shorter while it was read")
      }
      try write(unsafe bytes.span.bytes)  // any UInt8 is a byte
      position += Int64(count)
    }
  }

  /// Brings everything written so far to stable storage.
  ///
  /// - Throws: `FileFailure` with operation `write` or `synchronize`; what is on disk is then unknown, and
  ///   asking again would not tell.
  package mutating func synchronize() throws(FileFailure) {
    try flush()
    let number = descriptor.number
    try attempt(.synchronize, path) { () throws(Errno) in try Platform.synchronize(number) }
  }

  /// Writes what is left and closes.
  ///
  /// - Throws: `FileFailure` with operation `write`, also for what the system reports only now.
  package consuming func close() throws(FileFailure) {
    try flush()
    let path = path
    do throws(Errno) { try descriptor.close() } catch { throw FileFailure(.write, path, error) }
  }

  /// Writes what is left and turns to reading the same file, which must be open for both.
  consuming func reopenedForReading() throws(FileFailure) -> InputFile {
    try flush()
    let path = path
    return try InputFile.checked(descriptor, path: path)
  }

  private mutating func flush() throws(FileFailure) {
    guard !buffer.isEmpty else { return }
    let number = descriptor.number
    do throws(Errno) {
      try unsafe buffer.span.bytes.withUnsafeBytes { bytes throws(Errno) in
        try unsafe POSIX.writeAll(number, bytes)
      }
    } catch {
      throw FileFailure(.write, path, error)
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
