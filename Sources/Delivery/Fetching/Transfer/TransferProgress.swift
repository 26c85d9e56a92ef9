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

  /// Pauses the transfers.
  public let pauseRequest: PauseRequest
  private let start = ContinuousClock.now
  private let entries = Mutex<[Entry]>([])
  private let onChange: @Sendable (ProductTransfer) -> Void

  /// Creates the progress of transfers that have not begun.
  ///
  /// - Parameters:
  ///   - pauseRequest: Pauses the transfers.
  ///   - onChange: Receives each change of a state, on the thread that causes it.
  public init(
    pausedBy pauseRequest: PauseRequest = PauseRequest(),
    onChange: @escaping @Sendable (ProductTransfer) -> Void = { _ in }
  ) {
    self.pauseRequest = pauseRequest
    self.onChange = onChange
    pauseRequest.observe { [weak self] in self?.notePause() }
  }

  /// All transfers, in the order of the requests.
  public var transfers: [ProductTransfer] {
    entries.withLock { entries in entries.indices.map { current(&entries[$0]) } }
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

  /// Sets the expected total to the bytes received so far and `rest` more.
  func plan(_ product: ProductIdentifier, rest: Int64, reusing reusedBytes: Int64) {
    change(product) { entry in
      entry.totalBytes = (entry.meter?.bytes ?? 0) + rest
      entry.reusedBytes = reusedBytes
    }
  }

  /// Returns the meter of a transfer; nil if it has not begun.
  package func meter(of product: ProductIdentifier) -> TransferMeter? {
    entries.withLock { entries in entries.first { $0.product == product }?.meter }
  }

  /// Ends a transfer in the given final state.
  package func end(_ product: ProductIdentifier, _ state: ProductTransfer.State) {
    change(product) { $0.state = state }
  }

  /// Cancels all transfers that have not ended.
  package func cancel() {
    for product in entries.withLock({ $0.filter { !$0.state.isEnd }.map(\.product) }) {
      end(product, .cancelled)
    }
  }

  /// Performs the work for a product and records its final state.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - isSuccess: Returns whether the product is installed, if `work` throws no error.
  ///   - work: The work.
  /// - Returns: The result of `work`.
  /// - Throws: The errors of `work`.
  package func following<Value>(
    _ product: ProductIdentifier, succeedingIf isSuccess: (Value) -> Bool = { _ in true },
    _ work: () throws -> Value
  ) throws -> Value {
    do {
      let value = try work()
      end(product, isSuccess(value) ? .finished : .failed)
      return value
    } catch {
      let isCancelled = error is Interruption || (error as? StoreError)?.reason == .cancelled
      end(product, isCancelled ? .cancelled : .failed)
      throw error
    }
  }

  private var now: Duration { ContinuousClock.now - start }

  /// Changes an entry, creating it if necessary, and reports a new state.
  private func change(_ product: ProductIdentifier, _ body: (inout Entry) -> Void) {
    let changed = entries.withLock { entries -> ProductTransfer? in
      let index = entries.firstIndex { $0.product == product } ?? entries.endIndex
      let isNew = index == entries.endIndex
      if isNew { entries.append(Entry(product: product)) }
      let before = entries[index].state
      body(&entries[index])
      return isNew || entries[index].state != before ? current(&entries[index]) : nil
    }
    if let changed { onChange(changed) }
  }

  /// Reports the active transfers, after a pause has begun or ended.
  private func notePause() {
    let changed = entries.withLock { entries in
      entries.indices.filter { entries[$0].state == .active }.map { index in
        entries[index].rate = RateEstimate(entries[index].meter?.bytes ?? 0, at: now)
        return current(&entries[index])
      }
    }
    changed.forEach(onChange)
  }

  private func current(_ entry: inout Entry) -> ProductTransfer {
    let bytes = entry.meter?.bytes ?? 0
    let isPaused = entry.state == .active && pauseRequest.isPaused
    if entry.state == .active, !isPaused { entry.rate.note(bytes, at: now) }
    return ProductTransfer(
      product: entry.product, state: isPaused ? .paused : entry.state, bytes: bytes,
      totalBytes: entry.totalBytes == 0 ? 0 : max(entry.totalBytes, bytes),
      bytesPerSecond: entry.state == .active && !isPaused ? Int64(entry.rate.bytesPerSecond) : 0,
      reusedBytes: entry.reusedBytes)
  }
}
