/// Work on many things by several threads, whose results are taken in order by one.
package enum OrderedWork {
  private struct State<Output> {
    /// The next thing that a worker begins.
    var begun = 0
    /// Results that wait for their turn.
    var results: [Int: Result<Output, any Error>] = [:]
    /// The weight of all that is begun and not yet taken.
    var weight = 0
    var stopped = false
  }

  /// Runs work for `0..<count` on `jobs` threads and `take` on this one, in order of the numbers.
  ///
  /// `makeWork` makes what does the work, for each thread its own.
  ///
  /// A thing has its `weight`, in any unit, from when it is begun until it is taken. No more than `capacity` is
  /// under way at once; a thing that is heavier than all of it goes alone.
  ///
  /// - Throws: the first error of `work`, in order, or of `take`; no thread is left running.
  package static func run<Output: Sendable>(
    count: Int, jobs: Int, capacity: Int, weight: @escaping @Sendable (Int) -> Int,
    makeWork: @escaping @Sendable () -> (Int) throws -> Output, take: (Int, Output) throws -> Void
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
    guard !threads.isEmpty else {  // the system grants none
      let work = makeWork()
      for index in 0..<count { try take(index, try work(index)) }
      return
    }
    defer {
      monitor.update { $0.stopped = true }
      for thread in threads { Platform.join(thread) }
    }
    for index in 0..<count {
      let result = monitor.wait { $0.results.removeValue(forKey: index) }
      try take(index, try result.get())
      monitor.update { $0.weight -= weight(index) }
    }
  }

  /// The next thing to work on, once there is room for it; nil when there is none left.
  private static func begin<Output>(
    _ monitor: Monitor<State<Output>>, _ count: Int, _ capacity: Int, _ weight: (Int) -> Int
  ) -> Int? {
    monitor.wait { state in
      guard !state.stopped, state.begun < count else { return .some(nil) }
      let next = weight(state.begun)
      guard state.weight == 0 || state.weight + next <= capacity else { return nil }
      state.weight += next
      state.begun += 1
      return state.begun - 1
    }
  }
}
