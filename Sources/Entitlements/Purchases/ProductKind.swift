/// The kind of a product, with the App Store's string as its raw value (`type` of a transaction). Unknown strings are
/// preserved.
public struct ProductKind: RawRepresentable, Hashable, Sendable {
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let consumable = Self(rawValue: "Consumable")
  public static let nonConsumable = Self(rawValue: "Non-Consumable")
  public static let autoRenewable = Self(rawValue: "Auto-Renewable Subscription")
  public static let nonRenewing = Self(rawValue: "Non-Renewing Subscription")
}
