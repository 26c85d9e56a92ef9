extension ContentLibrary {
  /// Delivers a purchase: presents it to the server, and installs its content if the store has any.
  ///
  /// **Finish the App Store transaction only after the function returns**: only then is the content on disk. The App
  /// Store delivers an unfinished transaction again at each launch of the app, which must then call `deliver` again.
  ///
  /// - Parameter transaction: The signed transaction (`jwsRepresentation`).
  /// - Returns: The result of the purchase.
  /// - Throws: `PurchaseRejected`, `ContentLibraryError.noService`, and the errors of `ContentService.present` and
  ///   `install`.
  @discardableResult
  public func deliver(_ transaction: SignedTransaction) async throws -> PurchaseResult {
    guard let service else { throw ContentLibraryError.noService }
    let presentation = try await service.present([transaction])
    guard let result = presentation.results.first, result.isRecorded else {
      throw PurchaseRejected(reason: presentation.results.first?.reason ?? "malformed")
    }
    if result.isOwned, let product = result.productId, presentation.entitlements.contains(product),
      try await service.products().contains(product)
    {
      _ = try await installNewest(try identifier(product))
    }
    return result
  }
}

/// A transaction that the App Store signed. The server verifies the signature.
public struct SignedTransaction: Sendable, Hashable {
  /// The signed text: `VerificationResult.jwsRepresentation` of StoreKit.
  public let jwsRepresentation: String

  /// Creates a transaction from its signed text.
  public init(_ jwsRepresentation: String) { self.jwsRepresentation = jwsRepresentation }
}

/// The rejection of a purchase that failed verification or belongs to another account.
public struct PurchaseRejected: Error, Sendable, Equatable, CustomStringConvertible {
  /// The reason that the server gives, such as `other-account` or `malformed`. Later servers may give other reasons.
  public let reason: String

  /// One lower-case sentence without a full stop.
  public var description: String { "the server rejects the purchase: \(reason)" }
}
