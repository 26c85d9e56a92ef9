import ContentPackage
import SafeFiles
import Support
import Synchronization

/// The digest of a file, which is taken while something else is done with it: for a large package that takes seconds.
final class FileDigest: Sendable {
  private static let blockSize: Int64 = 1 << 20

  private let file: any ByteSource
  private let cancellation: Cancellation
  private let isStopped = Atomic(false)
  private let thread = Mutex<BackgroundThread?>(nil)
  private let result = Mutex<Result<SHA256Digest, any Error>?>(nil)

  init(of file: any ByteSource, _ cancellation: Cancellation) {
    self.file = file
    self.cancellation = cancellation
  }

  /// Begins on a thread of its own; without one `finish` does it all.
  func start() {
    let thread = BackgroundThread.start {
      let taken = self.take()
      self.result.withLock { $0 = taken }
    }
    self.thread.withLock { $0 = thread }
  }

  /// Waits for the digest.
  ///
  /// - Throws: `FileFailure`, `SourceError` if the file became shorter, `Interruption`.
  func finish() throws -> SHA256Digest {
    join()
    return try (result.withLock(\.self) ?? take()).get()
  }

  /// Ends the thread, if it is still at work; nothing is to be asked afterwards.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    join()
  }

  private func join() {
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    thread?.join()
  }

  private func take() -> Result<SHA256Digest, any Error> { Result { try digest() } }

  private func digest() throws -> SHA256Digest {
    var hasher = SHA256Hasher()
    var block = [UInt8](repeating: 0, count: Int(min(Self.blockSize, file.byteCount)))
    var position: Int64 = 0
    while position < file.byteCount, !isStopped.load(ordering: .relaxed) {
      try cancellation.check()
      let read = try file.read(at: position, into: &block, count: block.count)
      guard read > 0 else { throw SourceError.changed(file.name) }
      hasher.update(unsafe block.span.bytes.extracting(first: read))  // any UInt8 is a byte
      position += Int64(read)
    }
    return hasher.finish()
  }
}
