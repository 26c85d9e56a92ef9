extension Ledger {
  /// Enters purchases for an account, and answers each by itself.
  ///
  /// Each purchase counts once, however often and wherever it is presented.
  public func present(
    _ purchases: [Purchase], by presenter: Presenter = .unknown
  ) async throws(LedgerError) -> Presentation {
    guard purchases.count <= LedgerLimits.purchasesAtOnce else {
      throw .invalid(
        reason: "there are \(purchases.count) purchases, expected at most \(LedgerLimits.purchasesAtOnce)")
    }
    if case .claiming(let token) = presenter { try Self.check(token, "appAccountToken") }
    return try await write { (transaction) throws(LedgerError) in
      try transaction.present(purchases, by: presenter)
    }
  }

  /// What came of a notification.
  public enum EventOutcome: Equatable, Sendable {
    case recorded
    /// It was there before.
    case duplicate
    /// It is recorded, and its purchase counts once the file of products has credits for the product.
    case unknownProduct
  }

  /// Enters a notification of the App Store once, and what follows from it.
  public func record(_ event: PurchaseEvent) async throws(LedgerError) -> EventOutcome {
    try Self.check(event.identifier, "notificationUUID")
    try Self.check(event.type, "notificationType")
    try Self.check(event.environment.rawValue, "environment")
    return try await write { (transaction) throws(LedgerError) in try transaction.record(event) }
  }

  /// What an account holds in an environment. An account that is not known holds nothing.
  public func holdings(
    of account: String, in environment: StoreEnvironment
  ) async throws(LedgerError) -> Holdings {
    try await read { (transaction) throws(LedgerError) in
      try transaction.holdings(of: account, in: environment.rawValue)
    }
  }

  /// What an account is entitled to in an environment now, by all of its purchases or those with some keys, sorted by
  /// product identifier.
  public func entitlements(
    of account: String, in environment: StoreEnvironment, from purchases: Set<String>? = nil
  ) async throws(LedgerError) -> [Entitlement] {
    try await read { (transaction) throws(LedgerError) in
      try transaction.entitlements(of: account, in: environment.rawValue, from: purchases)
    }
  }

  /// The balances of an account in an environment, by name.
  public func balances(
    of account: String, in environment: StoreEnvironment
  ) async throws(LedgerError) -> [String: Int64] {
    try await read { (transaction) throws(LedgerError) in
      try transaction.balances(of: account, in: environment.rawValue)
    }
  }

  /// What came of spending.
  public enum SpendOutcome: Equatable, Sendable {
    /// It was spent, and this is what remains.
    case spent(remaining: Int64)
    /// The same request was entered before, and nothing was spent again. This is what remains now.
    case repeated(remaining: Int64)
    /// There is only so much. Nothing was spent, and the same request may be made again.
    case insufficient(available: Int64)
    /// Another request was entered under the same identifier.
    case conflict
  }

  /// Spends once for each request of an account, and never more than there is.
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

  /// What support staff give or take away.
  public enum Adjustment: Equatable, Sendable {
    case product(String)
    case balance(String, amount: Int64)
  }

  /// What came of an adjustment.
  public enum AdjustmentOutcome: Equatable, Sendable {
    case entered
    /// The same request was entered before, and nothing was changed again.
    case repeated
    /// Another request was entered under the same identifier.
    case conflict
    case unknownAccount
  }

  /// Gives an account a product or an amount, for a reason.
  ///
  /// A product that was withheld is no longer withheld. With a request identifier it counts once.
  public func grant(
    _ adjustment: Adjustment, to account: String, environment: StoreEnvironment, reason: String,
    requestIdentifier: String? = nil
  ) async throws(LedgerError) -> AdjustmentOutcome {
    try await adjust(.grant, adjustment, account, environment, reason, requestIdentifier)
  }

  /// Takes a product or an amount away from an account, for a reason.
  ///
  /// A product is withheld, be it granted or bought, until it is granted. A balance may fall below zero. With a request
  /// identifier it counts once.
  public func revoke(
    _ adjustment: Adjustment, from account: String, environment: StoreEnvironment, reason: String,
    requestIdentifier: String? = nil
  ) async throws(LedgerError) -> AdjustmentOutcome {
    try await adjust(.revoke, adjustment, account, environment, reason, requestIdentifier)
  }

  private func adjust(
    _ kind: LedgerEntry.Kind, _ adjustment: Adjustment, _ account: String, _ environment: StoreEnvironment,
    _ reason: String, _ requestIdentifier: String?
  ) async throws(LedgerError) -> AdjustmentOutcome {
    try Self.check(reason, "reason")
    try Self.check(environment.rawValue, "environment")
    var entry = LedgerEntry(kind, environment: environment.rawValue, account: account, reason: reason)
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

  /// Whether an account exists.
  public func knows(_ account: String) async throws(LedgerError) -> Bool {
    try await read { (transaction) throws(LedgerError) in try transaction.exists(account) }
  }

  /// The account that an identifier leads to: its own, its signed `appAccountToken` or the (original) transaction of one of
  /// its purchases; nil if there is none.
  public func account(behind identifier: String) async throws(LedgerError) -> String? {
    try await read { (transaction) throws(LedgerError) in try transaction.account(behind: identifier) }
  }

  /// What is known of an account; nil if there is none.
  public func account(_ account: String) async throws(LedgerError) -> AccountRecord? {
    try await read { (transaction) throws(LedgerError) in try transaction.record(of: account) }
  }

  /// Whether the database answers and takes writes: a row is written again as it is, and is on the disk then.
  public func probe() async throws(LedgerError) {
    try await read { (transaction) throws(LedgerError) in try transaction.connection.run("SELECT 1") }
    try await write { (transaction) throws(LedgerError) in
      try transaction.connection.run("UPDATE iapkg_schema SET applied = applied")
    }
  }

  private static func check(_ text: String, _ what: String) throws(LedgerError) {
    guard text.isLedgerText else {
      throw .invalid(
        reason: "the \(what) is not 1 to \(LedgerLimits.longestText) bytes without control characters")
    }
  }

  private static func check(_ amount: Int64) throws(LedgerError) {
    guard (1...LedgerLimits.largestAmount).contains(amount) else {
      throw .invalid(reason: "the amount is \(amount), expected 1 to \(LedgerLimits.largestAmount)")
    }
  }
}
