// Not run here: this half needs StoreKit, and this project is built and tested on Linux. It has not been compiled either.
#if canImport(StoreKit)
  import Foundation
  import StoreKit

  /// Purchases of StoreKit 2. Each is finished only after the server has accepted it and its content is on the disk.
  public actor StoreKitPurchases {
    /// How a purchase ends.
    public enum Outcome: Sendable {
      /// The server has it, its content is here, and the transaction is finished.
      case delivered
      /// The customer changed their mind.
      case cancelled
      /// Somebody else has to agree, such as a parent. If they do, the transaction comes with `Transaction.updates`.
      case pending
      /// In-app purchases are not allowed on this device.
      case notAllowed
    }

    private let delivery: PurchaseDelivery
    private let service: ContentService
    /// A UUID of the app's own for this customer; the App Store signs it with each purchase.
    private let accountToken: UUID
    /// Hears of a purchase that could not be delivered now, and comes again at the next start.
    private let onFailure: @Sendable (any Error) -> Void
    private var updates: Task<Void, Never>?

    public init(
      delivery: PurchaseDelivery, service: ContentService, accountToken: UUID,
      onFailure: @escaping @Sendable (any Error) -> Void
    ) {
      self.delivery = delivery
      self.service = service
      self.accountToken = accountToken
      self.onFailure = onFailure
    }

    deinit { updates?.cancel() }

    /// Call this first thing at each start. It delivers what was bought and never finished, because the app ended, the
    /// network was gone or the server was away, and from then on what comes from elsewhere: another device, a parent's
    /// consent, an offer code, a refund.
    public func start() {
      guard updates == nil else { return }
      let (delivery, onFailure) = (delivery, onFailure)
      updates = Task {
        // First the updates, so that none is missed while the unfinished ones are delivered.
        async let later: Void = {
          for await update in Transaction.updates {
            await Self.deliverOrReport(update, by: delivery, onFailure)
          }
        }()
        for await unfinished in Transaction.unfinished {
          await Self.deliverOrReport(unfinished, by: delivery, onFailure)
        }
        await later
      }
    }

    /// Buys a product; `quantity` is for consumables, from 1 to 10.
    ///
    /// - Throws: `StoreKitError` and `Product.PurchaseError` if nothing was bought. Any other error comes after the
    ///   purchase: it is paid for, and is delivered at the next start.
    public func buy(_ product: Product, quantity: Int = 1) async throws -> Outcome {
      guard AppStore.canMakePayments else { return .notAllowed }
      var options: Set<Product.PurchaseOption> = [.appAccountToken(accountToken)]
      if quantity > 1 { options.insert(.quantity(quantity)) }
      do {
        switch try await product.purchase(options: options) {
        case .success(let purchase):
          try await Self.deliver(purchase, by: delivery)
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

    /// Brings back what was bought on another device, and fetches nothing: the app fetches what the customer opens.
    /// Call it only when the customer asks for it, since it may ask for their password.
    ///
    /// - Parameter synchronizing: whether the App Store is asked anew, which is seldom needed.
    /// - Returns: what the account holds.
    /// - Throws: `NoAccount` if nothing was bought, and as `ContentService.present`.
    public func restore(synchronizing: Bool = false) async throws -> Holdings {
      if synchronizing { try await AppStore.sync() }
      var purchases: [String] = []
      for await entitlement in Transaction.currentEntitlements {
        purchases.append(entitlement.jwsRepresentation)
      }
      // The server takes 200 transactions at once, and some of them are those that prove the account.
      for start in stride(from: 0, to: purchases.count, by: 100) {
        try await service.present(Array(purchases[start..<min(start + 100, purchases.count)]))
      }
      return try await service.holdings()
    }

    private static func deliverOrReport(
      _ purchase: VerificationResult<Transaction>, by delivery: PurchaseDelivery,
      _ onFailure: @Sendable (any Error) -> Void
    ) async {
      do {
        try await deliver(purchase, by: delivery)
      } catch {
        onFailure(error)
      }
    }

    /// Finishes a transaction once the server has accepted it and its content is on the disk, and never before: a finished
    /// transaction does not come again.
    private static func deliver(
      _ purchase: VerificationResult<Transaction>, by delivery: PurchaseDelivery
    ) async throws {
      // The server checks the signature for itself, so that what this device thinks of it decides nothing.
      try await delivery.deliver(purchase.jwsRepresentation)
      await purchase.unsafePayloadValue.finish()
    }
  }
#endif
