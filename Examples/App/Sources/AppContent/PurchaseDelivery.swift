import Delivery

/// Delivers purchases: to the account, and to the disk.
public struct PurchaseDelivery: Sendable {
  private let service: ContentService
  private let store: ContentStore

  public init(service: ContentService, store: ContentStore) {
    self.service = service
    self.store = store
  }

  /// Presents a purchase, and downloads its content if the store has some. Finish the transaction only after this
  /// returns: until then the App Store delivers it again at each start, which calls this again.
  ///
  /// - Parameters:
  ///   - purchase: A signed transaction.
  ///   - progress: Receives the progress of the download.
  /// - Returns: The result of the purchase.
  /// - Throws: `PurchaseRejected`, and the errors of `ContentService.present` and `ContentStore.fetch`.
  @discardableResult public func deliver(
    _ purchase: String, progress: @escaping @Sendable (ProductTransfer) -> Void = { _ in }
  ) async throws -> PurchaseResult {
    let presentation = try await service.present([purchase])
    guard let result = presentation.results.first, result.isEntered else {
      throw PurchaseRejected(reason: presentation.results.first?.reason ?? "malformed")
    }
    if result.isHeld, let product = result.productId, presentation.entitlements.contains(product),
      try await service.products().contains(product)
    {
      try await store.fetch(product, progress: progress)
    }
    return result
  }
}

/// The purchase failed verification or belongs to another account.
public struct PurchaseRejected: Error, CustomStringConvertible {
  /// The reason, as documented on the pages about purchases and the ledger.
  public let reason: String

  public var description: String { "the server rejects the purchase: \(reason)" }
}
