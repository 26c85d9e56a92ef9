import StrictJSON
import Support

/// Simulates the App Store's `verifyReceipt` for testing receipts. A testing receipt is the base64 of signed transactions,
/// one per line.
public struct TestingReceipts: Sendable {
  private let root: RootCertificate

  /// Creates a simulated `verifyReceipt`.
  ///
  /// - Parameter root: The root of the testing certificates that sign the transactions.
  public init(root: RootCertificate) { self.root = root }

  /// Returns the receipt of these signed transactions.
  public static func receipt(of transactions: [String]) -> String {
    Base64.standard.encode(Array(transactions.joined(separator: "\n").utf8))
  }

  /// Returns the response of the App Store to a request.
  ///
  /// - Parameters:
  ///   - body: The body of the request.
  ///   - isSandbox: Whether the request was sent to the sandbox.
  ///   - now: The time, in milliseconds since 1970.
  /// - Returns: The JSON of the response body.
  public func response(to body: [UInt8], isSandbox: Bool, now: Int64) async -> [UInt8] {
    guard let transactions = Self.transactions(in: body), let first = transactions.first,
      let bundleIdentifier = Self.bundleIdentifier(of: first)
    else { return Self.response(status: 21002) }
    let verifier = PurchaseVerifier(
      PurchaseVerifier.Settings(
        bundleIdentifier: bundleIdentifier, environments: [.production, .sandbox], roots: [root]))
    var purchases: [Purchase] = []
    do throws(VerificationError) {
      for transaction in transactions { purchases.append(try await verifier.transaction(transaction)) }
    } catch {
      return Self.response(status: 21003)
    }
    let environment: StoreEnvironment = isSandbox ? .sandbox : .production
    guard purchases.allSatisfy({ $0.environment == environment }) else {
      return Self.response(status: isSandbox ? 21008 : 21007)
    }
    return Self.response(about: purchases, of: bundleIdentifier, in: environment, now: now)
  }

  /// Returns a response with only a status.
  public static func response(status: Int64) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { $0.member("status", status) }
    return writer.bytes
  }

  /// Returns the lines of the receipt in a request; nil if it has none.
  private static func transactions(in body: [UInt8]) -> [[UInt8]]? {
    var text: String?
    do throws(DocumentError) {
      var reader = JSONReader(body)
      try reader.document { (reader) throws(DocumentError) in
        try reader.object { (key, reader) throws(DocumentError) in
          if key == "receipt-data" { text = try reader.string() } else { try reader.skip() }
        }
      }
    } catch {
      return nil
    }
    guard let text, let receipt = Base64.standard.decode(text.utf8) else { return nil }
    return receipt.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map(Array.init)
  }

  /// Returns the bundle identifier in a transaction, not verified.
  private static func bundleIdentifier(of transaction: [UInt8]) -> String? {
    guard let signed = try? SignedData(transaction) else { return nil }
    return (try? TransactionPayload(json: signed.payload))?.bundleIdentifier
  }

  private static func response(
    about purchases: [Purchase], of bundleIdentifier: String, in environment: StoreEnvironment, now: Int64
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("status", 0)
      writer.member("environment", environment.rawValue)
      writer.key("receipt")
      writer.object { writer in
        writer.member("bundle_id", bundleIdentifier)
        writer.member("receipt_creation_date_ms", String(purchases.map(\.signedDate).max() ?? now))
        writer.member("request_date_ms", String(now))
        writer.key("in_app")
        writer.array { writer in
          for purchase in purchases { writer.object { Self.write(purchase, to: &$0) } }
        }
      }
    }
    return writer.bytes
  }

  private static func write(_ purchase: Purchase, to writer: inout JSONWriter) {
    writer.member("transaction_id", purchase.transactionIdentifier)
    writer.member("original_transaction_id", purchase.originalTransactionIdentifier)
    writer.member("product_id", purchase.productIdentifier)
    writer.member("quantity", String(purchase.quantity))
    writer.member("purchase_date_ms", String(purchase.purchaseDate))
    if let date = purchase.expiresDate { writer.member("expires_date_ms", String(date)) }
    if purchase.isUpgraded { writer.member("is_upgraded", "true") }
    if let revocation = purchase.revocation {
      writer.member("cancellation_date_ms", String(revocation.date))
      writer.member("cancellation_reason", "0")
    }
    if let token = purchase.appAccountToken { writer.member("app_account_token", token) }
    writer.member(
      "in_app_ownership_type", purchase.isFamilyShared ? TransactionPayload.familyShared : "PURCHASED")
  }
}
