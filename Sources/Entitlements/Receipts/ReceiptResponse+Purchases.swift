extension ReceiptResponse {
  /// Returns the purchases in a valid response, each transaction once.
  ///
  /// The absence of a consumable means nothing: the app may have finished it.
  ///
  /// - Throws: `.bundleIdentifier`, or `.malformed` if a required field is missing or a value is invalid.
  func purchases(
    of bundleIdentifier: String, in environment: StoreEnvironment
  ) throws(VerificationError) -> [Purchase] {
    guard let receipt else { throw VerificationError(.malformed, "the response has no receipt") }
    guard receipt.bundleIdentifier == bundleIdentifier else {
      let found = receipt.bundleIdentifier.map { "'\($0)'" } ?? "none"
      throw VerificationError(
        .bundleIdentifier, "the receipt's bundle identifier is \(found), expected '\(bundleIdentifier)'")
    }
    guard let creationDate = receipt.creationDate else {
      throw VerificationError(.malformed, "the receipt has no receipt_creation_date_ms")
    }
    var purchases: [String: Purchase] = [:]
    // The receipt has the state of its creation; `latest` has the App Store's current state and wins.
    for entry in receipt.purchases {
      let purchase = try entry.purchase(in: environment, signedDate: creationDate)
      purchases[purchase.transactionIdentifier] = purchase
    }
    for entry in latest {
      let purchase = try entry.purchase(in: environment, signedDate: receipt.requestDate ?? creationDate)
      purchases[purchase.transactionIdentifier] = purchase
    }
    return purchases.values.sorted {
      ($0.purchaseDate, $0.transactionIdentifier) < ($1.purchaseDate, $1.transactionIdentifier)
    }
  }
}

extension ReceiptEntry {
  func purchase(
    in environment: StoreEnvironment, signedDate: Int64
  ) throws(VerificationError) -> Purchase {
    guard let transactionIdentifier, !transactionIdentifier.isEmpty, let productIdentifier,
      !productIdentifier.isEmpty, let purchaseDate
    else {
      throw VerificationError(
        .malformed, "a purchase in the receipt has no transaction_id, product_id or purchase_date_ms")
    }
    return Purchase(
      environment: environment, transactionIdentifier: transactionIdentifier,
      originalTransactionIdentifier: originalTransactionIdentifier ?? transactionIdentifier,
      productIdentifier: productIdentifier, kind: nil, quantity: try Purchase.quantity(quantity ?? 1),
      appAccountToken: try appAccountToken.map(Purchase.accountToken),
      isFamilyShared: ownership == TransactionPayload.familyShared, purchaseDate: purchaseDate,
      signedDate: signedDate, expiresDate: expiresDate,
      revocation: cancellationDate.map { Purchase.Revocation(date: $0) }, isUpgraded: isUpgraded ?? false)
  }
}
