// Neither compiled nor run here: this part needs StoreKit, and this project is built and tested on Linux.
#if canImport(StoreKit)
import AppContent
import Foundation
import StoreKit

/// Purchases of StoreKit 2. Each is finished only after the server has accepted it and its content is on disk.
public actor StoreKitPurchases {
  /// The outcome of a purchase.
  public enum Outcome: Sendable {
    /// The server has accepted the purchase, its content is on disk, and the transaction is finished.
    case delivered
    /// The customer cancelled.
    case cancelled
    /// Approval is pending, for example by a parent. Once approved, the transaction arrives in `Transaction.updates`.
    case pending
    /// In-app purchases are not allowed on this device.
    case notAllowed
  }

  private let library: ContentLibrary
  private let service: ContentService
  /// The app's own UUID for this customer; the App Store signs it with each purchase.
  private let accountToken: UUID
  /// Receives the error of a purchase that could not be delivered; the next start delivers it again.
  private let onFailure: @Sendable (any Error) -> Void
  private var updates: Task<Void, Never>?

  public init(
    library: ContentLibrary, service: ContentService, accountToken: UUID,
    onFailure: @escaping @Sendable (any Error) -> Void
  ) {
    self.library = library
    self.service = service
    self.accountToken = accountToken
    self.onFailure = onFailure
  }

  deinit { updates?.cancel() }

  /// Delivers unfinished purchases, for example after the app ended or the server was unavailable. From then on, also
  /// delivers transactions from elsewhere: another device, a parent's approval, an offer code, a refund. Call this method
  /// first at each start.
  public func start() {
    guard updates == nil else { return }
    let (library, onFailure) = (library, onFailure)
    updates = Task {
      // The updates start first, so that none is missed during the delivery of unfinished transactions.
      async let later: Void = {
        for await update in Transaction.updates {
          await Self.deliverOrReport(update, by: library, onFailure)
        }
      }()
      for await unfinished in Transaction.unfinished {
        await Self.deliverOrReport(unfinished, by: library, onFailure)
      }
      await later
    }
  }

  /// Buys a product; `quantity` is for consumables, from 1 to 10.
  ///
  /// - Throws: `StoreKitError` and `Product.PurchaseError` if nothing was bought. Any other error occurs after the
  ///   purchase: it is paid for, and is delivered at the next start.
  public func buy(_ product: Product, quantity: Int = 1) async throws -> Outcome {
    guard AppStore.canMakePayments else { return .notAllowed }
    var options: Set<Product.PurchaseOption> = [.appAccountToken(accountToken)]
    if quantity > 1 { options.insert(.quantity(quantity)) }
    do {
      switch try await product.purchase(options: options) {
      case .success(let purchase):
        try await Self.deliver(purchase, by: library)
        return .delivered
      case .userCancelled: return .cancelled
      case .pending: return .pending
      @unknown default: return .pending
      }
    } catch Product.PurchaseError.purchaseNotAllowed {
      return .notAllowed
    } catch StoreKitError.userCancelled {
      return .cancelled
    }
  }

  /// Restores purchases from other devices, without downloading: the app downloads content when the customer opens it.
  ///
  /// - Parameter synchronizing: Whether to synchronize with the App Store first, which is seldom needed. The App Store may
  ///   ask for a password, so synchronize only at the customer's request.
  /// - Returns: The entitlements and balances of the account.
  /// - Throws: `ServiceError.noAccount` if nothing was bought, and the errors of `ContentService.present`.
  public func restore(synchronizing: Bool = false) async throws -> Holdings {
    if synchronizing { try await AppStore.sync() }
    var purchases: [SignedTransaction] = []
    for await entitlement in Transaction.currentEntitlements {
      purchases.append(SignedTransaction(entitlement.jwsRepresentation))
    }
    // The server accepts 200 transactions at once, including those that prove ownership of the account.
    for start in stride(from: 0, to: purchases.count, by: 100) {
      try await service.present(Array(purchases[start..<min(start + 100, purchases.count)]))
    }
    return try await service.holdings()
  }

  private static func deliverOrReport(
    _ purchase: VerificationResult<Transaction>, by library: ContentLibrary,
    _ onFailure: @Sendable (any Error) -> Void
  ) async {
    do {
      try await deliver(purchase, by: library)
    } catch {
      onFailure(error)
    }
  }

  /// Finishes a transaction only after the server has accepted it and its content is on disk: a finished transaction
  /// is not delivered again.
  private static func deliver(
    _ purchase: VerificationResult<Transaction>, by library: ContentLibrary
  ) async throws {
    // The server verifies the signature itself, so this device's verification is irrelevant.
    try await library.deliver(SignedTransaction(purchase.jwsRepresentation))
    await purchase.unsafePayloadValue.finish()
  }
}
#endif
