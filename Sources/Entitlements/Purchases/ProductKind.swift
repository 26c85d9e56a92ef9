/// The kind of a product, by the App Store's own word for it (`type` of a transaction). Words that are not known yet are
/// kept as they are.
public struct ProductKind: RawRepresentable, Hashable, Sendable {
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let consumable = Self(rawValue: "Consumable")
  public static let nonConsumable = Self(rawValue: "Non-Consumable")
  public static let autoRenewable = Self(rawValue: "Auto-Renewable Subscription")
  public static let nonRenewing = Self(rawValue: "Non-Renewing Subscription")
}
