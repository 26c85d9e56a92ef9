import Delivery
import Foundation
import Support
import Synchronization

/// A queue that runs blocking work on its own threads, so that no task blocks the cooperative pool.
final class WorkQueue: Sendable {
  private struct Job {
    let id: Int
    let run: @Sendable () -> Void
    let cancel: @Sendable () -> Void
  }

  private struct State {
    var jobs: [Job] = []
    var nextID = 0
    var threadCount = 0
  }

  private let width: Int
  private let state = Mutex(State())

  /// Creates a queue of at most `width` threads, which exist only while there is work.
  init(width: Int) { self.width = width }

  /// Runs work in its turn, and suspends the task until the work ends.
  ///
  /// - Parameter work: The work, which may block its thread, and must end early once its `Cancellation` is cancelled.
  /// - Returns: The result of `work`.
  /// - Throws: `CancellationError` if the task is cancelled before or during the work; the errors of `work`.
  func run<Value: Sendable>(
    _ work: @escaping @Sendable (Cancellation) throws -> Value
  ) async throws -> Value {
    let cancellation = Cancellation()
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
        let job = Job(id: id) {
          continuation.resume(with: Result { try Self.perform(work, cancellation) })
        } cancel: {
          continuation.resume(throwing: CancellationError())
        }
        enqueue(job, unless: cancellation)
      }
    } onCancel: {
      cancellation.cancel()
      let waiting = state.withLock { state in
        state.jobs.firstIndex { $0.id == id }.map { state.jobs.remove(at: $0) }
      }
      waiting?.cancel()
    }
  }

  private static func perform<Value>(
    _ work: (Cancellation) throws -> Value, _ cancellation: Cancellation
  ) throws -> Value {
    do {
      return try work(cancellation)
    } catch is Interruption {
      throw CancellationError()
    } catch let error as StoreError where error.reason == .cancelled {
      throw CancellationError()
    }
  }

  /// Adds a job. Checks `cancellation` under the lock, because a cancellation before this call found no job to remove.
  private func enqueue(_ job: Job, unless cancellation: Cancellation) {
    enum Next { case cancelled, startThread, wait }
    let next = state.withLock { state -> Next in
      guard !cancellation.isCancelled else { return .cancelled }
      state.jobs.append(job)
      guard state.threadCount < width else { return .wait }
      state.threadCount += 1
      return .startThread
    }
    switch next {
    case .cancelled: job.cancel()
    case .startThread: startThread()
    case .wait: break
    }
  }

  private func startThread() {
    let thread = Thread { [self] in
      while let job = next() { job.run() }
    }
    thread.stackSize = WorkerPool.stackSize
    thread.start()
  }

  /// Returns the next job; nil if the thread must end.
  private func next() -> Job? {
    state.withLock { state in
      guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
      state.threadCount -= 1
      return nil
    }
  }
}
