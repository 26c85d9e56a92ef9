import ArgumentParser

/// The fault options of `serve`.
struct FaultOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Limit the transfer rate of all connections together: 500kB/s, 2MB/s.", valueName: "rate"))
  var throttle: TransferRate?

  @Option(help: ArgumentHelp("Delay each response by this time: 200ms, 1.5s.", valueName: "time"))
  var latency: DurationArgument?

  @Option(
    help: ArgumentHelp("Cut this share of the connections in the middle of a response.", valueName: "share"))
  var drop: Share?

  @Option(
    help: ArgumentHelp(
      "Answer this share of the requests with an error: 503:10%. The option can be repeated for other errors.",
      valueName: "status:share"))
  var fail: [FailureShare] = []

  @Option(help: ArgumentHelp("Change one byte in this share of the responses.", valueName: "share"))
  var corrupt: Share?

  @Flag(help: "Send whole files only, like a server without ranges.")
  var noRanges = false

  @Option(
    help: ArgumentHelp(
      "Repeat the faults of an earlier run. With the same seed, the same requests in the same order get the same faults.",
      valueName: "n"))
  var seed: UInt64?

  var settings: FaultSettings {
    FaultSettings(
      bytesPerSecond: throttle?.bytesPerSecond, latency: latency?.duration ?? .zero,
      cutShare: drop?.value ?? 0,
      failures: fail.map(\.failure), corruptedShare: corrupt?.value ?? 0,
      offersRanges: !noRanges, seed: seed ?? .random(in: 0...UInt64(UInt32.max)))
  }

  func validate() throws {
    guard fail.reduce(0, { $0 + $1.failure.share }) <= 1 + 1e-9 else {  // rounding
      throw ValidationError("the shares of --fail add up to more than 100%")
    }
  }

  /// Whether any fault is random.
  var isRandom: Bool { drop != nil || !fail.isEmpty || corrupt != nil }
}

/// A share on the command line: `5%`, `0.5%`.
struct Share: ExpressibleByArgument, Equatable, Sendable {
  /// The share, from 0 to 1.
  let value: Double

  init?(argument: String) {
    guard argument.hasSuffix("%"), let number = Double(argument.dropLast()), (0...100).contains(number) else {
      return nil
    }
    value = number / 100
  }
}

/// A status and the share of requests that get it, on the command line: `503:10%`.
struct FailureShare: ExpressibleByArgument, Equatable, Sendable {
  let failure: FaultSettings.Failure

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let status = Int(parts[0]), (400...599).contains(status),
      let share = Share(argument: String(parts[1]))
    else { return nil }
    failure = FaultSettings.Failure(status: status, share: share.value)
  }
}

/// A duration on the command line: `200ms`, `1.5s`.
struct DurationArgument: ExpressibleByArgument, Equatable, Sendable {
  let duration: Duration

  private static let maximumSeconds = 3_600.0

  init?(argument: String) {
    let (digits, unit) = argument.splitNumber()
    guard let number = Double(digits), number >= 0,
      let seconds = ["ms": number / 1_000, "s": number][unit], seconds <= Self.maximumSeconds
    else { return nil }
    duration = .seconds(seconds)
  }
}

/// A transfer rate on the command line: `500kB/s`, `2MB/s`, `1MiB/s`.
struct TransferRate: ExpressibleByArgument, Equatable, Sendable {
  let bytesPerSecond: Int64

  private static let units: [String: Double] = [
    "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1_024, "mib": 1_048_576, "gib": 1_073_741_824,
  ]

  init?(argument: String) {
    guard argument.hasSuffix("/s") else { return nil }
    let (digits, unit) = String(argument.dropLast(2)).splitNumber()
    guard let number = Double(digits), let factor = Self.units[unit.lowercased()],
      case let rate = number * factor, (1...1e12).contains(rate)
    else { return nil }
    bytesPerSecond = Int64(rate)
  }
}

extension String {
  /// Splits the string into the leading digits and decimal points, and the rest.
  fileprivate func splitNumber() -> (String, String) {
    let digits = prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    return (String(digits), String(dropFirst(digits.count)))
  }
}
