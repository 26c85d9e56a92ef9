import Hummingbird
import NIOCore
import NIOPosix
import SafeFiles
import Synchronization

/// Some bytes of a file as the body of an answer. One block is in memory at a time: the next is read when the
/// connection has taken the one before.
struct FileBody: Sendable {
  let file: InputFile
  let range: Range<Int64>
  /// Where the connection is written to.
  var eventLoop: (any EventLoop)?

  /// How much is read at once if no large block is free, in bytes.
  static let blockSize = 64 << 10

  /// Writes the bytes in order, in blocks of at most `block` bytes if given, each as `change` makes it.
  ///
  /// - Throws: `ShortFile` if the file ends before the range does, `SourceError`, and what writing throws; the
  ///   connection cannot go on then.
  func write(
    to writer: inout any ResponseBodyWriter, block: Int? = nil,
    change: (inout ByteBuffer, _ offset: Int64) async throws -> Void = { _, _ in }
  ) async throws {
    let memory = BlockMemory()
    var position = range.lowerBound
    while position < range.upperBound {
      let left = range.upperBound - position
      let isLarge = block == nil && left > Int64(Self.blockSize) && LargeBlocks.shared.take()
      defer { if isLarge { LargeBlocks.shared.giveBack() } }
      let size = isLarge ? LargeBlocks.size : block ?? Self.blockSize
      var buffer = try await read(at: position, count: Int(min(Int64(size), left)), memory)
      try await change(&buffer, position - range.lowerBound)
      position += Int64(buffer.readableBytes)
      try await writer.write(buffer)
      // Writing waits while the connection takes no more, but learns of that only once its event loop has come to the
      // block before; without this, blocks pile up in front of a busy event loop.
      try await eventLoop?.submit {}.get()
    }
  }

  private func read(at position: Int64, count: Int, _ memory: BlockMemory) async throws -> ByteBuffer {
    try await NIOThreadPool.singleton.runIfActive {
      try memory.buffer.withLock { buffer in
        buffer.clear(minimumCapacity: count)
        // Zeroing a block would cost half as much as reading it.
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

/// The memory of the blocks of one answer, which is used again as soon as the connection has let go of it.
private final class BlockMemory: Sendable {
  let buffer = Mutex(ByteBuffer())
}

/// A file that became shorter while it was sent.
struct ShortFile: Error {}
