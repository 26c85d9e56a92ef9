package import ContentPackage
public import Support
import Synchronization

/// The progress of the transfers of several products. Transferring threads update it; any thread can read it at any
/// time.
///
/// ```swift
/// let pauseRequest = PauseRequest()  // call pause() and resume() from any thread
/// let transfers = TransferProgress(pausedBy: pauseRequest) { transfer in
///   print(transfer.product, transfer.state)  // each change of a state
/// }
/// let fetcher = try ReleaseFetcher(from: store, installer: installer, transfers: transfers)
/// ```
public final class TransferProgress: Sendable {
  private struct Entry {
    let product: ProductIdentifier
    var state = ProductTransfer.State.waiting
    var meter: TransferMeter?
    var totalBytes: Int64 = 0
    var reusedBytes: Int64 = 0
    var rate = RateEstimate(0, at: .zero)
  }

  private struct State {
    var entries: [Entry] = []
    /// The changes that the observer has not received, in their order.
    var reports: [ProductTransfer] = []
    /// Whether a call is passing the reports to the observer.
    var isReporting = false

    /// Removes the next report and returns it. Without a report, ends the reporting and returns nil.
    mutating func nextReport() -> ProductTransfer? {
      isReporting = !reports.isEmpty
      return isReporting ? reports.removeFirst() : nil
    }
  }

  /// Pauses the transfers.
  public let pauseRequest: PauseRequest
  private let start = ContinuousClock.now
  private let state = Mutex(State())
  private let onChange: @Sendable (ProductTransfer) -> Void

  /// Creates the progress of transfers that have not begun.
  ///
  /// - Parameters:
  ///   - pauseRequest: Pauses the transfers.
  ///   - onChange: Receives the changes of states one at a time and in their order, on the thread that causes them or
  ///     that is reporting an earlier change.
  public init(
    pausedBy pauseRequest: PauseRequest = PauseRequest(),
    onChange: @escaping @Sendable (ProductTransfer) -> Void = { _ in }
  ) {
    self.pauseRequest = pauseRequest
    self.onChange = onChange
    pauseRequest.observe { [weak self] in self?.reportPause() }
  }

  /// All transfers, in the order of the requests.
  public var transfers: [ProductTransfer] {
    state.withLock { state in state.entries.indices.map { current(&state.entries[$0]) } }
  }

  /// Runs `work`, and calls `watch` with all transfers at intervals on a separate thread.
  ///
  /// - Parameters:
  ///   - interval: The time between two calls.
  ///   - delay: The time before the first call; shorter work causes no call.
  ///   - watch: Receives the transfers; its last call ends before this method returns.
  ///   - work: The work that transfers.
  /// - Returns: The result of `work`.
  /// - Throws: The errors of `work`.
  public func watched<Result, E: Error>(
    every interval: Duration = .milliseconds(500), after delay: Duration = .zero,
    by watch: @escaping @Sendable ([ProductTransfer]) -> Void, during work: () throws(E) -> Result
  ) throws(E) -> Result {
    try Ticker.run(after: delay, every: interval) {
      watch(self.transfers)
    } during: { () throws(E) in
      try work()
    }
  }

  /// Adds transfers in the state `waiting`.
  package func add(_ products: [ProductIdentifier]) {
    for product in products { change(product) { $0 = Entry(product: product) } }
  }

  /// Starts a transfer; `meter` counts its bytes.
  func begin(_ product: ProductIdentifier, counting meter: TransferMeter) {
    change(product) { entry in
      entry.state = .active
      entry.meter = meter
      entry.rate = RateEstimate(meter.bytes, at: now)
    }
  }

  /// Sets the expected total to the bytes received so far plus `remainingBytes`.
  func plan(_ product: ProductIdentifier, remainingBytes: Int64, reusing reusedBytes: Int64) {
    change(product) { entry in
      entry.totalBytes = (entry.meter?.bytes ?? 0) + remainingBytes
      entry.reusedBytes = reusedBytes
    }
  }

  /// Sets the reused bytes to 0, for a version that was already installed.
  func reuseNothing(_ product: ProductIdentifier) { change(product) { $0.reusedBytes = 0 } }

