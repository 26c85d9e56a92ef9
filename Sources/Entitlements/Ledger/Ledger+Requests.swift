extension Ledger {
  /// Enters purchases for an account, with a separate result for each.
  ///
  /// Each purchase counts once, no matter how often and to which server it is presented.
  ///
  /// - Throws: `invalid` if there are more than 10,000 purchases, or the claimed token is empty, has more than 1,000
  ///   bytes or a control character; otherwise an error of the database.
  public func present(
    _ purchases: [Purchase], by presenter: Presenter = .unknown
  ) async throws(LedgerError) -> Presentation {
    guard purchases.count <= LedgerLimits.maximumPurchaseCount else {
      throw .invalid(
        reason:
          "there are \(purchases.count) purchases, expected at most \(LedgerLimits.maximumPurchaseCount)")
    }
    if case .claiming(let token) = presenter { try Self.check(token, "appAccountToken") }
    return try await write { (transaction) throws(LedgerError) in
      try transaction.present(purchases, by: presenter)
    }
  }

  /// The result of recording a notification.
  public enum EventOutcome: Equatable, Sendable {
    case recorded
    /// The notification was recorded before.
    case duplicate
    /// The notification is recorded, but the ledger cannot accept its purchase. A purchase of an unknown product counts
    /// once the products file has credits for it.
    case withoutEffect(PurchaseOutcome.Rejection)
  }

  /// Records an App Store notification once, and applies its effects.
  ///
  /// - Throws: `invalid` if the identifier, type or environment is empty, has more than 1,000 bytes or a control
  ///   character; otherwise an error of the database.
  public func record(_ event: PurchaseEvent) async throws(LedgerError) -> EventOutcome {
    try Self.check(event.identifier, "notificationUUID")
    try Self.check(event.type, "notificationType")
    try Self.check(event.environment.rawValue, "environment")
    return try await write { (transaction) throws(LedgerError) in try transaction.record(event) }
  }

  /// Returns the holdings of an account in an environment; empty if the account is unknown.
  public func holdings(
    of account: String, in environment: StoreEnvironment
  ) async throws(LedgerError) -> Holdings {
    try await read { (transaction) throws(LedgerError) in
      try transaction.holdings(of: account, in: environment.rawValue)
    }
  }

  /// Returns the current entitlements of an account in an environment, sorted by product identifier. With keys of
  /// purchases (`Presentation.Access.limited`), returns only the entitlements that these purchases give.
  public func entitlements(
    of account: String, in environment: StoreEnvironment, from purchases: Set<String>? = nil
  ) async throws(LedgerError) -> [Entitlement] {
    try await read { (transaction) throws(LedgerError) in
      try transaction.entitlements(of: account, in: environment.rawValue, from: purchases)
    }
  }

  /// Returns the balances of an account in an environment, by name.
  public func balances(
    of account: String, in environment: StoreEnvironment
  ) async throws(LedgerError) -> [String: Int64] {
    try await read { (transaction) throws(LedgerError) in
      try transaction.balances(of: account, in: environment.rawValue)
    }
  }

  /// The result of a spend request.
  public enum SpendOutcome: Equatable, Sendable {
    /// The amount was spent, and `remaining` is the new balance.
    case spent(remaining: Int64)
    /// The same request was entered before, and this call spent nothing. `remaining` is the current balance.
    case repeated(remaining: Int64)
    /// The balance is too low. Nothing was spent, and the request may be retried.
    case insufficient(available: Int64)
    /// Another request has the same identifier.
    case conflict
  }

  /// Spends an amount once for each request of an account, and never more than the balance.
  ///
  /// - Throws: `invalid` if the amount is not from 1 to 1,000,000,000, or a text is empty, has more than 1,000 bytes or
  ///   a control character; otherwise an error of the database.
  public func spend(
    _ amount: Int64, of balance: String, account: String, environment: StoreEnvironment,
    requestIdentifier: String
  ) async throws(LedgerError) -> SpendOutcome {
    try Self.check(amount)
    try Self.check(balance, "balance")
    try Self.check(requestIdentifier, "requestId")
    var entry = LedgerEntry(
      .spend, environment: environment.rawValue, account: account, balance: balance, amount: -amount)
    entry.requestIdentifier = requestIdentifier
    return try await write { [entry] (transaction) throws(LedgerError) in try transaction.spend(entry) }
  }

  /// A product or an amount that support staff grant or revoke.
  public enum Adjustment: Equatable, Sendable {
    case product(String)
    /// The name of a balance, and an amount from 1 to 1,000,000,000.
    case balance(String, amount: Int64)
  }

  /// The result of an adjustment.
  public enum AdjustmentOutcome: Equatable, Sendable {
    case entered
    /// The same request was entered before, and this call changed nothing.
    case repeated
    /// Another request has the same identifier.
    case conflict
    case unknownAccount
  }

  /// Grants an account a product or an amount, for a reason and by a named operator.
  ///
  /// A grant ends the withholding of a product. A request with an identifier counts once.
  ///
  /// - Throws: `invalid` if the amount is not from 1 to 1,000,000,000, or a text is empty, has more than 1,000 bytes or
  ///   a control character; otherwise an error of the database.
  public func grant(
    _ adjustment: Adjustment, to account: String, environment: StoreEnvironment, reason: String,
    by operatorName: String, requestIdentifier: String? = nil
  ) async throws(LedgerError) -> AdjustmentOutcome {
    try await adjust(.grant, adjustment, account, environment, reason, operatorName, requestIdentifier)
  }

  /// Revokes a product or an amount of an account, for a reason and by a named operator.
  ///
  /// A product, granted or bought, is withheld until the next grant. A balance can become negative. A request with an
  /// identifier counts once.
  ///
  /// - Throws: As `grant`.
  public func revoke(
    _ adjustment: Adjustment, from account: String, environment: StoreEnvironment, reason: String,
    by operatorName: String, requestIdentifier: String? = nil
  ) async throws(LedgerError) -> AdjustmentOutcome {
    try await adjust(.revoke, adjustment, account, environment, reason, operatorName, requestIdentifier)
  }

  private func adjust(
    _ kind: LedgerEntry.Kind, _ adjustment: Adjustment, _ account: String, _ environment: StoreEnvironment,
    _ reason: String, _ operatorName: String, _ requestIdentifier: String?
  ) async throws(LedgerError) -> AdjustmentOutcome {
    try Self.check(reason, "reason")
    try Self.check(operatorName, "operator")
    try Self.check(environment.rawValue, "environment")
    var entry = LedgerEntry(kind, environment: environment.rawValue, account: account, reason: reason)
    entry.operatorName = operatorName
    switch adjustment {
    case .product(let product):
      try Self.check(product, "product identifier")
      entry.product = product
    case .balance(let balance, let amount):
      try Self.check(balance, "balance")
      try Self.check(amount)
      entry.balance = balance
      entry.amount = kind == .grant ? amount : -amount
    }
    if let requestIdentifier { try Self.check(requestIdentifier, "requestId") }
    entry.requestIdentifier = requestIdentifier
    return try await write { [entry] (transaction) throws(LedgerError) in try transaction.adjust(entry) }
  }

  /// Returns whether an account has an entry of a request. Another request with this identifier enters nothing.
  public func hasEntry(ofRequest identifier: String, account: String) async throws(LedgerError) -> Bool {
    try Self.check(identifier, "requestId")
    return try await read { (transaction) throws(LedgerError) in
      try transaction.hasEntry(ofRequest: identifier, account: account)
    }
  }

  /// Returns whether an account exists.
  public func hasAccount(_ account: String) async throws(LedgerError) -> Bool {
    try await read { (transaction) throws(LedgerError) in try transaction.exists(account) }
  }

  /// Returns the account with an identifier: its own, its signed `appAccountToken`, or the (original) transaction
  /// identifier of one of its purchases. Searches the purchases of `environment` first.
  public func account(
    matching identifier: String, in environment: StoreEnvironment = .production
  ) async throws(LedgerError) -> AccountMatch {
    try await read { (transaction) throws(LedgerError) in
      try transaction.account(matching: identifier, in: environment)
    }
  }

  /// Returns the details of an account; nil if it does not exist.
  public func account(_ account: String) async throws(LedgerError) -> AccountRecord? {
    try await read { (transaction) throws(LedgerError) in try transaction.record(of: account) }
  }

  /// Checks that the database answers and has room for a request. Writes more data than a request needs, and waits until
  /// the data is on disk.
  public func probe() async throws(LedgerError) {
    try await read { (transaction) throws(LedgerError) in try transaction.connection.run("SELECT 1") }
    try await write { (transaction) throws(LedgerError) in try transaction.probe() }
  }

  /// Returns the names of the settings that the PostgreSQL server has turned off, so that a power failure can lose or
  /// damage entries: `fsync` and `full_page_writes`.
  public func disabledDurabilitySettings() async throws(LedgerError) -> [String] {
    try await read { (transaction) throws(LedgerError) in try transaction.disabledDurabilitySettings() }
  }

  private static func check(_ text: String, _ name: String) throws(LedgerError) {
    guard text.isLedgerText else {
      throw .invalid(
        reason: "the \(name) is not 1 to \(LedgerLimits.maximumTextLength) bytes without control characters")
    }
  }

  private static func check(_ amount: Int64) throws(LedgerError) {
    guard (1...LedgerLimits.maximumAmount).contains(amount) else {
      throw .invalid(reason: "the amount is \(amount), expected 1 to \(LedgerLimits.maximumAmount)")
    }
  }
}
