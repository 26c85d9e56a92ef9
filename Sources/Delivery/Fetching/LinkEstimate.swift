import Synchronization

/// What requests to a store cost, as far as those have shown that were made.
struct LinkEstimate: Sendable {
  /// An answer with fewer bytes does not show how fast they come.
  private static let leastBytes: Int64 = 64 << 10

  /// A link on which processors are what a download waits for.
  private static let nearby = (roundTrip: Duration.milliseconds(2), bytesPerSecond: 50e6)

  /// The shortest time that a request has taken.
  private(set) var roundTrip: Duration?
  /// The highest rate at which an answer came; nil while none had enough bytes.
  private(set) var bytesPerSecond: Double?

  init() {}

  /// A link that is known.
  init(roundTrip: Duration, bytesPerSecond: Double) {
    self.roundTrip = roundTrip
    self.bytesPerSecond = bytesPerSecond
  }

  /// Notes that a request and its answer took so long.
  mutating func note(_ bytes: Int64, took time: Duration) {
    let shortest = min(roundTrip ?? time, time)
    roundTrip = shortest
    guard bytes >= Self.leastBytes, time > shortest else { return }
    bytesPerSecond = max(bytesPerSecond ?? 0, Double(bytes) / ((time - shortest) / .seconds(1)))
  }

  /// How many requests are to be under way at once, of at most `limit`. Where bytes come faster than they are decoded, more
  /// than two for each processor would only take turns.
  func connections(atMost limit: Int, processors: Int) -> Int {
    guard let roundTrip, let bytesPerSecond, roundTrip < Self.nearby.roundTrip,
      bytesPerSecond > Self.nearby.bytesPerSecond
    else { return limit }
    return min(limit, 2 * processors)
  }

  /// Whether a package is better read from its start to its end in one request than in those that a plan makes, of which
  /// so many go side by side; false while that cannot be told.
  ///
  /// Requests of a plan are received by several threads, so one must be cheaper by a good part to be worth it.
  func prefersWhole(_ packageBytes: Int64, to planBytes: Int64, requests: Int, connections: Int) -> Bool {
    guard let roundTrip, let bytesPerSecond, bytesPerSecond > 0 else { return false }
    let rounds = (requests + connections - 1) / max(1, connections)
    let parts = roundTrip * rounds + .seconds(Double(planBytes) / bytesPerSecond)
    let whole = roundTrip + .seconds(Double(packageBytes) / bytesPerSecond)
    return whole * 5 < parts * 4
  }
}

/// The estimate that all readers of a store share.
final class StoreLink: Sendable {
  private let state = Mutex(LinkEstimate())

  var estimate: LinkEstimate { state.withLock { $0 } }

  /// Does the work of a request, which returns how many bytes came.
  func timing<Value, E: Error>(_ work: () throws(E) -> Value, bytes: (Value) -> Int64) throws(E) -> Value {
    let start = ContinuousClock.now
    let value = try work()
    note(bytes(value), took: ContinuousClock.now - start)
    return value
  }

  /// As `LinkEstimate.note`.
  func note(_ bytes: Int64, took time: Duration) { state.withLock { $0.note(bytes, took: time) } }
}
