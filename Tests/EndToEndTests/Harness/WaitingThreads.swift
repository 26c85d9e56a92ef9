import Support
import TestSupport
import Testing

/// Runs the tests of a suite on threads that may block, waiting for another program, a disk or a server. The
/// cooperative pool has only as many threads as there are processors.
struct WaitingThreads: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Pool.shared) { try await function() }
  }

  /// Threads that run until the process ends.
  private final class Pool: TaskExecutor {
    static let shared = Pool()
    /// Enough to keep the processors busy while most of the threads wait.
    private static let count = 8

    private let jobs = Monitor<[UnownedJob]>([])

    private init() {
      for _ in 0..<Self.count { _ = BackgroundThread.start { [self] in work() } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      jobs.update { $0.append(job) }
    }

    private func work() -> Never {
      while true {
        unsafe jobs.wait { $0.isEmpty ? nil : $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }
}

extension Trait where Self == WaitingThreads {
  /// The trait for tests that block.
  static var waiting: Self { Self() }
}
