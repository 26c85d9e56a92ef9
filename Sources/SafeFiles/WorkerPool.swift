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
}
