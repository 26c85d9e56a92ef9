extension LedgerTransaction {
  /// Enters a notification once, and what follows from it (see `Ledger.record`).
  func record(_ event: PurchaseEvent) throws(LedgerError) -> Ledger.EventOutcome {
    var entry = LedgerEntry(.notification, environment: event.environment.rawValue)
    entry.notificationIdentifier = event.identifier
    entry.signedDate = event.signedDate
    entry.reason = [event.type, event.subtype].compactMap(\.self).joined(separator: " ").ledgerText
    let purchase = event.purchase.flatMap { $0.rejection(settings.products) == nil ? $0 : nil }
    let key = purchase.map { PurchaseKey($0, isConsumable: $0.isConsumable(settings.products)) }
    entry.purchase = key?.key
    entry.transactionIdentifier = purchase?.transactionIdentifier
    entry.product = purchase?.productIdentifier
    entry.digest = purchase?.sourceDigest
    guard try enter(entry) != nil else { return .duplicate }
    guard let key, let known = event.effectivePurchase else { return .recorded }
    var entered = try self.purchase(key, known)
    _ = try observe(known, key)
    if let gracePeriod = event.gracePeriod { _ = try observe(gracePeriod, key) }
    if entered.account == nil, let token = known.appAccountToken {
      try give(&entered, to: try account(token: token.lowercased(), isSigned: true), .claim)
    }
    try settle(entered, reason: event.type)
    return .recorded
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
    purchase.transactionIdentifier = "grace-period"
    purchase.signedDate = renewal.signedDate
    purchase.expiresDate = renewal.gracePeriodEnd ?? TransactionState.never
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
