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

  /// The names of the balances that consumables credit.
  public var balances: Set<String> {
    offers.values.reduce(into: []) { names, offer in
      if case .credits(let credits) = offer { names.formUnion(credits.keys) }
    }
  }

  /// What a product gives.
  public func offer(for product: String) -> Offer { offers[product] ?? .entitlement }
}
