/// Calls somebody at intervals, on a thread of its own, while work is done.
package enum Ticker {
  private static let stackSize = 512 << 10

  /// Does `work`, and meanwhile calls `tick` once `delay` has passed and after every `interval` from then on.
  ///
  /// No call is under way any more when this returns. Where the system grants no thread there is none at all.
  package static func run<Result, E: Error>(
    after delay: Duration, every interval: Duration, _ tick: @escaping @Sendable () -> Void,
    during work: () throws(E) -> Result
  ) throws(E) -> Result {
    let isDone = Monitor(false)
    let thread = Platform.startThread(stackSize: stackSize) {
      var pause = delay
      while isDone.wait(atMost: pause, { $0 ? true : nil }) == nil {
        tick()
        pause = interval
      }
    }
    defer {
      isDone.update { $0 = true }
      if let thread { Platform.join(thread) }
    }
    return try work()
  }
}
