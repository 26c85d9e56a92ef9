/// What each product gives to who buys it: the file of the option `--products`.
///
/// A product that is not in it is a non-consumable that entitles to its own identifier.
public struct ProductCatalog: Equatable, Sendable {
  /// What a product gives.
  public enum Offer: Equatable, Sendable {
    /// Whoever bought it is entitled to its identifier, be it for good or until a date.
    case entitlement
    /// Each one that is bought adds these amounts to balances.
    case credits([String: Int64])
  }

  /// The offers, by product identifier.
  public var offers: [String: Offer]

  public init(offers: [String: Offer] = [:]) { self.offers = offers }

  /// What a product gives.
  public func offer(for product: String) -> Offer { offers[product] ?? .entitlement }
}
