import Delivery
import Entitlements
import Hummingbird
import Logging
import StrictJSON
import Support

extension API {
  /// Enters the presented purchases in the ledger, each with its own result, and issues a token for the account.
  func present(_ request: Request, _ token: AccountToken?) async throws -> Response {
    let submission = try TransactionSubmission(
      try await request.json(atMost: TransactionSubmission.maximumBodySize, body))
    let items = try await items(of: submission)
    let purchases = items.compactMap(\.purchase)
    // A token limited to some purchases does not prove the account.
    let proven = token.flatMap { $0.purchases == nil ? $0 : nil }
    let presenter: Presenter =
      proven.map { .account($0.account, in: $0.environment) }
      ?? submission.appAccountToken.map { .claiming(token: $0) } ?? .unknown
    let presentation = try await services.ledger.present(purchases, by: presenter)
    // A rejected purchase is still genuine, and names its environment.
    let environment =
      presentation.environment ?? StoreEnvironment.preferred(among: purchases.map(\.environment))
    var issued: (text: String, expires: Int64)?
    // A token alone must not renew itself: a stolen one would never expire.
    if let account = presentation.account, let environment {
      issued = try await self.token(for: account, presentation, in: environment)
    }
    await note(items, presentation.results)
    return .json {
      write(items, presentation.results, &$0)
      if let environment { $0.member("environment", environment.rawValue) }
      $0.members(environment.flatMap { presentation.holdings[$0] } ?? Holdings())
      if let issued {
        $0.member("token", issued.text)
        $0.member("tokenExpires", Timestamp(seconds: issued.expires).description)
      }
    }
  }

  private func token(
    for account: String, _ presentation: Presentation, in environment: StoreEnvironment
  ) async throws -> (text: String, expires: Int64)? {
    switch presentation.access {
    case .none: nil
    case .full:
      try await services.tokens.token(for: account, in: environment, now: services.now())
    case .limited(let purchases):
      try await services.tokens.token(
        for: account, in: environment, purchases: purchases, now: services.now())
    }
  }

  /// Counts the results of purchases, and logs the reason of each rejection.
  private func note(_ items: [Item], _ outcomes: [PurchaseOutcome]) async {
    var outcomes = outcomes.makeIterator()
    var statuses: [String] = []
    var untyped: Set<String> = []
    for item in items {
      let outcome = item.purchase == nil ? nil : outcomes.next()
      statuses.append(outcome?.status ?? "rejected")
      if case .rejected(let reason)? = outcome {
        noteRejection(reason, of: item.purchase)
      } else if outcome == nil {
        noteRefusal(item.reason ?? "malformed")
      } else if outcome == .accepted, let product = item.purchase?.untypedProduct(services.productCatalog) {
        untyped.insert(product)
      }
    }
    metrics.count(outcomes: statuses)
    if !untyped.isEmpty { await noteUntyped(untyped) }
  }

  /// Logs and counts products of a receipt that neither the products file nor the store has. Such products may be
  /// consumables.
  private func noteUntyped(_ products: Set<String>) async {
    let known = (try? await services.products.current())?.products ?? []
    for product in products.subtracting(known).sorted() {
      noteUnknown(
        product,
        """
        a receipt does not state the type of a product that neither the file of --products nor the store has; it counts as \
        a non-consumable until the file lists it as a consumable and the app presents it again
        """
      )
    }
  }

  /// Logs and counts the rejection of a genuine purchase. The log names the product if the operator must correct the
  /// products file.
  private func noteRejection(_ reason: PurchaseOutcome.Rejection, of purchase: Purchase?) {
    guard reason == .unknownProduct, let purchase else { return noteRefusal(reason.rawValue) }
    noteUnknown(
      purchase.productIdentifier,
      services.productCatalog.offers[purchase.productIdentifier] == nil
        ? "a consumable is not in the file of --products; it counts once the file has it and the app presents it again"
        : """
        the App Store sells a product as a consumable that the file of --products calls a non-consumable; it counts once \
        the file has its credits and the app presents it again
        """
    )
  }

