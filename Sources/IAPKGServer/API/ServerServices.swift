import Entitlements

/// What the API works with.
struct ServerServices: Sendable {
  let ledger: Ledger
  let verifier: PurchaseVerifier
  let receipts: ReceiptVerifier
  let store: StoreContent
  let products: ProductList
  /// What each product gives.
  let offers: ProductCatalog
  let tokens: TokenKeys
  /// nil where the server has no administrators.
  let admin: AdminToken?
  let limiter: RateLimiter
  /// The addresses whose `X-Forwarded-For` is believed.
  let trustedProxies: [NetworkAddress]
  /// Seconds since 1970.
  let now: @Sendable () -> Int64
}
