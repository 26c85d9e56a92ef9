extension LedgerTransaction {
  /// Enters a notification once, and what follows from it (see `Ledger.record`).
  func record(_ event: PurchaseEvent) throws(LedgerError) -> Ledger.EventOutcome {
    var entry = LedgerEntry(.notification, environment: event.environment.rawValue)
    entry.notificationIdentifier = event.identifier
    entry.signedDate = event.signedDate
    entry.reason = [event.type, event.subtype].compactMap(\.self).joined(separator: " ").ledgerText
    var rejection: PurchaseOutcome.Rejection?
    if let purchase = event.purchase { rejection = try self.rejection(of: purchase) }
    // What the file of products does not know yet is remembered, so that a refund counts however late the file is mended.
    let purchase = rejection == nil || rejection == .unknownProduct ? event.purchase : nil
    let key = purchase.map { PurchaseKey($0, isConsumable: $0.isConsumable(settings.products)) }
    entry.purchase = key?.key
    entry.transactionIdentifier = purchase?.transactionIdentifier
    entry.product = purchase?.productIdentifier
    entry.digest = purchase?.sourceDigest
    let isNew = try enter(entry) != nil
    if !isNew {
      // One that came while the file did not know its product takes effect when it comes again.
      guard rejection == nil, let key, try isWithoutCredits(key) else { return .duplicate }
    }
    guard let key, let known = event.effectivePurchase else { return .recorded }
    var entered = try self.purchase(key, known)
    _ = try observe(known, key)
    if let gracePeriod = event.gracePeriod { _ = try observe(gracePeriod, key) }
    if let upgrade = event.upgrade { _ = try observe(upgrade, key) }
    guard rejection == nil || entered.account != nil else { return .unknownProduct }
    if entered.account == nil, let token = known.appAccountToken {
      let owner = try account(token: token.lowercased(), isSigned: true)
      try give(&entered, to: owner, .claim, isCreated(owner) ? .proven : .open)
    }
    try settle(entered, reason: event.type)
    return .recorded
  }

  /// Whether a purchase is known as a consumable whose credits are not.
  private func isWithoutCredits(_ key: PurchaseKey) throws(LedgerError) -> Bool {
    let known = try connection.first(
      "SELECT 1 FROM purchases WHERE environment = ?1 AND key = ?2 AND is_consumable = 1 AND account IS NULL",
      [.text(key.environment), .text(key.key)])
    guard known != nil else { return false }
    return try appliedCredits(key).isEmpty
  }
}

extension PurchaseEvent {
  /// The types of notifications that change what a customer has, each with its signed transaction. All others are only
  /// recorded.
  private static let changing: Set<String> = [
    "DID_CHANGE_RENEWAL_PREF", "DID_FAIL_TO_RENEW", "DID_RENEW", "EXPIRED", "GRACE_PERIOD_EXPIRED",
    "OFFER_REDEEMED",
    "ONE_TIME_CHARGE", "REFUND", "REFUND_REVERSED", "RENEWAL_EXTENDED", "REVOKE", "SUBSCRIBED",
  ]

  /// What the notification says about the purchase; nil if it changes nothing.
  ///
  /// Where the transaction does not say itself that it was taken back or given back, the type does.
  var effectivePurchase: Purchase? {
    guard Self.changing.contains(type), var purchase else { return nil }
    switch type {
    case "REFUND", "REVOKE":
      purchase.revocation = purchase.revocation ?? Purchase.Revocation(date: purchase.signedDate)
    case "REFUND_REVERSED": purchase.revocation = nil
    default: break
    }
    return purchase
  }

  /// The grace period of a subscription as one more transaction of it, which the newest renewal information prolongs or ends;
  /// nil if the notification says nothing about one.
  var gracePeriod: Purchase? {
    guard let renewal, var purchase, purchase.expiresDate != nil else { return nil }
    purchase.transactionIdentifier = TransactionState.gracePeriod
    purchase.signedDate = renewal.signedDate
    purchase.expiresDate = renewal.gracePeriodEnd ?? TransactionState.never
    purchase.revocation = nil
    return purchase
  }

  /// A change to another product of the subscription's group at once, as one more transaction of the subscription: the
  /// product replaces the others from then on. Nil if the notification says nothing about one.
  var upgrade: Purchase? {
    guard type == "DID_CHANGE_RENEWAL_PREF", subtype == "UPGRADE", var purchase, !purchase.isUpgraded else {
      return nil
    }
    purchase.transactionIdentifier = TransactionState.upgrade
    purchase.expiresDate = TransactionState.never
    purchase.revocation = nil
    return purchase
  }
}

extension String {
  /// The text as an entry can hold it: without control characters, and not too long.
  fileprivate var ledgerText: String {
    guard !isLedgerText else { return self }
    let plain = unicodeScalars.filter { $0.properties.generalCategory != .control }
    return String(plain.prefix(100).map(Character.init))
  }
}
