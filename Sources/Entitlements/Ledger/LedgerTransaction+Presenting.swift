extension LedgerTransaction {
  /// A purchase that was presented with one or several transactions.
  private struct Presented {
    var known: KnownPurchase
    /// The indices of its transactions among the presented purchases.
    var places: [Int] = []
    /// The `appAccountToken` that the App Store signed.
    var token: String?
    /// Whether the presenter gained the purchase in this transaction.
    var isClaimed = false
    var isRejected = false
    var isRevoked = false
  }

  /// Enters purchases for an account (see `Ledger.present`).
  func present(_ purchases: [Purchase], by presenter: Presenter) throws(LedgerError) -> Presentation {
    let rejections = try purchases.map { (purchase) throws(LedgerError) in try rejection(of: purchase) }
    let places = purchases.indices.filter { rejections[$0] == nil }
    var presented = try enter(purchases, at: places)
    var isNew: Set<Int> = []
    for purchase in presented {
      for place in purchase.places where try observe(purchases[place], purchase.known.key) {
        isNew.insert(place)
      }
    }
    let account = try self.account(of: presenter, presented)
    var bearer: String?
    if case .account(let proven) = presenter { bearer = proven }
    for index in presented.indices { try claim(&presented[index], for: account, bearer: bearer) }
    var results = rejections.map { $0.map(PurchaseOutcome.rejected) ?? .duplicate }
    for purchase in presented {
      for place in purchase.places {
        let isPeriod = purchases[place].expiresDate != nil && isNew.contains(place)
        results[place] = Self.outcome(purchase, isNew: place == purchase.places.first || isPeriod, isPeriod)
      }
    }
    try finish()
    guard let account else { return Presentation(account: nil, results: results, holdings: [:]) }
    let access = access(presenter, presented.filter { !$0.isRejected }, account)
    var holdings: [StoreEnvironment: Holdings] = [:]
    for environment in Set(places.map { purchases[$0].environment }) {
      if case .limited(let keys) = access {
        let known = try entitlements(of: account, in: environment.rawValue, from: Set(keys))
        holdings[environment] = Holdings(entitlements: known)
      } else {
        holdings[environment] = try self.holdings(of: account, in: environment.rawValue)
      }
    }
    return Presentation(account: account, results: results, holdings: holdings, access: access)
  }

  /// Returns the access that purchases of the account give the presenter.
  private func access(
    _ presenter: Presenter, _ presented: [Presented], _ account: String
  ) -> Presentation.Access {
    if settings.accountProof == .token { return presented.isEmpty ? .none : .full }
    if presented.contains(where: { $0.known.account == account && $0.known.proof == .proven }) {
      return .full
    }
    // The presenter already has the account's token and needs no other.
    if presenter == .account(account) { return .none }
    return .limited(presented.filter { !$0.known.isConsumable }.map(\.known.key.key))
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

  /// Returns the presenting account, and creates it if needed; nil if it is unknown and there are no purchases.
  private func account(
    of presenter: Presenter, _ presented: [Presented]
  ) throws(LedgerError) -> String? {
    // Of several possible accounts, that of the first presented purchase wins.
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

  /// Gives an unowned purchase to its account, and applies the policy to a purchase of another account.
  private func claim(
    _ purchase: inout Presented, for presenter: String?, bearer: String?
  ) throws(LedgerError) {
    var owner = purchase.known.account
    if owner == nil {
      owner = presenter
      if let token = purchase.token { owner = try account(token: token, isSigned: true) }
      if let owner { try give(&purchase.known, to: owner, .claim, proof(of: owner, by: bearer)) }
      purchase.isClaimed = owner == presenter
    } else if purchase.known.proof == .open, owner == presenter, let owner {
      try prove(&purchase.known, proof(of: owner, by: bearer))
    }
    if let presenter, owner != presenter {
      try decide(&purchase, presenter, proof(of: presenter, by: bearer))
    }
    let settled = try settle(purchase.known, reason: "purchase")
    purchase.isRevoked = settled.isRevoked && settled.rights.isEmpty
  }

  /// Applies the policy to a purchase of another account.
  private func decide(
    _ purchase: inout Presented, _ presenter: String, _ proof: PurchaseProof
  ) throws(LedgerError) {
    let key = purchase.known.key
    if try isShared(key, with: presenter) { return }
    switch settings.onOtherAccount {
    case .transfer where !purchase.known.isConsumable:
      try give(&purchase.known, to: presenter, .transfer, proof)
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
    _ purchase: inout KnownPurchase, to account: String, _ kind: LedgerEntry.Kind, _ proof: PurchaseProof
  ) throws(LedgerError) {
    try connection.run(
      "UPDATE purchases SET account = ?3, proof = ?4 WHERE environment = ?1 AND key = ?2",
      [
        .text(purchase.key.environment), .text(purchase.key.key), .text(account), .text(proof.rawValue),
      ])
    var entry = LedgerEntry(
      kind, environment: purchase.key.environment, account: account, purchase: purchase.key.key,
      reason: purchase.account.map { "from \($0)" })
    entry.proof = proof.rawValue
    try enter(entry)
    purchase.isClaimed = kind == .claim
    purchase.account = account
    purchase.proof = proof
  }

  /// Returns the proof that a purchase gives when it enters an account: `proven` if the presenter has the account's
  /// token or the purchase creates the account.
  private func proof(of account: String, by bearer: String?) -> PurchaseProof {
    account == bearer || isCreated(account) ? .proven : .unproven
  }

  /// Stores the proof of a purchase that arrived by notification, when its account first presents it.
  private func prove(_ purchase: inout KnownPurchase, _ proof: PurchaseProof) throws(LedgerError) {
    try connection.run(
      "UPDATE purchases SET proof = ?3 WHERE environment = ?1 AND key = ?2",
      [.text(purchase.key.environment), .text(purchase.key.key), .text(proof.rawValue)])
    var entry = LedgerEntry(
      .prove, environment: purchase.key.environment, account: purchase.account, purchase: purchase.key.key)
    entry.proof = proof.rawValue
    try enter(entry)
    purchase.proof = proof
  }

  private static func outcome(_ purchase: Presented, isNew: Bool, _ isPeriod: Bool) -> PurchaseOutcome {
    if purchase.isRejected { return .rejected(.otherAccount) }
    if purchase.isRevoked { return .revoked }
    return purchase.isClaimed && isNew || isPeriod ? .accepted : .duplicate
  }
}
