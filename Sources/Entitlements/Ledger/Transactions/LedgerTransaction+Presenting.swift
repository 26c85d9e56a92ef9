extension LedgerTransaction {
  /// A purchase that was presented with one or several transactions.
  private struct PresentedPurchase {
    var known: KnownPurchase
    /// The indices of its transactions among the presented purchases.
    var indices: [Int] = []
    /// The `appAccountToken` that the App Store signed.
    var token: String?
    /// Whether the presenter gained the purchase in this transaction.
    var isClaimed = false
    var isRejected = false
    var isRevoked = false
    /// Whether the purchase, which another account owns, proves the presenter's account.
    var provesPresenter = false
  }

  /// The purchases of one environment and the account that presents them.
  private struct EnvironmentGroup {
    let environment: StoreEnvironment
    let presenter: Presenter
    let account: String
    var presented: [PresentedPurchase]

    /// Whether the presenter has the account's token.
    var isPresenterProven: Bool { if case .account(account, _) = presenter { true } else { false } }
  }

  /// Enters purchases for an account (see `Ledger.present`). Purchases of several environments count as if presented
  /// separately, so that no environment proves anything in another.
  func present(_ purchases: [Purchase], by presenter: Presenter) throws(LedgerError) -> Presentation {
    let rejections = try purchases.map { (purchase) throws(LedgerError) in try rejection(of: purchase) }
    let indices = purchases.indices.filter { rejections[$0] == nil }
    let presented = try enter(purchases, at: indices)
    var isNew: Set<Int> = []
    for purchase in presented {
      for index in purchase.indices where try storeState(of: purchases[index], purchase.known.key) {
        isNew.insert(index)
      }
    }
    var groups: [EnvironmentGroup] = []
    let environments = Dictionary(grouping: presented, by: \.known.key.environment)
    for (name, presented) in environments.sorted(by: { $0.key < $1.key }) {
      let environment = StoreEnvironment(rawValue: name)
      groups.append(try claim(presented, by: presenter.limited(to: environment), in: environment))
    }
    for index in purchases.indices where rejections[index] == .unknownProduct {
      try enterUnknown(purchases[index])
    }
    var results = rejections.map { $0.map(PurchaseOutcome.rejected) ?? .duplicate }
    for purchase in groups.flatMap(\.presented) {
      for index in purchase.indices {
        let isPeriod = purchases[index].expiresDate != nil && isNew.contains(index)
        results[index] = Self.outcome(purchase, isNew: index == purchase.indices.first || isPeriod, isPeriod)
      }
    }
    try finish()
    var presentation = Presentation(account: nil, results: results, holdings: [:])
    for group in groups {
      presentation.holdings[group.environment] = try holdings(of: group, access(group))
    }
    if let group = groups.first(where: { $0.environment == presentation.environment }) {
      (presentation.account, presentation.access) = (group.account, access(group))
    }
    return presentation
  }

  private func holdings(
    of group: EnvironmentGroup, _ access: Presentation.Access
  ) throws(LedgerError) -> Holdings {
    let environment = group.environment.rawValue
    if case .limited(let keys) = access {
      return Holdings(entitlements: try entitlements(of: group.account, in: environment, from: Set(keys)))
    }
    // A rejected purchase proves nothing about the account that its token names.
    guard access == .full || settings.accountProof == .token || group.isPresenterProven else {
      return Holdings()
    }
    return try holdings(of: group.account, in: environment)
  }

  /// Returns the access that purchases of the account give the presenter.
  private func access(_ group: EnvironmentGroup) -> Presentation.Access {
    let presented = group.presented.filter { !$0.isRejected }
    if presented.isEmpty { return .none }
    if settings.accountProof == .token { return .full }
    let isProven = presented.contains {
      $0.provesPresenter || $0.known.account == group.account && $0.known.proof == .proven
    }
    if isProven { return .full }
    // The presenter already has the account's token and needs no other.
    if group.isPresenterProven { return .none }
    return .limited(presented.filter { !$0.known.isConsumable }.map(\.known.key.key))
  }

  /// Enters or finds the purchases, in the order of their keys.
  private func enter(_ purchases: [Purchase], at indices: [Int]) throws(LedgerError) -> [PresentedPurchase] {
    let groups = Dictionary(grouping: indices) { index in
      PurchaseKey(purchases[index], isConsumable: purchases[index].isConsumable(settings.products))
    }
    var presented: [PresentedPurchase] = []
    for (key, indices) in groups.sorted(by: { $0.key < $1.key }) {
      guard let first = indices.first else { continue }
      presented.append(
        PresentedPurchase(
          known: try purchase(key, purchases[first]), indices: indices,
          token: indices.lazy.compactMap { purchases[$0].appAccountToken?.lowercased() }.first))
    }
    return presented
  }

  /// Returns the presenting account, and creates it if needed.
  private func account(
    of presenter: Presenter, _ presented: [PresentedPurchase]
  ) throws(LedgerError) -> String {
    // Of several possible accounts, that of the first presented purchase wins.
    let presented = presented.sorted { ($0.indices.first ?? 0) < ($1.indices.first ?? 0) }
    switch presenter {
    case .account(let account, _) where try exists(account): return account
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
    _ presented: [PresentedPurchase], by presenter: Presenter, in environment: StoreEnvironment
  ) throws(LedgerError) -> EnvironmentGroup {
    let account = try self.account(of: presenter, presented)
    var group = EnvironmentGroup(
      environment: environment, presenter: presenter, account: account, presented: presented)
    var bearer: String?
    if case .account(let proven, _) = presenter { bearer = proven }
    for index in presented.indices { try claim(&group.presented[index], for: account, bearer: bearer) }
    return group
  }

  /// Gives an unowned purchase to its account, and applies the policy to a purchase of another account.
  private func claim(
    _ purchase: inout PresentedPurchase, for presenter: String, bearer: String?
  ) throws(LedgerError) {
    let key = purchase.known.key
    var owner = purchase.known.account
    if owner == nil {
      owner = presenter
      if let token = purchase.token { owner = try account(token: token) }
      if let owner {
        try assign(&purchase.known, to: owner, .claim, try proof(of: owner, with: key, by: bearer))
      }
      purchase.isClaimed = owner == presenter
    } else if purchase.known.proof == .open, owner == presenter, let owner {
      try prove(&purchase.known, try proof(of: owner, with: key, by: bearer))
    }
    if owner != presenter { try applyPolicy(to: &purchase, for: presenter, bearer: bearer) }
    purchase.isRevoked = try settle(purchase.known, reason: "purchase")
  }

  /// Applies the policy to a purchase of another account.
  private func applyPolicy(
    to purchase: inout PresentedPurchase, for presenter: String, bearer: String?
  ) throws(LedgerError) {
    let key = purchase.known.key
    if try isShared(key, with: presenter) {
      purchase.provesPresenter = try hasProven(key, presenter)
      return
    }
    switch settings.onOtherAccount {
    case .transfer where !purchase.known.isConsumable:
      var proof = PurchaseProof.proven
      if try !hasProven(key, presenter) {
        proof = try self.proof(of: presenter, with: key, by: bearer)
      }
      try assign(&purchase.known, to: presenter, .transfer, proof)
      purchase.isClaimed = true
    case .share where !purchase.known.isConsumable:
      try connection.run(
        "INSERT INTO shares (environment, key, account) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        [.text(key.environment), .text(key.key), .text(presenter)])
      let proof = try self.proof(of: presenter, with: key, by: bearer)
      var entry = LedgerEntry(.share, environment: key.environment, account: presenter, purchase: key.key)
      entry.proof = proof.rawValue
      try enter(entry)
      purchase.isClaimed = true
      purchase.provesPresenter = proof == .proven
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

  /// Returns whether a purchase proved an account when it entered the account. Entries of earlier versions have no
  /// proof: in those versions, each purchase proved its owner, and a shared purchase proved no other account.
  private func hasProven(_ key: PurchaseKey, _ account: String) throws(LedgerError) -> Bool {
    try connection.first(
      """
      SELECT 1 FROM entries WHERE account = ?1 AND environment = ?2 AND purchase = ?3
      AND (proof = 'proven' OR proof IS NULL AND kind IN ('claim', 'transfer', 'prove')) LIMIT 1
      """, [.text(account), .text(key.environment), .text(key.key)]) != nil
  }

  /// Makes an account the owner of a purchase.
  func assign(
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

  /// Returns the proof that a purchase gives when an account presents it first: `proven` if the presenter has the
  /// account's token for the environment, or the account began with the purchase.
  private func proof(
    of account: String, with key: PurchaseKey, by bearer: String?
  ) throws(LedgerError) -> PurchaseProof {
    if account == bearer { return .proven }
    return try isFirst(key, of: account) ? .proven : .unproven
  }

  /// Returns whether a purchase is the first that named or entered an account in the environment, or one of several in
  /// the same request. A purchase of a product that the products file lacks counts, although it was rejected.
  ///
  /// Locks the account, so that only one of several concurrent requests has its first purchase.
  func isFirst(_ key: PurchaseKey, of account: String) throws(LedgerError) -> Bool {
    let accountKey = [account, key.environment]
    if firstPurchases[accountKey] == nil {
      try lock(account)
      let first = try connection.first(
        """
        SELECT purchase FROM entries WHERE account = ?1 AND environment = ?2
        AND (kind IN ('claim', 'transfer', 'share') OR kind = 'reject' AND reason = ?3) ORDER BY sequence LIMIT 1
        """, accountKey.map(SQLValue.text) + [.text(Self.unknownProduct)])
      firstPurchases.updateValue(first?.text(0), forKey: accountKey)
    }
    guard let first = firstPurchases[accountKey] ?? nil else { return true }
    return first == key.key
  }

  /// Stores the proof of a purchase whose proof was open.
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

  private static func outcome(_ purchase: PresentedPurchase, isNew: Bool, _ isPeriod: Bool) -> PurchaseOutcome
  {
    if purchase.isRejected { return .rejected(.otherAccount) }
    if purchase.isRevoked { return .revoked }
    return purchase.isClaimed && isNew || isPeriod ? .accepted : .duplicate
  }
}
