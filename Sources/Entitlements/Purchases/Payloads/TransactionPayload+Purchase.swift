import Support

extension TransactionPayload {
  /// The `inAppOwnershipType` of Family Sharing.
  static let familyShared = "FAMILY_SHARED"

  /// Returns the purchase in the payload.
  ///
  /// - Throws: `.malformed` if a required field is missing or a value is invalid.
  func purchase() throws(VerificationError) -> Purchase {
    let signedDate = try required(signedDate, "signedDate")
    return Purchase(
      environment: try required(environment, "environment"),
      transactionIdentifier: try identifier(transactionIdentifier, "transactionId"),
      originalTransactionIdentifier: try identifier(originalTransactionIdentifier, "originalTransactionId"),
      productIdentifier: try identifier(productIdentifier, "productId"), kind: kind,
      quantity: try Purchase.quantity(quantity ?? 1),
      appAccountToken: try appAccountToken.map(Purchase.accountToken),
      isFamilyShared: ownership == Self.familyShared,
      purchaseDate: try required(purchaseDate, "purchaseDate"), signedDate: signedDate,
      expiresDate: expiresDate, revocation: try revocation(signedDate: signedDate),
      isUpgraded: isUpgraded ?? false)
  }

  private func revocation(signedDate: Int64) throws(VerificationError) -> Purchase.Revocation? {
    guard revocationDate != nil || revocationPercentage != nil else { return nil }
    let share = revocationPercentage ?? Int64(Purchase.Revocation.maximumShare)
    guard (0...Int64(Purchase.Revocation.maximumShare)).contains(share) else {
      throw VerificationError(
        .malformed, "revocationPercentage is \(share), expected 0 to \(Purchase.Revocation.maximumShare)")
    }
    return Purchase.Revocation(date: revocationDate ?? signedDate, share: Int(share))
  }

  private func identifier(_ value: String?, _ field: String) throws(VerificationError) -> String {
    let value = try required(value, field)
    guard !value.isEmpty else { throw VerificationError(.malformed, "\(field) is empty") }
    return value
  }

  private func required<Value>(_ value: Value?, _ field: String) throws(VerificationError) -> Value {
    guard let value else { throw VerificationError(.malformed, "the transaction has no \(field)") }
    return value
  }
}

extension Purchase {
  /// The maximum quantity that is plausible. The App Store's own limit is 10.
  private static let maximumQuantity: Int64 = 1_000_000

  /// Returns a number as a quantity.
  ///
  /// - Throws: `.malformed` if the number is not from 1 to the maximum.
  static func quantity(_ number: Int64) throws(VerificationError) -> Int {
    guard (1...maximumQuantity).contains(number) else {
      throw VerificationError(.malformed, "the quantity is \(number), expected 1 to \(maximumQuantity)")
    }
    return Int(number)
  }

  /// Returns an account token in lower case. The App Store writes lower case; apps write either case.
  ///
  /// - Throws: `.malformed` if the text is not a UUID.
  static func accountToken(_ text: String) throws(VerificationError) -> String {
    guard let token = UUIDText.lowercased(text) else {
      throw VerificationError(.malformed, "appAccountToken is not a UUID")
    }
    return token
  }
}
