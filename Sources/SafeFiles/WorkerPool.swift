import Synchronization

/// Threads of our own for work that blocks, which the cooperative pool is not for.
package enum WorkerPool {
  /// Room for the C libraries that run on it; only what is used takes memory.
  static let stackSize = 4 << 20

  /// How many threads keep the machine busy.
  package static var processorCount: Int { Platform.processorCount }

  /// How many threads work if so many are asked for, or if nobody says.
  package static func count(_ wanted: Int?) -> Int { max(1, wanted ?? processorCount) }

  /// Runs `body` with the numbers from 0 to `count` - 1 side by side, and returns when all have ended.
  ///
  /// Number 0 runs on the calling thread. Where the system grants fewer threads, fewer bodies run: they must
  /// take their work from a common source, and none may wait for another that need not have begun.
  package static func run(count: Int, _ body: @Sendable (Int) -> Void) {
    withoutActuallyEscaping(body) { body in
      let threads = (1..<max(1, count)).compactMap { number in
        Platform.startThread(stackSize: stackSize) { body(number) }
      }
      body(0)
      for thread in threads { Platform.join(thread) }
    }
  }

  /// Runs work for `0..<count` on `jobs` threads, each of which takes the next number when it is free.
  ///
  /// `makeWork` makes what does the work, for each thread its own.
  ///
  /// - Returns: all that the work returned, in no order.
  /// - Throws: the first error; nothing more is begun then, and no thread is left running.
  package static func collect<Output: Sendable>(
    count: Int, jobs: Int, makeWork: @Sendable () throws -> (Int) throws -> [Output]
  ) throws -> [Output] {
    let state = Mutex(Collection<Output>())
    run(count: min(jobs, count)) { _ in
      do {
        let work = try makeWork()
        while let number = state.withLock({ $0.claim(below: count) }) {
          let output = try work(number)
          if !output.isEmpty { state.withLock { $0.output += output } }
        }
      } catch {
        state.withLock { if $0.failure == nil { $0.failure = error } }
      }
    }
    return try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.output
    }
  }

  private struct Collection<Output> {
    private var next = 0
    var output: [Output] = []
    var failure: (any Error)?

    /// The next number that nobody has taken; nil at the end, or once something failed.
    mutating func claim(below count: Int) -> Int? {
      guard failure == nil, next < count else { return nil }
      next += 1
      return next - 1
    }
  }
}
