extension LedgerTransaction {
  /// A purchase that was presented under one or several transactions.
  private struct Presented {
    var known: KnownPurchase
    /// Where its transactions stand among those that were presented.
    var places: [Int] = []
    /// The account that the App Store's signature names.
    var token: String?
    /// Whether it became the presenter's now.
    var isClaimed = false
    var isRejected = false
    var isRevoked = false
  }

  /// Enters purchases for an account (see `Ledger.present`).
  func present(_ purchases: [Purchase], by presenter: Presenter) throws(LedgerError) -> Presentation {
    let rejections = purchases.map { $0.rejection(settings.products) }
    let places = purchases.indices.filter { rejections[$0] == nil }
    var presented = try enter(purchases, at: places)
    var isNew: Set<Int> = []
    for purchase in presented {
      for place in purchase.places where try observe(purchases[place], purchase.known.key) {
        isNew.insert(place)
      }
    }
    let account = try self.account(of: presenter, presented)
    for index in presented.indices { try claim(&presented[index], for: account) }
    var results = rejections.map { $0.map(PurchaseOutcome.rejected) ?? .duplicate }
    for purchase in presented {
      for place in purchase.places {
        let isPeriod = purchases[place].expiresDate != nil && isNew.contains(place)
        results[place] = Self.outcome(purchase, isNew: place == purchase.places.first || isPeriod, isPeriod)
      }
    }
    try finish()
    var holdings: [StoreEnvironment: Holdings] = [:]
    if let account {
      for environment in Set(places.map { purchases[$0].environment }) {
        holdings[environment] = try self.holdings(of: account, in: environment.rawValue)
      }
    }
    return Presentation(account: account, results: results, holdings: holdings)
  }

  /// Enters or finds the purchases, in the order of their keys.
  private func enter(_ purchases: [Purchase], at places: [Int]) throws(LedgerError) -> [Presented] {
    let groups = Dictionary(grouping: places) { place in
      PurchaseKey(purchases[place], isConsumable: purchases[place].isConsumable(settings.products))
    }
    var presented: [Presented] = []
    for (key, places) in groups.sorted(by: { $0.key < $1.key }) {
      guard let first = places.first else { continue }
      presented.append(
        Presented(
          known: try purchase(key, purchases[first]), places: places,
          token: places.lazy.compactMap { purchases[$0].appAccountToken?.lowercased() }.first))
    }
    return presented
  }

  /// The account that presents; nil if there is nothing that could tell or make one.
  private func account(
    of presenter: Presenter, _ presented: [Presented]
  ) throws(LedgerError) -> String? {
    // The order in which they were presented decides between several.
    let presented = presented.sorted { ($0.places.first ?? 0) < ($1.places.first ?? 0) }
    switch presenter {
    case .account(let account) where try exists(account): return account
    case .claiming(let token) where !presented.isEmpty:
      let token = token.lowercased()
      let signed = try knownAccount(token: token, isSigned: true)
      let isProven = presented.contains { $0.token == token || signed != nil && $0.known.account == signed }
      return try account(token: token, isSigned: isProven)
    case .unknown, .account, .claiming: break
    }
    if let token = presented.lazy.compactMap(\.token).first {
      return try account(token: token, isSigned: true)
    }
    if let owner = presented.lazy.compactMap(\.known.account).first { return owner }
    return presented.isEmpty ? nil : try makeAccount(token: nil, isSigned: false)
  }

  /// Gives a purchase to the account that it belongs to, and to the presenter what the policy allows.
  private func claim(_ purchase: inout Presented, for presenter: String?) throws(LedgerError) {
    var owner = purchase.known.account
    if owner == nil {
      owner = presenter
      if let token = purchase.token { owner = try account(token: token, isSigned: true) }
      if let owner { try give(&purchase.known, to: owner, .claim) }
      purchase.isClaimed = owner == presenter
    }
    if let presenter, owner != presenter { try decide(&purchase, presenter) }
    let settled = try settle(purchase.known, reason: "purchase")
    purchase.isRevoked = settled.isRevoked && settled.rights.isEmpty
  }

  /// What happens with a purchase of another account.
  private func decide(_ purchase: inout Presented, _ presenter: String) throws(LedgerError) {
    let key = purchase.known.key
    if try isShared(key, with: presenter) { return }
    switch settings.onOtherAccount {
    case .transfer where !purchase.known.isConsumable:
      try give(&purchase.known, to: presenter, .transfer)
      purchase.isClaimed = true
    case .share where !purchase.known.isConsumable:
      try connection.run(
        "INSERT INTO shares (environment, key, account) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        [.text(key.environment), .text(key.key), .text(presenter)])
      try enter(LedgerEntry(.share, environment: key.environment, account: presenter, purchase: key.key))
      purchase.isClaimed = true
    case .reject, .transfer, .share:
      try enter(LedgerEntry(.reject, environment: key.environment, account: presenter, purchase: key.key))
      purchase.isRejected = true
    }
  }

  private func isShared(_ key: PurchaseKey, with account: String) throws(LedgerError) -> Bool {
    try connection.first(
      "SELECT 1 FROM shares WHERE environment = ?1 AND key = ?2 AND account = ?3",
      [.text(key.environment), .text(key.key), .text(account)]) != nil
  }

  /// Makes an account the owner of a purchase.
  func give(
    _ purchase: inout KnownPurchase, to account: String, _ kind: LedgerEntry.Kind
  ) throws(LedgerError) {
    try connection.run(
      "UPDATE purchases SET account = ?3 WHERE environment = ?1 AND key = ?2",
      [.text(purchase.key.environment), .text(purchase.key.key), .text(account)])
    try enter(
      LedgerEntry(
        kind, environment: purchase.key.environment, account: account, purchase: purchase.key.key,
        reason: purchase.account.map { "from \($0)" }))
    purchase.isClaimed = kind == .claim
    purchase.account = account
  }

  private static func outcome(_ purchase: Presented, isNew: Bool, _ isPeriod: Bool) -> PurchaseOutcome {
    if purchase.isRejected { return .rejected(.otherAccount) }
    if purchase.isRevoked { return .revoked }
    return purchase.isClaimed && isNew || isPeriod ? .accepted : .duplicate
  }
}
