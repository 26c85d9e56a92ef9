import StrictJSON

/// Fictitious renewal information to be signed for a test.
public struct TestingRenewal: Sendable {
  public var originalTransactionIdentifier: String
  public var productIdentifier: String
  public var environment: StoreEnvironment
  /// The time of the signature, in milliseconds since 1970.
  public var signedDate: Int64
  /// `gracePeriodExpiresDate`, in milliseconds since 1970.
  public var gracePeriodEnd: Int64?

  /// Creates renewal information for the subscription of a signed transaction.
  ///
  /// - Throws: `VerificationError` if `transaction` is not a signed transaction. Its signature is not verified.
  public init(
    of transaction: String, signedDate: Int64, gracePeriodEnd: Int64?
  ) throws(VerificationError) {
    let payload = try TransactionPayload(json: try SignedData(Array(transaction.utf8)).payload)
    originalTransactionIdentifier = payload.originalTransactionIdentifier ?? ""
    productIdentifier = payload.productIdentifier ?? ""
    environment = payload.environment ?? .sandbox
    self.signedDate = signedDate
    self.gracePeriodEnd = gracePeriodEnd
  }

  /// The JSON of the payload.
  public var payload: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("originalTransactionId", originalTransactionIdentifier)
      writer.member("productId", productIdentifier)
      writer.member("environment", environment.rawValue)
      writer.member("signedDate", signedDate)
      if let gracePeriodEnd { writer.member(RenewalPayload.gracePeriodField, gracePeriodEnd) }
    }
    return writer.bytes
  }
}
