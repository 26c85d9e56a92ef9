import Delivery

/// Gives what was bought: to the account, and onto the disk.
public struct PurchaseDelivery: Sendable {
  private let service: ContentService
  private let store: ContentStore

  public init(service: ContentService, store: ContentStore) {
    self.service = service
    self.store = store
  }

  /// Presents a purchase, and fetches its content if the store has some. Only when this returns may the transaction be
  /// finished: until then the App Store delivers it again at each start, and this is called again.
  ///
  /// - Parameters:
  ///   - purchase: a signed transaction.
  ///   - progress: hears how far the content is.
  /// - Returns: what came of it.
  /// - Throws: `PurchaseRejected`, and as `ContentService.present` and `ContentStore.fetch`.
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

/// The server does not believe the purchase, or it belongs to another account.
public struct PurchaseRejected: Error, CustomStringConvertible {
  /// See the pages about purchases and the ledger.
  public let reason: String

  public var description: String { "the server rejects the purchase: \(reason)" }
}
