import Entitlements

/// The dependencies of the API.
struct ServerServices: Sendable {
  let ledger: Ledger
  let verifier: PurchaseVerifier
  let receipts: ReceiptVerifier
  let store: StoreContent
  let products: ProductList
  /// The entitlement or credits of each product.
  let productCatalog: ProductCatalog
  let tokens: TokenKeys
  /// The administrators' token; nil if the server has no administrators.
  let admin: AdminToken?
  let limiter: RateLimiter
  /// The addresses whose `X-Forwarded-For` is trusted.
  let trustedProxies: [NetworkAddress]
  /// The time, in seconds since 1970.
  let now: @Sendable () -> Int64
}
