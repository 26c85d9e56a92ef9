/// The staged rollout of a release.
package struct Rollout: Sendable, Equatable {
  /// The number of steps in which a scheduled share grows.
  private static let stepCount: Int64 = 7

  /// The share of the clients at the beginning.
  package let share: RolloutShare
  /// The time at which the rollout begins.
  package let since: Timestamp
  /// The time from which all clients take part; nil for a share that does not grow by itself.
  package let until: Timestamp?

  package init(share: RolloutShare, since: Timestamp, until: Timestamp? = nil) {
    self.share = share
    self.since = since
    self.until = until
  }

  /// Returns the share at a time: with a schedule, it grows to all clients in seven equal steps.
  package func share(at time: Timestamp) -> RolloutShare {
    guard let until, until > since, time > since else { return share }
    guard time < until else { return .all }
    let step = Self.stepCount * (time.seconds - since.seconds) / (until.seconds - since.seconds)
    return share.growing(by: step, of: Self.stepCount)
  }
}

/// A share of the clients, in millionths.
public struct RolloutShare: Sendable, Hashable, Comparable {
  /// The number of decimals in documents.
  package static let decimals = 6
  /// The number of millionths that stand for all clients.
  package static let scale: Int64 = 1_000_000
  /// No client: the rollout is paused.
  package static let none = RolloutShare(millionths: 0)
  /// All clients: the rollout is complete.
  package static let all = RolloutShare(millionths: scale)

  /// From 0 to 1,000,000.
  package let millionths: Int64

  /// Creates a share in millionths.
  ///
  /// - Parameter millionths: From 0 to 1,000,000.
  init(millionths: Int64) { self.millionths = min(max(0, millionths), Self.scale) }

  /// The share as a number from 0 to 1.
  public var fraction: Double { Double(millionths) / Double(Self.scale) }

  /// Compares two shares.
  public static func < (left: RolloutShare, right: RolloutShare) -> Bool {
    left.millionths < right.millionths
  }

  /// Parses a percentage with at most four decimals, such as `12.5%`; nil for any other text.
  package init?(percentage text: String) {
    guard text.hasSuffix("%") else { return nil }
    let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    let isNumber = parts.allSatisfy {
      !$0.isEmpty && $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    }
    guard isNumber, (1...2).contains(parts.count), parts[0].utf8.count <= 3,
      parts.dropFirst().allSatisfy({ $0.utf8.count <= 4 }), let whole = Int64(parts[0])
    else { return nil }
    let decimals = parts.count == 2 ? String(parts[1]) : ""
    let padded = decimals + String(repeating: "0", count: 4 - decimals.utf8.count)
    guard let rest = Int64(padded), whole * 10_000 + rest <= Self.scale else { return nil }
    millionths = whole * 10_000 + rest
  }

  /// The share in percent, such as `12.5 %`.
  package var percentage: String {
    let rest = String(
      String(millionths % 10_000 + 10_000).dropFirst().reversed().drop { $0 == "0" }.reversed())
    return "\(millionths / 10_000)\(rest.isEmpty ? "" : ".\(rest)") %"
  }

  /// Returns the share after `step` of `count` equal steps to all clients.
  fileprivate func growing(by step: Int64, of count: Int64) -> RolloutShare {
    RolloutShare(millionths: millionths + (Self.scale - millionths) * step / count)
  }
}
