import Support
import Synchronization

/// A transaction that waits for a thread of a database.
protocol LedgerJob: Sendable {
  /// The time by which the transaction must end; nil if it has no limit.
  var deadline: ContinuousClock.Instant? { get }

  /// Runs the transaction's statements.
  func run(on connection: any LedgerConnection) throws(LedgerError)

  /// Delivers the output of the last run, or an error, to the waiting task. Must be called once.
  func finish(_ error: LedgerError?)
}

extension LedgerJob {
  /// Returns whether the deadline has passed.
  func isOverdue(at time: ContinuousClock.Instant = .now) -> Bool { deadline.map { $0 <= time } ?? false }
}

/// A transaction and the task that waits for it.
final class WaitingJob<Output: Sendable>: LedgerJob {
  typealias Body = @Sendable (any LedgerConnection) throws(LedgerError) -> Output

  let deadline: ContinuousClock.Instant?
  private let body: Body
  private let output = Mutex<Output?>(nil)
  private let continuation: CheckedContinuation<Result<Output, LedgerError>, Never>

  init(
    within limit: Duration?, _ body: @escaping Body,
    _ continuation: CheckedContinuation<Result<Output, LedgerError>, Never>
  ) {
    deadline = limit.map { .now + $0 }
    self.body = body
    self.continuation = continuation
  }

  func run(on connection: any LedgerConnection) throws(LedgerError) {
    let result = try body(connection)
    output.withLock { $0 = result }
  }

  func finish(_ error: LedgerError?) {
    let output = output.withLock(\.self)
    if let output, error == nil {
      continuation.resume(returning: .success(output))
    } else {
      continuation.resume(returning: .failure(error ?? .unavailable(reason: "it did not run the request")))
    }
  }
}

/// The queue of transactions for the threads of a database.
final class LedgerJobs: Sendable {
  private struct State {
    var waiting: [any LedgerJob] = []
    var isClosed = false
  }

  private let state = Monitor(State())

  /// Queues a transaction and waits for its output.
  func perform<Output>(
    within limit: Duration?, _ body: @escaping WaitingJob<Output>.Body
  ) async throws(LedgerError) -> Output {
    try await withCheckedContinuation { continuation in
      add(WaitingJob(within: limit, body, continuation))
    }.get()
  }

  private func add(_ job: any LedgerJob) {
    let reason: String? = state.update { state in
      if state.isClosed { return "it is closing" }
      if state.waiting.count >= LedgerLimits.maximumWaitingJobCount {
        return "too many requests are waiting for it"
      }
      state.waiting.append(job)
      return nil
    }
    if let reason { job.finish(.unavailable(reason: reason)) }
  }

  /// Waits for transactions and removes the oldest from the queue. Transactions past their deadline fail.
  ///
  /// - Returns: At least one transaction; nil once the queue is closed and empty.
  func next(atMost count: Int) -> [any LedgerJob]? {
    while true {
      let batch = state.wait { state -> [any LedgerJob]? in
        guard !state.waiting.isEmpty || state.isClosed else { return nil }
        let batch = Array(state.waiting.prefix(count))
        state.waiting.removeFirst(batch.count)
        return batch
      }
      guard !batch.isEmpty else { return nil }
      let now = ContinuousClock.now
      let overdue = batch.filter { $0.isOverdue(at: now) }
      for job in overdue { job.finish(.late) }
      if overdue.count < batch.count { return batch.filter { !$0.isOverdue(at: now) } }
    }
  }

  /// Closes the queue. The threads end after the waiting transactions.
  func close() { state.update { $0.isClosed = true } }
}
