import Entitlements

/// What the API works with.
struct ServerServices: Sendable {
  let ledger: Ledger
  let verifier: PurchaseVerifier
  /// Checks receipts; nil where the server takes none.
  let receipts: (any ReceiptChecker)?
  let store: StoreContent
  let products: ProductList
  let tokens: TokenKeys
  /// nil where the server has no administrators.
  let admin: AdminToken?
  let limiter: RateLimiter
  /// Addresses whose `X-Forwarded-For` is believed.
  let trustedProxies: Set<String>
  /// Seconds since 1970.
  let now: @Sendable () -> Int64
}

/// Asks the App Store what a receipt holds.
protocol ReceiptChecker: Sendable {
  /// The purchases of a receipt.
  ///
  /// - Throws: `Problem` with `.unavailable` if the App Store cannot tell now, `ReceiptRefusal` if the receipt does not hold.
  func purchases(ofReceipt base64: String) async throws -> [Purchase]
}

/// Why a receipt is not taken.
struct ReceiptRefusal: Error {
  /// A word for programs.
  let reason: String
}
