/// Periodic calls on a separate thread during work.
package enum Ticker {
  private static let stackSize = 512 << 10

  /// Runs `work` and meanwhile calls `tick` after `delay` and then after every `interval`.
  ///
  /// No call of `tick` is running when `run` returns. If the system provides no thread, there are no calls.
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
