import Entitlements
import Hummingbird
import StrictJSON

extension API {
  /// Answers with the details of an account, for support staff. `identifier` is the account's own identifier, its
  /// signed `appAccountToken`, or the transaction identifier of a purchase.
  func account(_ identifier: String) async throws -> Response {
    guard
      let record = try await services.ledger.account(try await account(matching: identifier, in: .production))
    else {
      throw Self.unknownAccount
    }
    return .json {
      $0.member("accountId", record.identifier)
      $0.member("appAccountTokenDigest", record.tokenDigest)
      $0.member("created", milliseconds: record.created)
      $0.key("environments")
      $0.object { environments in
        for (environment, holdings) in record.holdings.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
          environments.key(environment.rawValue)
          environments.object { $0.members(holdings) }
        }
      }
      $0.key("entries")
      $0.array { list in
        for entry in record.entries { list.object { write(entry, &$0) } }
      }
    }
  }

  private func write(_ entry: LedgerEntry, _ writer: inout JSONWriter) {
    writer.member("sequence", entry.sequence)
    writer.member("time", milliseconds: entry.time)
    writer.member("kind", entry.kind.rawValue)
    let texts = [
      ("environment", entry.environment), ("transactionId", entry.transactionIdentifier),
      ("productId", entry.product), ("balance", entry.balance), ("requestId", entry.requestIdentifier),
      ("notificationId", entry.notificationIdentifier), ("reason", entry.reason),
      ("operator", entry.operatorName),
    ]
    for case (let name, let text?) in texts { writer.member(name, text) }
    if let amount = entry.amount { writer.member("amount", amount) }
  }

  private func account(matching identifier: String, in environment: StoreEnvironment) async throws -> String {
    switch try await services.ledger.account(matching: identifier, in: environment) {
    case .account(let account): return account
    case .unclaimed:
      throw Problem(.notFound, "this transaction is recorded, but belongs to no account yet")
    case .unknown: throw Self.unknownAccount
    }
  }

  /// Rejects unknown products and balances: a misspelled name would create a new balance or entitlement. Also rejects
  /// consumables, which have a balance instead of an entitlement. Accepts a request that was entered before, because
  /// the products may have changed since.
  private func checkKnown(_ request: AdjustmentRequest, _ account: String) async throws {
    if let identifier = request.requestIdentifier,
      try await services.ledger.hasEntry(ofRequest: identifier, account: account)
    {
      return
    }
    let holdings = try await services.ledger.account(account)?.holdings.values.map(\.self) ?? []
    if let balance = request.balance {
      let known = Set(services.productCatalog.balances).union(holdings.flatMap(\.balances.keys))
      guard !known.contains(balance) else { return }
      let names = known.isEmpty ? "none" : known.sorted().joined(separator: ", ")
      throw Problem(.malformedRequest, "there is no balance '\(balance)', expected one of: \(names)")
    }
    guard let product = request.product else { return }
    if case .credits? = services.productCatalog.offers[product] {
      throw Problem(.malformedRequest, "'\(product)' is a consumable, expected a balance and an amount")
    }
    guard services.productCatalog.offers[product] == nil,
      !holdings.contains(where: { $0.entitlements.contains { $0.productIdentifier == product } }),
      try await !services.products.current().products.contains(product)
    else { return }
    throw Problem(
      .malformedRequest,
      "there is no product '\(product)' in the file of products, in the store or in the account")
  }

  private static var unknownAccount: Problem { Problem(.notFound, "there is no such account") }

  /// Grants or revokes a product, or an amount of a balance, once for each request identifier.
  func adjust(_ request: Request, _ endpoint: Endpoint, _ identifier: String) async throws -> Response {
    let adjustmentRequest = try AdjustmentRequest(
      try await request.json(atMost: AdjustmentRequest.maximumBodySize, body))
    let environment = adjustmentRequest.environment
    guard services.verifier.acceptedEnvironments.contains(environment) else {
      let names = services.verifier.acceptedEnvironments.map(\.rawValue).joined(separator: ", ")
      throw Problem(
        .malformedRequest,
        "the server accepts no purchases of the environment '\(environment.rawValue)', expected one of \(names)"
      )
    }
    let account = try await account(matching: identifier, in: environment)
    try await checkKnown(adjustmentRequest, account)
    let adjustment: Ledger.Adjustment =
      adjustmentRequest.product.map { .product($0) }
      ?? .balance(adjustmentRequest.balance ?? "", amount: adjustmentRequest.amount ?? 0)
    let outcome =
      endpoint == .grant
      ? try await services.ledger.grant(
        adjustment, to: account, environment: environment, reason: adjustmentRequest.reason,
        by: adjustmentRequest.operatorName, requestIdentifier: adjustmentRequest.requestIdentifier)
      : try await services.ledger.revoke(
        adjustment, from: account, environment: environment, reason: adjustmentRequest.reason,
        by: adjustmentRequest.operatorName, requestIdentifier: adjustmentRequest.requestIdentifier)
    switch outcome {
    case .unknownAccount: throw Self.unknownAccount
    case .conflict: throw Problem(.conflict, "another request was made with this requestId")
    case .entered, .repeated:
      let holdings = try await services.ledger.holdings(of: account, in: environment)
      return .json {
        $0.member("status", outcome == .entered ? "entered" : "repeated")
        $0.members(holdings)
      }
    }
  }
}