  private func noteRefusal(_ reason: String) {
    metrics.count(refusal: reason)
    logger.info("a purchase was refused", metadata: ["reason": "\(reason)"])
  }

  /// Logs and counts a product that the products file may lack.
  private func noteUnknown(_ product: String, _ message: Logger.Message) {
    let reason = PurchaseOutcome.Rejection.unknownProduct.rawValue
    metrics.count(refusal: reason)
    logger.warning(
      message, metadata: ["reason": "\(reason)", "product": "\(String(displaying: product.utf8))"])
  }

  /// A presented purchase, or the reason for its rejection.
  private struct Item {
    var purchase: Purchase?
    var reason: String?
  }

  private func items(of submission: TransactionSubmission) async throws -> [Item] {
    if let receipt = submission.receipt {
      do throws(ReceiptError) {
        return try await services.receipts.purchases(in: receipt).map { Item(purchase: $0) }
      } catch {
        guard case .refused(let reason) = error.reason else {
          throw Problem(
            .unavailable, "the App Store does not answer the request for the purchases of the receipt",
            reason: "app-store")
        }
        return [Item(reason: reason.rawValue)]
      }
    }
    var items: [Item] = []
    for signed in submission.signedTransactions {
      do throws(VerificationError) {
        items.append(Item(purchase: try await services.verifier.transaction(Array(signed.utf8))))
      } catch {
        guard error.reason != .unavailable else { throw unknownRevocation(error) }
        items.append(Item(reason: error.reason.rawValue))
      }
    }
    return items
  }

  /// Logs the reason for an unknown revocation status of certificates, and returns the problem.
  private func unknownRevocation(_ error: VerificationError) -> Problem {
    logger.warning("certificates cannot be checked for revocation", metadata: ["detail": "\(error)"])
    return Problem(
      .unavailable, "the revocation status of the certificates is unknown", reason: "certificate-authority")
  }

  private func write(_ items: [Item], _ outcomes: [PurchaseOutcome], _ writer: inout JSONWriter) {
    var outcomes = outcomes.makeIterator()
    writer.key("results")
    writer.array { list in
      for item in items {
        list.object { result in
          guard let purchase = item.purchase, let outcome = outcomes.next() else {
            result.member("status", "rejected")
            result.member("reason", item.reason ?? "malformed")
            return
          }
          result.member("transactionId", purchase.transactionIdentifier)
          result.member("productId", purchase.productIdentifier)
          result.member("status", outcome.status)
          if case .rejected(let reason) = outcome { result.member("reason", reason.rawValue) }
        }
      }
    }
  }

  /// Records an App Store notification. If the notification cannot be stored now, the status is 503, so that the App
  /// Store sends it again.
  func notify(_ request: Request) async throws -> Response {
    let body = try await request.json(atMost: NotificationBody.maximumSize, self.body)
    let event: PurchaseEvent
    do throws(VerificationError) {
      event = try await services.verifier.notification(try NotificationBody.signedPayload(of: body))
    } catch {
      guard error.reason != .unavailable else { throw unknownRevocation(error) }
      let reason = error.reason.rawValue
      logger.warning("a notification was refused", metadata: ["reason": "\(reason)", "detail": "\(error)"])
      throw Problem(
        error.dependsOnSettings ? .unavailable : .malformedRequest,
        "the notification is not valid: \(reason)",
        reason: reason)
    }
    let outcome = try await services.ledger.record(event)
    if case .withoutEffect(let reason) = outcome { noteRejection(reason, of: event.purchase) }
    return .json { $0.member("status", outcome == .duplicate ? "duplicate" : "recorded") }
  }
}

extension Purchase {
  /// The product, if neither the App Store nor the products file states its type; otherwise nil.
  fileprivate func untypedProduct(_ products: ProductCatalog) -> String? {
    kind == nil && expiresDate == nil && products.offers[productIdentifier] == nil ? productIdentifier : nil
  }
}

extension PurchaseOutcome {
  /// The name of the result in the API.
  var status: String {
    switch self {
    case .accepted: "accepted"
    case .duplicate: "duplicate"
    case .revoked: "revoked"
    case .rejected: "rejected"
    }
  }
}
