import Synchronization

/// Threads for blocking work, for which the cooperative pool is unsuitable.
package enum WorkerPool {
  /// The stack size that the C libraries need, in bytes. Only the used part takes memory.
  package static let stackSize = 4 << 20

  /// The default number of threads: the number of processors that the process may use.
  package static var processorCount: Int { Platform.processorCount }

  /// Returns the requested number of threads, at least 1, or the default.
  package static func count(_ wanted: Int?) -> Int { max(1, wanted ?? processorCount) }

  /// Calls `body` with the numbers from 0 to `count` - 1 concurrently, and returns when all calls have ended.
  ///
  /// Number 0 runs on the calling thread. If the system provides fewer threads, there are fewer calls. The calls must
  /// therefore take their work from a common source, and must not wait for each other.
  package static func run(count: Int, _ body: @Sendable (Int) -> Void) {
    withoutActuallyEscaping(body) { body in
      let threads = (1..<max(1, count)).compactMap { number in
        Platform.startThread(stackSize: stackSize) { body(number) }
      }
      body(0)
      for thread in threads { Platform.join(thread) }
    }
  }

  /// Runs work for `0..<count` on `jobs` threads. Each thread takes the next index when it is free.
  ///
  /// `makeWork` creates the worker of each thread.
  ///
  /// - Returns: The results, in no particular order.
  /// - Throws: The first error. No further work is started then, and no thread is left running.
  package static func collect<Output: Sendable>(
    count: Int, jobs: Int, makeWork: @Sendable () throws -> (Int) throws -> [Output]
  ) throws -> [Output] {
    let state = Mutex(Collection<Output>())
    run(count: min(jobs, count)) { _ in
      do {
        let work = try makeWork()
        while let index = state.withLock({ $0.claim(below: count) }) {
          let output = try work(index)
          if !output.isEmpty { state.withLock { $0.output += output } }
        }
      } catch {
        state.withLock { if $0.error == nil { $0.error = error } }
      }
    }
    return try state.withLock { state in
      if let error = state.error { throw error }
      return state.output
    }
  }

  /// Runs work like `collect`, without results.
  ///
  /// - Throws: The first error. No further work is started then, and no thread is left running.
  package static func forEach(
    count: Int, jobs: Int, makeWork: @Sendable () throws -> (Int) throws -> Void
  ) throws {
    let _: [Never] = try collect(count: count, jobs: jobs) {
      let work = try makeWork()
      return {
        try work($0)
        return []
      }
    }
  }

  /// Runs `second` on a separate thread while `first` runs, or after `first` if `jobs` is 1 or there is no thread.
  ///
  /// - Throws: The error of `first`, or else that of `second`. No thread is left running.
  package static func both<First, Second: Sendable>(
    jobs: Int, _ first: () throws -> First, and second: @escaping @Sendable () throws -> Second
  ) throws -> (First, Second) {
    let done = Mutex<Result<Second, any Error>?>(nil)
    let result: Result<First, any Error>
    if jobs > 1, let thread = BackgroundThread.start({ done.withLock { $0 = Result(catching: second) } }) {
      result = Result(catching: first)
      thread.join()
    } else {
      result = Result(catching: first)
    }
    let output = try result.get()
    return (output, try (done.withLock(\.self) ?? Result(catching: second)).get())
  }

  private struct Collection<Output> {
    private var next = 0
    var output: [Output] = []
    var error: (any Error)?

    /// Returns the next unclaimed index; nil at the end or after an error.
    mutating func claim(below count: Int) -> Int? {
      guard error == nil, next < count else { return nil }
      next += 1
      return next - 1
    }
  }
}
