/// The entitlement or credits of each product, read from a products file.
///
/// A product that is not listed gives an entitlement. The ledger rejects consumables that are not listed.
public struct ProductCatalog: Equatable, Sendable {
  /// The entitlement or credits that a product gives.
  public enum Offer: Equatable, Sendable {
    /// The buyer is entitled to the product, permanently or until a date.
    case entitlement
    /// Each unit bought adds these amounts to balances.
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

  /// Returns the entitlement or credits of a product.
  public func offer(for product: String) -> Offer { offers[product] ?? .entitlement }
}
