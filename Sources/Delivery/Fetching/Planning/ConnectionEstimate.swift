import Synchronization

/// An estimate of the latency and the throughput of a store, from the requests made so far.
struct ConnectionEstimate: Sendable {
  /// The minimum size in bytes of a response that contributes to the throughput: latency dominates shorter responses.
  private static let minimumByteCount: Int64 = 64 << 10

  /// A connection fast enough for decoding to be the bottleneck.
  private static let fastConnection = (roundTrip: Duration.milliseconds(2), bytesPerSecond: 50e6)

  /// The shortest time that a request took.
  private(set) var roundTrip: Duration?
  /// The highest rate of a response; nil before the first response of at least `minimumByteCount`.
  private(set) var bytesPerSecond: Double?

  init() {}

  /// Creates an estimate with known values.
  init(roundTrip: Duration, bytesPerSecond: Double) {
    self.roundTrip = roundTrip
    self.bytesPerSecond = bytesPerSecond
  }

  /// Records the size and the duration of one request.
  mutating func record(_ bytes: Int64, took time: Duration) {
    let shortest = min(roundTrip ?? time, time)
    roundTrip = shortest
    guard bytes >= Self.minimumByteCount, time > shortest else { return }
    bytesPerSecond = max(bytesPerSecond ?? 0, Double(bytes) / ((time - shortest) / .seconds(1)))
  }

  /// Returns the number of concurrent requests, at most `limit`. On a connection faster than the decoder, it is at most
  /// two for each processor, because more requests would only wait for each other.
  func connections(atMost limit: Int, processors: Int) -> Int {
    guard let roundTrip, let bytesPerSecond, roundTrip < Self.fastConnection.roundTrip,
      bytesPerSecond > Self.fastConnection.bytesPerSecond
    else { return limit }
    return min(limit, 2 * processors)
  }

  /// Returns whether one request for the whole package is faster than the requests of a plan; false without an
  /// estimate.
  ///
  /// Several threads decode the requests of a plan, so a single request must take less than four fifths of their time.
  func prefersOneRequest(_ packageBytes: Int64, to planBytes: Int64, requests: Int, connections: Int) -> Bool
  {
    guard let roundTrip, let bytesPerSecond, bytesPerSecond > 0 else { return false }
    let rounds = (requests + connections - 1) / max(1, connections)
    // Concurrent requests share the bandwidth, and some responses arrive while other requests wait.
    let parts = max(roundTrip * rounds, .seconds(Double(planBytes) / bytesPerSecond))
    let whole = roundTrip + .seconds(Double(packageBytes) / bytesPerSecond)
    return whole * 5 < parts * 4
  }
}

/// The estimate that all readers of a store share.
final class SharedConnectionEstimate: Sendable {
  private let state = Mutex(ConnectionEstimate())

  var estimate: ConnectionEstimate { state.withLock { $0 } }

  /// Performs a request and records its duration and the number of bytes that it returned.
  func timing<Value, E: Error>(_ work: () throws(E) -> Value, bytes: (Value) -> Int64) throws(E) -> Value {
    let start = ContinuousClock.now
    let value = try work()
    record(bytes(value), took: ContinuousClock.now - start)
    return value
  }

  /// Records a request in the shared estimate.
  func record(_ bytes: Int64, took time: Duration) { state.withLock { $0.record(bytes, took: time) } }
}
