/// The faults to inject, to test an app on a bad network.
struct FaultSettings: Equatable, Sendable {
  /// The maximum transfer rate of all connections together, in bytes per second; nil for no limit.
  var bytesPerSecond: Int64?
  /// The delay of each response.
  var latency = Duration.zero
  /// The share of responses that are cut in the middle of their body, from 0 to 1.
  var cutShare = 0.0
  /// The errors, each with the share of requests that get it as their response. The shares add up to at most 1.
  var failures: [Failure] = []
  /// The share of responses with one wrong byte in their body, from 0 to 1.
  var corruptedShare = 0.0
  var offersRanges = true
  /// The seed of random faults. With the same seed, the same requests in the same order get the same faults.
  var seed: UInt64 = 0

  /// An error status, and the share of requests that get it as their response, from 0 to 1.
  struct Failure: Equatable, Sendable {
    let status: Int
    let share: Double
  }
}

/// The faults of one request.
struct FaultPlan: Equatable, Sendable {
  /// The error status; nil to serve the object.
  var failure: Int?
  /// The position at which the connection is cut, as a share of the body from 0 to 1.
  var cut: Double?
  /// The position of the wrong byte, as a share of the body from 0 to 1.
  var corruption: Double?

  /// Plans the faults of the request with this index since the start.
  init(_ settings: FaultSettings, requestIndex: UInt64) {
    // Always draws the same number of random values, so that one option does not change the effect of another.
    var random = SplitMix(state: settings.seed &+ requestIndex &* 0xD1B5_4A32_D192_ED03)
    let chances = (0..<5).map { _ in Double.random(in: 0..<1, using: &random) }
    var share = 0.0
    failure =
      settings.failures.first { failure in
        share += failure.share
        return chances[0] < share
      }?.status
    if chances[1] < settings.cutShare { cut = chances[2] }
    if chances[3] < settings.corruptedShare { corruption = chances[4] }
  }
}

/// A random number generator from Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
