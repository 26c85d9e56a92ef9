import ArgumentParser
import Delivery
import Entitlements
import Foundation

/// A date on the command line.
struct DateArgument: ExpressibleByArgument {
  /// The milliseconds since 1970.
  let milliseconds: Int64

  init(milliseconds: Int64) { self.milliseconds = milliseconds }

  init?(argument: String) {
    if let time = Timestamp(argument) {
      self.init(milliseconds: time.seconds * 1000)
    } else if let milliseconds = Int64(argument), milliseconds >= 0 {
      self.init(milliseconds: milliseconds)
    } else {
      return nil
    }
  }

  static var now: DateArgument {
    DateArgument(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1000))
  }
}

/// A product kind on the command line.
struct ProductKindArgument: ExpressibleByArgument {
  private static let known: [(name: String, kind: ProductKind)] = [
    ("consumable", .consumable), ("non-consumable", .nonConsumable), ("auto-renewable", .autoRenewable),
    ("non-renewing", .nonRenewing),
  ]
  static var allValueStrings: [String] { known.map(\.name) }

  let value: ProductKind

  init(_ value: ProductKind) { self.value = value }

  init?(argument: String) {
    guard let known = Self.known.first(where: { $0.name == argument }) else { return nil }
    self.init(known.kind)
  }

  var defaultValueDescription: String { Self.known.first { $0.kind == value }?.name ?? value.rawValue }
}

/// A percentage on the command line.
struct PercentageArgument: ExpressibleByArgument {
  /// The percentage in thousandths of a percent.
  let thousandths: Int

  init?(argument: String) {
    let parts = argument.split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : "0"
    guard parts.count <= 2, (1...3).contains(fraction.utf8.count), let whole = UInt16(parts[0]),
      let decimals = UInt16(fraction + String(repeating: "0", count: 3 - fraction.utf8.count)),
      case let thousandths = Int(whole) * 1000 + Int(decimals),
      thousandths <= Purchase.Revocation.maximumShare
    else { return nil }
    self.thousandths = thousandths
  }
}
