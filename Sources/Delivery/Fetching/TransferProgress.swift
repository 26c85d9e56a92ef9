package import ContentPackage
public import Support
import Synchronization

/// How far the transfers of some products are, for whoever shows that. The threads that transfer update it, and any other
/// thread can read it at any time.
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
  ///   - pauseRequest: pauses the transfers.
  ///   - onChange: hears of each change of a state, on the thread that makes it.
  public init(
    pausedBy pauseRequest: PauseRequest = PauseRequest(),
    onChange: @escaping @Sendable (ProductTransfer) -> Void = { _ in }
  ) {
    self.pauseRequest = pauseRequest
    self.onChange = onChange
    pauseRequest.observe { [weak self] in self?.notePause() }
  }

  /// All transfers, in the order in which they were asked for.
  public var transfers: [ProductTransfer] {
    entries.withLock { entries in entries.indices.map { current(&entries[$0]) } }
  }

  /// Runs `work`, and calls `watch` with all transfers at intervals on a thread of its own.
  ///
  /// - Parameters:
  ///   - interval: the time between two calls.
  ///   - delay: the time before the first call. Shorter work has none.
  ///   - watch: receives the transfers; no call is running when this returns.
  ///   - work: the work that transfers.
  /// - Returns: the result of `work`.
  /// - Throws: the errors of `work`.
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

  /// There are these transfers, which wait.
  package func add(_ products: [ProductIdentifier]) {
    for product in products { change(product) { $0.state = .waiting } }
  }

  /// A transfer begins, whose bytes are counted by `meter`.
  func begin(_ product: ProductIdentifier, counting meter: TransferMeter) {
    change(product) { entry in
      entry.state = .active
      entry.meter = meter
      entry.rate = RateEstimate(meter.bytes, at: now)
    }
  }

  /// It is known what is to come: `rest` bytes more than have come already.
  func plan(_ product: ProductIdentifier, rest: Int64, reusing reusedBytes: Int64) {
    change(product) { entry in
      entry.totalBytes = (entry.meter?.bytes ?? 0) + rest
      entry.reusedBytes = reusedBytes
    }
  }

  /// What counts the bytes of a transfer; nil if it has not begun.
  package func meter(of product: ProductIdentifier) -> TransferMeter? {
    entries.withLock { entries in entries.first { $0.product == product }?.meter }
  }

  /// A transfer has ended.
  package func end(_ product: ProductIdentifier, _ state: ProductTransfer.State) {
    change(product) { $0.state = state }
  }

  /// Nothing more is begun or goes on.
  package func cancel() {
    for product in entries.withLock({ $0.filter { !$0.state.isEnd }.map(\.product) }) {
      end(product, .cancelled)
    }
  }

  /// Does the work for a product, and notes how it ends.
  ///
  /// - Throws: what `work` throws.
  package func following<Value>(_ product: ProductIdentifier, _ work: () throws -> Value) throws -> Value {
    do {
      let value = try work()
      end(product, .finished)
      return value
    } catch {
      let isCancelled = error is Interruption || (error as? StoreError)?.reason == .cancelled
      end(product, isCancelled ? .cancelled : .failed)
      throw error
    }
  }

  private var now: Duration { ContinuousClock.now - start }

  /// Changes an entry, which is made if need be, and tells of a new state.
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

  /// What begins to be paused, or is not any more.
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
