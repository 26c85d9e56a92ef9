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

  /// The purchases of one environment and the account that presents them.
  private struct Part {
    let environment: StoreEnvironment
    let presenter: Presenter
    let account: String
    var presented: [Presented]

    /// Whether the presenter has the account's token.
    var isPresenterProven: Bool { if case .account(account, _, _) = presenter { true } else { false } }
  }

  /// Enters purchases for an account (see `Ledger.present`). Purchases of several environments count as if presented
  /// separately, so that no environment proves anything in another.
  func present(_ purchases: [Purchase], by presenter: Presenter) throws(LedgerError) -> Presentation {
    let rejections = try purchases.map { (purchase) throws(LedgerError) in try rejection(of: purchase) }
    let places = purchases.indices.filter { rejections[$0] == nil }
    let presented = try enter(purchases, at: places)
    var isNew: Set<Int> = []
    for purchase in presented {
      for place in purchase.places where try observe(purchases[place], purchase.known.key) {
        isNew.insert(place)
      }
    }
    var parts: [Part] = []
    let environments = Dictionary(grouping: presented, by: \.known.key.environment)
    for (name, presented) in environments.sorted(by: { $0.key < $1.key }) {
      let environment = StoreEnvironment(rawValue: name)
      let presenter = try current(presenter.known(in: environment), in: environment)
      parts.append(try claim(presented, by: presenter, in: environment))
    }
    for place in purchases.indices where rejections[place] == .unknownProduct {
      try enterUnknown(purchases[place])
    }
    var results = rejections.map { $0.map(PurchaseOutcome.rejected) ?? .duplicate }
    for purchase in parts.flatMap(\.presented) {
      for place in purchase.places {
        let isPeriod = purchases[place].expiresDate != nil && isNew.contains(place)
        results[place] = Self.outcome(purchase, isNew: place == purchase.places.first || isPeriod, isPeriod)
      }
    }
    try finish()
    var presentation = Presentation(account: nil, results: results, holdings: [:])
    for part in parts {
      presentation.holdings[part.environment] = try holdings(of: part, access(part))
    }
    if let part = parts.first(where: { $0.environment == presentation.environment }) {
      (presentation.account, presentation.access) = (part.account, access(part))
      presentation.beginnings = try beginnings(of: part.account, in: part.environment.rawValue)
    }
    return presentation
  }

  /// Returns the presenter; unknown if the account began again since its token was issued. Locks the account, so that it
  /// does not begin again concurrently.
  private func current(
    _ presenter: Presenter, in environment: StoreEnvironment
  ) throws(LedgerError) -> Presenter {
    guard case .account(let account, _, let beginnings) = presenter, settings.accountProof == .purchase else {
      return presenter
    }
    try lock(account)
    return try isCurrent(beginnings, of: account, in: environment.rawValue) ? presenter : .unknown
  }

  private func holdings(of part: Part, _ access: Presentation.Access) throws(LedgerError) -> Holdings {
    let environment = part.environment.rawValue
    if case .limited(let keys) = access {
      return Holdings(entitlements: try entitlements(of: part.account, in: environment, from: Set(keys)))
    }
    // A rejected purchase proves nothing of the account that its token names.
    guard access == .full || settings.accountProof == .token || part.isPresenterProven else {
      return Holdings()
    }
    return try holdings(of: part.account, in: environment)
  }

  /// Returns the access that purchases of the account give the presenter.
  private func access(_ part: Part) -> Presentation.Access {
    let presented = part.presented.filter { !$0.isRejected }
    if presented.isEmpty { return .none }
    if settings.accountProof == .token { return .full }
    let isProven = presented.contains {
      $0.known.account == part.account && $0.known.proof == .proven && !$0.isRevoked
    }
    if isProven { return .full }
    // The presenter already has the account's token and needs no other.
    if part.isPresenterProven { return .none }
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

  /// Returns the presenting account, and creates it if needed.
  private func account(
    of presenter: Presenter, _ presented: [Presented]
  ) throws(LedgerError) -> String {
    // Of several possible accounts, that of the first presented purchase wins.
    let presented = presented.sorted { ($0.places.first ?? 0) < ($1.places.first ?? 0) }
    switch presenter {
    case .account(let account, _, _) where try exists(account): return account
    case .claiming(let token):
      let token = token.lowercased()
      if presented.contains(where: { $0.token == token }) { return try account(token: token) }
      if let signed = try knownAccount(token: token),
        presented.contains(where: { $0.known.account == signed })
      {
        return signed
      }
    case .unknown, .account: break
    }
    if let token = presented.lazy.compactMap(\.token).first { return try account(token: token) }
    if let owner = presented.lazy.compactMap(\.known.account).first { return owner }
    return try makeAccount(token: nil)
  }

  /// Claims the purchases of one environment.
  private func claim(
    _ presented: [Presented], by presenter: Presenter, in environment: StoreEnvironment
  ) throws(LedgerError) -> Part {
    let account = try self.account(of: presenter, presented)
    var part = Part(environment: environment, presenter: presenter, account: account, presented: presented)
    var bearer: String?
    if case .account(let proven, _, _) = presenter { bearer = proven }
    for index in presented.indices { try claim(&part.presented[index], for: account, bearer: bearer) }
    return part
  }

  /// Gives an unowned purchase to its account, and applies the policy to a purchase of another account.
  private func claim(
    _ purchase: inout Presented, for presenter: String, bearer: String?
  ) throws(LedgerError) {
    let key = purchase.known.key
    var owner = purchase.known.account
    if owner == nil {
      owner = presenter
      if let token = purchase.token { owner = try account(token: token) }
      if let owner {
        try give(&purchase.known, to: owner, .claim, try proof(of: owner, with: key, by: bearer))
      }
      purchase.isClaimed = owner == presenter
    } else if purchase.known.proof == .open, owner == presenter, let owner {
      let proof = try proof(of: owner, with: key, by: bearer)
      if proof != .open { try prove(&purchase.known, proof) }
    }
    if owner != presenter { try decide(&purchase, presenter, bearer: bearer) }
    purchase.isRevoked = try settle(purchase.known, reason: "purchase")
    if !purchase.isRevoked { try begin(purchase.known) }
  }

  /// Applies the policy to a purchase of another account.
  private func decide(
    _ purchase: inout Presented, _ presenter: String, bearer: String?
  ) throws(LedgerError) {
    let key = purchase.known.key
    if try isShared(key, with: presenter) { return }
    switch settings.onOtherAccount {
    case .transfer where !purchase.known.isConsumable:
      var proof = PurchaseProof.proven
      if try !hasProven(key, presenter) {
        proof = try self.proof(of: presenter, with: key, by: bearer)
      }
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

  /// Returns whether a purchase proved an account that owned it earlier, and the account did not begin again since.
  private func hasProven(_ key: PurchaseKey, _ account: String) throws(LedgerError) -> Bool {
    try connection.first(
      """
      SELECT CASE kind WHEN 'begin' THEN 'unproven' ELSE COALESCE(proof, 'proven') END FROM entries
      WHERE account = ?1 AND environment = ?2 AND ((purchase = ?3 AND kind IN ('claim', 'transfer', 'prove'))
      OR (purchase <> ?3 AND kind = 'begin')) ORDER BY sequence DESC LIMIT 1
      """, [.text(account), .text(key.environment), .text(key.key)])?.text(0) == PurchaseProof.proven.rawValue
  }

  /// Makes an account the owner of a purchase.
  func give(
    _ purchase: inout KnownPurchase, to account: String, _ kind: LedgerEntry.Kind, _ proof: PurchaseProof,
    reason: String? = nil
  ) throws(LedgerError) {
    try connection.run(
      "UPDATE purchases SET account = ?3, proof = ?4 WHERE environment = ?1 AND key = ?2",
      [
        .text(purchase.key.environment), .text(purchase.key.key), .text(account), .text(proof.rawValue),
      ])
    var entry = LedgerEntry(
      kind, environment: purchase.key.environment, account: account, purchase: purchase.key.key,
      reason: reason ?? purchase.account.map { "from \($0)" })
    entry.proof = proof.rawValue
    try enter(entry)
    purchase.isClaimed = kind == .claim
    purchase.account = account
    purchase.proof = proof
  }

  /// Returns the proof that a purchase gives when it enters an account: `proven` if the presenter has the account's
  /// token for the environment or the purchase is the account's first there. A revoked purchase is not the first: its
  /// proof stays open.
  private func proof(
    of account: String, with key: PurchaseKey, by bearer: String?
  ) throws(LedgerError) -> PurchaseProof {
    if account == bearer { return .proven }
    guard try canBegin(account, with: key) else { return .unproven }
    return try isRevoked(key) ? .open : .proven
  }

  /// Stores the proof of a purchase that was open.
  func prove(
    _ purchase: inout KnownPurchase, _ proof: PurchaseProof, reason: String? = nil
  ) throws(LedgerError) {
    try connection.run(
      "UPDATE purchases SET proof = ?3 WHERE environment = ?1 AND key = ?2",
      [.text(purchase.key.environment), .text(purchase.key.key), .text(proof.rawValue)])
    var entry = LedgerEntry(
      .prove, environment: purchase.key.environment, account: purchase.account, purchase: purchase.key.key,
      reason: reason)
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
