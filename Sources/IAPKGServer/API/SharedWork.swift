import Support
import Synchronization

/// Performs blocking work on background threads. All requests that wait for the work share its result.
///
/// Usually one thread works. If it makes no progress, for example because a store delays a response, another begins.
final class SharedWork: Sendable {
  private struct State {
    /// The number of the newest thread.
    var last: UInt64 = 0
    /// The number of the newest thread whose result was accepted.
    var accepted: UInt64 = 0
    /// The number of working threads.
    var count = 0
    /// The time at which a thread last began or progressed.
    var progressed = ContinuousClock.now
    var threads: [UInt64: BackgroundThread] = [:]
    /// The threads that have ended and must be joined.
    var ended: Set<UInt64> = []
    var waiting: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    var lastWaiting: UInt64 = 0

    /// Removes the threads that have ended, and returns them for the caller to join.
    mutating func removeEnded() -> [BackgroundThread] {
      let known = ended.filter { threads[$0] != nil }
      ended.subtract(known)
      return known.compactMap { threads.removeValue(forKey: $0) }
    }

    mutating func removeWaiting() -> [CheckedContinuation<Bool, Never>] {
      defer { waiting = [:] }
      return Array(waiting.values)
    }
  }

  /// The maximum number of threads. A delayed response occupies a thread until its request times out.
  private static let maximumCount = 8

  /// The time without progress after which another thread begins.
  private let stallTimeout: Duration
  private let state = Mutex(State())

  init(stallTimeout: Duration) { self.stallTimeout = stallTimeout }

  /// Begins the work, unless a thread already performs it and makes progress.
  ///
  /// - Parameters:
  ///   - work: The work, which blocks its thread.
  ///   - accept: Receives the result, unless the result of a newer thread was accepted before.
  func begin<Output: Sendable>(
    _ work: @escaping @Sendable () -> Output, accept: @escaping @Sendable (Output) -> Void
  ) {
    let (number, ended) = state.withLock { state -> (UInt64?, [BackgroundThread]) in
      let isDue = state.accepted == state.last || ContinuousClock.now - state.progressed >= stallTimeout
      guard isDue, state.count < Self.maximumCount else { return (nil, []) }
      state.count += 1
      state.last += 1
      state.progressed = .now
      return (state.last, state.removeEnded())
    }
    for thread in ended { thread.join() }
    guard let number else { return }
    let thread = BackgroundThread.start {
      let output = work()
      if self.isAccepted(number) { accept(output) }
      self.finish(number)
    }
    if let thread { state.withLock { $0.threads[number] = thread } } else { failWaiting(number) }
  }

  /// Begins the work if needed, and waits for a result.
  ///
  /// - Returns: Whether a result was accepted in time.
  func result<Output: Sendable>(
    within limit: Duration, of work: @escaping @Sendable () -> Output,
    accept: @escaping @Sendable (Output) -> Void
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      let waiter = state.withLock { state in
        state.lastWaiting += 1
        state.waiting[state.lastWaiting] = continuation
        return state.lastWaiting
      }
      begin(work, accept: accept)
      Task {
        try? await Task.sleep(for: limit)
        self.state.withLock { $0.waiting.removeValue(forKey: waiter) }?.resume(returning: false)
      }
    }
  }

  /// Records that the work progresses, so that no other thread begins.
  func noteProgress() { state.withLock { $0.progressed = .now } }

  /// Returns whether the result of a thread is accepted. The results of older threads are then no longer accepted.
  private func isAccepted(_ number: UInt64) -> Bool {
    state.withLock { state in
      guard number > state.accepted else { return false }
      state.accepted = number
      return true
    }
  }

  /// Records the end of a thread. If its result is the newest, resumes all waiting requests.
  private func finish(_ number: UInt64) {
    let waiting = state.withLock { state in
      state.count -= 1
      state.ended.insert(number)
      return state.accepted == number ? state.removeWaiting() : []
    }
    for continuation in waiting { continuation.resume(returning: true) }
  }

  /// Resumes all waiting requests if the system cannot start a thread.
  private func failWaiting(_ number: UInt64) {
    let waiting = state.withLock { state in
      state.count -= 1
      // No thread has this number. If it remained the last, the next call of `begin` would wait for its result.
      if state.last == number { state.last -= 1 }
      return state.removeWaiting()
    }
    for continuation in waiting { continuation.resume(returning: false) }
  }
}