  /// Returns the meter of a transfer; nil if it has not begun.
  package func meter(of product: ProductIdentifier) -> TransferMeter? {
    state.withLock { state in state.entries.first { $0.product == product }?.meter }
  }

  /// Ends the work for a transfer in the given state.
  package func end(_ product: ProductIdentifier, _ state: ProductTransfer.State) {
    change(product) { $0.state = state }
  }

  /// Cancels all transfers that have not ended.
  package func cancel() {
    state.withLock { state in
      for index in state.entries.indices where !state.entries[index].state.isEnd {
        state.entries[index].state = .cancelled
        state.reports.append(current(&state.entries[index]))
      }
    }
    report()
  }

  /// Reports the transfers that receive bytes again, in order with the changes of states.
  package func reportActive() {
    state.withLock { state in
      for index in state.entries.indices {
        let transfer = current(&state.entries[index])
        if transfer.state == .active { state.reports.append(transfer) }
      }
    }
    report()
  }

  /// Performs the work for a product and records the state at its end.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - state: Returns the state if `work` throws no error.
  ///   - work: The work.
  /// - Returns: The result of `work`.
  /// - Throws: The errors of `work`.
  package func tracking<Value>(
    _ product: ProductIdentifier, endingIn state: (Value) -> ProductTransfer.State = { _ in .finished },
    _ work: () throws -> Value
  ) throws -> Value {
    do {
      let value = try work()
      end(product, state(value))
      return value
    } catch {
      let isCancelled = error is Interruption || (error as? StoreError)?.reason == .cancelled
      end(product, isCancelled ? .cancelled : .failed)
      throw error
    }
  }

  /// Performs the work for a product and records its final state: `finished` if `isSuccess` returns true for the result.
  ///
  /// - Throws: The errors of `work`.
  package func tracking<Value>(
    _ product: ProductIdentifier, succeedingIf isSuccess: (Value) -> Bool, _ work: () throws -> Value
  ) throws -> Value {
    try tracking(product, endingIn: { isSuccess($0) ? .finished : .failed }, work)
  }

  private var now: Duration { ContinuousClock.now - start }

  /// Changes an entry, creating it if necessary, and reports a new state.
  private func change(_ product: ProductIdentifier, _ body: (inout Entry) -> Void) {
    state.withLock { state in
      let index = state.entries.firstIndex { $0.product == product } ?? state.entries.endIndex
      let isNew = index == state.entries.endIndex
      if isNew { state.entries.append(Entry(product: product)) }
      let before = state.entries[index].state
      body(&state.entries[index])
      guard isNew || state.entries[index].state != before else { return }
      state.reports.append(current(&state.entries[index]))
    }
    report()
  }

  /// Reports the active transfers, after a pause has begun or ended.
  private func reportPause() {
    state.withLock { state in
      for index in state.entries.indices where state.entries[index].state == .active {
        state.entries[index].rate = RateEstimate(state.entries[index].meter?.bytes ?? 0, at: now)
        state.reports.append(current(&state.entries[index]))
      }
    }
    report()
  }

  /// Passes the reports to the observer, unless another call is doing so, which then passes them all. The lock is free
  /// meanwhile, so the observer may read, pause and resume the transfers.
  private func report() {
    let isFirst = state.withLock { state in
      defer { state.isReporting = true }
      return !state.isReporting
    }
    guard isFirst else { return }
    while let transfer = state.withLock({ $0.nextReport() }) { onChange(transfer) }
  }

  private func current(_ entry: inout Entry) -> ProductTransfer {
    let bytes = entry.meter?.bytes ?? 0
    let isPaused = entry.state == .active && pauseRequest.isPaused
    if entry.state == .active, !isPaused { entry.rate.record(bytes, at: now) }
    return ProductTransfer(
      product: entry.product, state: isPaused ? .paused : entry.state, bytes: bytes,
      totalBytes: entry.totalBytes == 0 ? 0 : max(entry.totalBytes, bytes),
      bytesPerSecond: entry.state == .active && !isPaused ? Int64(entry.rate.bytesPerSecond) : 0,
      reusedBytes: entry.reusedBytes)
  }
}
