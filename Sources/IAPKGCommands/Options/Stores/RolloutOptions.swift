import ArgumentParser
import Delivery
import Support

/// The time in which a rollout grows to all clients: `36h`, `7d`.
struct RolloutPeriod: ExpressibleByArgument {
  private static let maximumHours: Int64 = 366 * 24

  let text: String
  /// The length in seconds; nil unless it is from 1 hour to 366 days.
  private let allowedSeconds: Int64?
  /// The length in seconds; 0 for a length that `check` rejects.
  var seconds: Int64 { allowedSeconds ?? 0 }

  /// Returns nil if `argument` is not a number of hours or days.
  init?(argument: String) {
    let hours: Int64? =
      switch argument.last {
      case "h": 1
      case "d": 24
      default: nil
      }
    guard let hours, let number = Int64(argument.dropLast()), !argument.hasPrefix("+") else { return nil }
    text = argument
    allowedSeconds =
      (1...Self.maximumHours / hours).contains(number) ? number * hours * 3600 : nil
  }

  /// Checks the length.
  ///
  /// - Throws: `ValidationError` for a length out of range.
  func check() throws {
    guard allowedSeconds == nil else { return }
    throw ValidationError("--schedule is \(text), expected 1h to \(Self.maximumHours / 24)d")
  }
}

extension RolloutShare {
  /// Parses a percentage.
  ///
  /// - Throws: `ValidationError` for anything but a percentage from 0% to 100%, with at most four decimals.
  static func parse(_ text: String) throws -> RolloutShare {
    guard let share = RolloutShare(percentage: text) else {
      throw ValidationError(
        "'\(text)' is not a share, expected 0% to 100%, with at most four decimals, such as 12.5%")
    }
    return share
  }
}

extension RolloutPlan {
  /// Parses a share and its schedule.
  ///
  /// - Throws: `ValidationError` for a schedule out of range, and for one without a share that can grow.
  static func parse(_ share: RolloutShare?, named option: String, over period: RolloutPeriod?) throws
    -> RolloutPlan?
  {
    try period?.check()
    guard let share else {
      if period != nil { throw ValidationError("--schedule requires \(option), the initial share") }
      return nil
    }
    if period != nil, share == .none || share == .all {
      throw ValidationError(
        "--schedule requires a share that grows: \(option) is \(share.percentage), which "
          + (share == .none ? "pauses the rollout" : "ends it"))
    }
    return RolloutPlan(share: share, duration: period?.seconds)
  }
}
