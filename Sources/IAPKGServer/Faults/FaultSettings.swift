/// What goes wrong on purpose, so that an app can be tried on a bad network.
struct FaultSettings: Equatable, Sendable {
  /// Bytes per second of all connections together.
  var throttle: Int64?
  /// How long each answer waits.
  var latency = Duration.zero
  /// How many of all answers are cut in the middle of their body, from 0 to 1.
  var drop = 0.0
  /// How many requests are answered with an error, and with which status.
  var failure: (status: Int, share: Double)?
  /// How many of all answers have one wrong byte in their body, from 0 to 1.
  var corrupt = 0.0
  var offersRanges = true
  /// With the same seed, the same requests in the same order get the same faults.
  var seed: UInt64 = 0

  static func == (left: FaultSettings, right: FaultSettings) -> Bool {
    left.throttle == right.throttle && left.latency == right.latency && left.drop == right.drop
      && left.failure?.status == right.failure?.status && left.failure?.share == right.failure?.share
      && left.corrupt == right.corrupt && left.offersRanges == right.offersRanges && left.seed == right.seed
  }
}

/// What goes wrong with one request.
struct FaultPlan: Equatable, Sendable {
  /// The status that it is answered with in place of the object.
  var failure: Int?
  /// Where in its body the connection is cut, as a share of the body from 0 to 1.
  var cut: Double?
  /// Where in its body a byte is wrong, as a share of the body from 0 to 1.
  var corruption: Double?

  /// Of the request with this number since the start, from 0.
  init(_ settings: FaultSettings, number: UInt64) {
    // Always as many numbers, so that one option does not change what another one does.
    var random = SplitMix(state: settings.seed &+ number &* 0xD1B5_4A32_D192_ED03)
    let chances = (0..<5).map { _ in Double.random(in: 0..<1, using: &random) }
    if let failure = settings.failure, chances[0] < failure.share { self.failure = failure.status }
    if chances[1] < settings.drop { cut = chances[2] }
    if chances[3] < settings.corrupt { corruption = chances[4] }
  }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
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
