import CLibrary

/// A thread that its owner must join.
package struct BackgroundThread: @unchecked Sendable {
  private let thread: pthread_t

  /// Starts a thread that runs `body`; returns nil if the system provides no thread.
  package static func start(_ body: @escaping @Sendable () -> Void) -> BackgroundThread? {
    Platform.startThread(stackSize: WorkerPool.stackSize, body).map { BackgroundThread(thread: $0) }
  }

  /// Waits until the thread has ended.
  package func join() { Platform.join(thread) }
}
