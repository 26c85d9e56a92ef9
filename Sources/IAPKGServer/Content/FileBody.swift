import Hummingbird
import NIOCore
import NIOPosix
import SafeFiles
import Synchronization

/// A range of a file as the body of a response. Only one block is in memory: the next is read after the connection has
/// accepted the previous one.
struct FileBody: Sendable {
  let file: InputFile
  let range: Range<Int64>
  /// The event loop of the connection.
  var eventLoop: (any EventLoop)?

  /// The block size if no large block is free, in bytes.
  static let blockSize = 64 << 10

  /// Writes the bytes in order, after `change` has modified them. `block` is the maximum block size, in bytes; nil to
  /// use large blocks while any are free. `offset` counts from the beginning of the range.
  ///
  /// - Throws: `ShortFile` if the file ends before the range does, `SourceError`, and errors of the writer. The
  ///   connection must then be closed.
  func write(
    to writer: inout any ResponseBodyWriter, block: Int? = nil,
    change: (inout ByteBuffer, _ offset: Int64) async throws -> Void = { _, _ in }
  ) async throws {
    let memory = BlockMemory()
    var position = range.lowerBound
    while position < range.upperBound {
      let left = range.upperBound - position
      let isLarge = block == nil && left > Int64(Self.blockSize) && LargeBlocks.shared.reserve()
      defer { if isLarge { LargeBlocks.shared.release() } }
      let size = isLarge ? LargeBlocks.size : block ?? Self.blockSize
      var buffer = try await read(at: position, count: Int(min(Int64(size), left)), memory)
      try await change(&buffer, position - range.lowerBound)
      position += Int64(buffer.readableBytes)
      try await writer.write(buffer)
      // `write` waits while the buffer of the connection is full, but detects a full buffer only after the event loop
      // has processed the previous block. Without the wait below, blocks accumulate in front of a busy event loop.
      try await eventLoop?.submit {}.get()
    }
  }

  private func read(at position: Int64, count: Int, _ memory: BlockMemory) async throws -> ByteBuffer {
    try await NIOThreadPool.singleton.runIfActive {
      try memory.buffer.withLock { buffer in
        buffer.clear(minimumCapacity: count)
        // The memory is uninitialized, because zeroing a block would cost half as much as reading it.
        let found = try unsafe buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
          var span = unsafe MutableRawSpan(
            _unsafeBytes: UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]))
          return try file.read(at: position, into: &span)
        }
        guard found == count else { throw ShortFile() }
        return buffer
      }
    }
  }
}

/// The memory for the blocks of one response. It is reused after the connection has released it.
private final class BlockMemory: Sendable {
  let buffer = Mutex(ByteBuffer())
}

/// The error of a file that became shorter while it was sent.
struct ShortFile: Error {}
