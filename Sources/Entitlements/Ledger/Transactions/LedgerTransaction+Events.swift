extension LedgerTransaction {
  /// Records a notification once, and applies its effects (see `Ledger.record`).
  func record(_ event: PurchaseEvent) throws(LedgerError) -> Ledger.EventOutcome {
    var entry = LedgerEntry(.notification, environment: event.environment.rawValue)
    entry.notificationIdentifier = event.identifier
    entry.signedDate = event.signedDate
    entry.reason = [event.type, event.subtype].compactMap(\.self).joined(separator: " ").ledgerText
    var rejection: PurchaseOutcome.Rejection?
    if let purchase = event.purchase { rejection = try self.rejection(of: purchase) }
    // Purchases of products that the file lacks are stored too, so that refunds count once the file is corrected.
    let purchase = rejection == nil || rejection == .unknownProduct ? event.purchase : nil
    let key = purchase.map { PurchaseKey($0, isConsumable: $0.isConsumable(settings.products)) }
    entry.purchase = key?.key
    entry.transactionIdentifier = purchase?.transactionIdentifier
    entry.product = purchase?.productIdentifier
    entry.digest = purchase?.sourceDigest
    let isNew = try enter(entry) != nil
    if !isNew {
      // A notification that arrived before the file had its product takes effect when it is sent again.
      guard rejection == nil, let key, try isWithoutCredits(key) else { return .duplicate }
    }
    guard let known = event.effectivePurchase else { return .recorded }
    guard let key else { return rejection.map { .withoutEffect($0) } ?? .recorded }
    var entered = try self.purchase(key, known)
    _ = try storeState(of: known, key)
    if let gracePeriod = event.gracePeriod { _ = try storeState(of: gracePeriod, key) }
    if let upgrade = event.upgrade { _ = try storeState(of: upgrade, key) }
    if let rejection, entered.account == nil {
      try rejectUnknown(key, token: known.appAccountToken)
      return .withoutEffect(rejection)
    }
    if entered.account == nil, let token = known.appAccountToken {
      let owner = try account(token: token.lowercased())
      // The account's first purchase proves the account. For any other purchase, the first presentation decides.
      try assign(&entered, to: owner, .claim, try isFirst(key, of: owner) ? .proven : .open)
    }
    try settle(entered, reason: event.type)
    return .recorded
  }

  /// Returns whether a purchase is a consumable without an owner and without known credits.
  private func isWithoutCredits(_ key: PurchaseKey) throws(LedgerError) -> Bool {
    let known = try connection.first(
      "SELECT 1 FROM purchases WHERE environment = ?1 AND key = ?2 AND is_consumable = 1 AND account IS NULL",
      [.text(key.environment), .text(key.key)])
    guard known != nil else { return false }
    return try appliedCredits(key).isEmpty
  }
}

extension PurchaseEvent {
  /// The notification types whose signed transaction changes a customer's rights. Other notifications are only recorded.
  private static let changing: Set<String> = [
    "DID_CHANGE_RENEWAL_PREF", "DID_FAIL_TO_RENEW", "DID_RENEW", "EXPIRED", "GRACE_PERIOD_EXPIRED",
    "OFFER_REDEEMED",
    "ONE_TIME_CHARGE", "REFUND", "REFUND_REVERSED", "RENEWAL_EXTENDED", "REVOKE", "SUBSCRIBED",
  ]

  /// The purchase with the changes of the notification; nil if the notification changes no rights.
  ///
  /// The notification type supplies a revocation that the transaction does not state, or removes a reversed one.
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

  /// The grace period of a subscription, as an additional transaction. The newest renewal information extends or ends the
  /// period. Nil if the notification has no renewal information for a subscription.
  var gracePeriod: Purchase? {
    guard let renewal, var purchase, purchase.expiresDate != nil else { return nil }
    purchase.transactionIdentifier = TransactionState.gracePeriodIdentifier
    purchase.signedDate = renewal.signedDate
    purchase.expiresDate = renewal.gracePeriodEnd ?? TransactionState.noPeriod
    purchase.revocation = nil
    return purchase
  }

  /// An immediate change to another product of the subscription group, as an additional transaction of the
  /// subscription. The new product replaces all earlier products. Nil for other notifications.
  var upgrade: Purchase? {
    guard type == "DID_CHANGE_RENEWAL_PREF", subtype == "UPGRADE", var purchase, !purchase.isUpgraded else {
      return nil
    }
    purchase.transactionIdentifier = TransactionState.upgradeIdentifier
    purchase.expiresDate = TransactionState.noPeriod
    purchase.revocation = nil
    return purchase
  }
}

extension String {
  /// The text as an entry can store it: without control characters and limited in length.
  fileprivate var ledgerText: String {
    guard !isLedgerText else { return self }
    let plain = unicodeScalars.filter { $0.properties.generalCategory != .control }
    return String(plain.prefix(100).map(Character.init))
  }
}
