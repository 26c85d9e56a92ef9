#if canImport(Darwin)
  import Darwin  // untested
#elseif canImport(Musl)
  import Musl  // untested
#else
  import Glibc
#endif

/// A thread that works beside its owner; somebody must join it.
package struct BackgroundThread: @unchecked Sendable {
  private let thread: pthread_t

  /// Starts a thread that runs `body`; nil if the system grants none.
  package static func start(_ body: @escaping @Sendable () -> Void) -> BackgroundThread? {
    Platform.startThread(stackSize: WorkerPool.stackSize, body).map { BackgroundThread(thread: $0) }
  }

  /// Waits until it has ended.
  package func join() { Platform.join(thread) }
}
