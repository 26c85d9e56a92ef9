import Foundation

/// The API of the server, for one account on one device.
public actor ContentService {
  private let connection: Connection
  private let file: URL
  private var account: Account
  private var journal: SpendJournal

  /// - Parameters:
  ///   - server: such as `https://content.example.com`.
  ///   - folder: where the account and what is being spent are kept.
  ///   - retry: when a request is made again.
  /// - Throws: if the folder cannot be used.
  public init(server: URL, folder: URL, retry: Retry = Retry()) throws {
    connection = Connection(to: server, retry: retry)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appendingPathComponent("account.json")
    account = try Account(in: file)
    journal = try SpendJournal(in: folder.appendingPathComponent("spending"))
  }

  /// Presents purchases. What is presented again counts once, so that an app presents whatever it is unsure of.
  ///
  /// - Parameter purchases: signed transactions (`jwsRepresentation`), at most 150.
  /// - Returns: what came of them.
  /// - Throws: `Problem` for what the server refuses, `URLError` if it cannot be reached.
  @discardableResult public func present(_ purchases: [String]) async throws -> Presentation {
    try await present(purchases, token: account.token)
  }

  private func present(_ purchases: [String], token: String?) async throws -> Presentation {
    // Those of before prove whose account it is, even if the server takes the token no more.
    let proofs = account.proofs.filter { !purchases.contains($0) }
    let answer: Presentation = try await connection.send(
      "POST", ["v1", "transactions"], body: Submission(signedTransactions: purchases + proofs),
      token: token)
    for (purchase, result) in zip(purchases, answer.results) where result.isHeld { account.keep(purchase) }
    if let token = answer.token { (account.token, account.tokenExpires) = (token, answer.tokenExpires) }
    try account.write(to: file)
    return Presentation(
      results: Array(answer.results.prefix(purchases.count)), entitlements: answer.entitlements,
      balances: answer.balances, token: nil, tokenExpires: nil)
  }

  /// What the account holds. Nothing is fetched.
  public func holdings() async throws -> Holdings {
    try await authorized { try await self.connection.send("GET", ["v1", "entitlements"], token: $0) }
  }

  /// The products whose content the store has, whoever bought them.
  public func products() async throws -> [String] {
    let list: ProductList = try await connection.send("GET", ["v1", "products"])
    return list.products.map(\.productId)
  }

  /// Spends an amount once, even if the app ends before the answer comes: the same call after that is the same request.
  ///
  /// - Parameters:
  ///   - amount: how much, from 1.
  ///   - balance: the name of the balance.
  ///   - apply: records what the amount was spent for. After a crash it may be called again for the same request.
  /// - Returns: what remains.
  /// - Throws: `Problem` if the balance is too small; nothing was spent then.
  @discardableResult public func spend(
    _ amount: Int64, of balance: String, apply: @Sendable (Spending, Spent) async throws -> Void
  ) async throws -> Spent {
    try await complete(try journal.begin(amount, of: balance), apply)
  }

  /// Asks again for all that an earlier run has spent without hearing of it. An app does so when it starts.
  public func completeSpendings(apply: @Sendable (Spending, Spent) async throws -> Void) async throws {
    while let spending = journal.next() {
      do {
        try await complete(spending, apply)
      } catch let problem as Problem where problem.isFinal {
        continue
      }
    }
  }

  @discardableResult private func complete(
    _ spending: Spending, _ apply: @Sendable (Spending, Spent) async throws -> Void
  ) async throws -> Spent {
    do {
      let spent: Spent = try await authorized {
        try await self.connection.send(
          "POST", ["v1", "balances", spending.balance, "spend"], body: Request(spending), token: $0)
      }
      try await apply(spending, spent)
      try journal.end(spending)
      return spent
    } catch let problem as Problem where problem.isFinal {
      try journal.end(spending)
      throw problem
    } catch {
      journal.leave(spending)
      throw error
    }
  }

  /// Does what needs the account's token. A token that is about to end is renewed before, and one that the server does
  /// not take is renewed once.
  func authorized<Answer: Sendable>(
    _ work: @Sendable (String) async throws -> Answer
  ) async throws -> Answer {
    if account.needsToken(at: Date()) { try await renewToken() }
    do {
      return try await work(try token())
    } catch let problem as Problem where problem.status == 401 {
      try await renewToken()
      return try await work(try token())
    }
  }

  /// Any purchase of the account gets a new token.
  private func renewToken() async throws {
    guard !account.proofs.isEmpty else { throw NoAccount() }
    _ = try await present([], token: nil)
  }

  private func token() throws -> String {
    guard let token = account.token else { throw NoAccount() }
    return token
  }
}

/// There is no token, and no purchase that gets one: buy something, or restore what was bought.
public struct NoAccount: Error, CustomStringConvertible {
  public var description: String { "the app has no purchase that the server knows; buy or restore one" }
}

extension Problem {
  /// Whether the same request gets the same answer for ever.
  var isFinal: Bool { [400, 404, 409, 413, 415].contains(status) }
}

private struct Submission: Encodable {
  let signedTransactions: [String]
}

private struct Request: Encodable {
  let amount: Int64
  let requestId: UUID

  init(_ spending: Spending) { (amount, requestId) = (spending.amount, spending.requestId) }
}
