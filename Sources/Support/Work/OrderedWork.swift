/// Work of several threads on many items, with results that one thread receives in order.
package enum OrderedWork {
  private struct State<Output> {
    /// The number of started items, which is the index of the next item.
    var startedCount = 0
    /// Results that cannot be delivered in order yet.
    var results: [Int: Result<Output, any Error>] = [:]
    /// The total weight of the started items whose results `receive` has not processed.
    var weight = 0
    var isStopped = false
  }

  /// Runs work for `0..<count` on `jobs` threads, and calls `receive` with the results on this thread, in order.
  ///
  /// `makeWork` creates the worker of each thread.
  ///
  /// An item occupies its `weight`, in any unit, from its start until `receive` returns. The total weight exceeds
  /// `capacity` only for a single heavier item.
  ///
  /// - Throws: The first error, in order, of `work` or `receive`. No thread is left running.
  package static func run<Output: Sendable>(
    count: Int, jobs: Int, capacity: Int, weight: @escaping @Sendable (Int) -> Int,
    makeWork: @escaping @Sendable () -> (Int) throws -> Output, receive: (Int, Output) throws -> Void
  ) throws {
    let monitor = Monitor(State<Output>())
    let threads = (0..<min(jobs, count)).compactMap { _ in
      Platform.startThread(stackSize: WorkerPool.stackSize) {
        let work = makeWork()
        while let index = begin(monitor, count, capacity, weight) {
          let result = Result { try work(index) }
          monitor.update { $0.results[index] = result }
        }
      }
    }
    guard !threads.isEmpty else {  // the system provides no thread
      let work = makeWork()
      for index in 0..<count { try receive(index, try work(index)) }
      return
    }
    defer {
      monitor.update { $0.isStopped = true }
      for thread in threads { Platform.join(thread) }
    }
    for index in 0..<count {
      let result = monitor.wait { $0.results.removeValue(forKey: index) }
      try receive(index, try result.get())
      monitor.update { $0.weight -= weight(index) }
    }
  }

  /// Waits until the weight of the next item fits, and returns the item; nil if there is none left.
  private static func begin<Output>(
    _ monitor: Monitor<State<Output>>, _ count: Int, _ capacity: Int, _ weight: (Int) -> Int
  ) -> Int? {
    monitor.wait { state in
      guard !state.isStopped, state.startedCount < count else { return .some(nil) }
      let next = weight(state.startedCount)
      guard state.weight == 0 || state.weight + next <= capacity else { return nil }
      state.weight += next
      state.startedCount += 1
      return state.startedCount - 1
    }
  }
}
