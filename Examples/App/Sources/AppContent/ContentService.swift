import Foundation

/// The API of the server, for one account on one device.
public actor ContentService {
  private let connection: Connection
  private let file: URL
  private var account: Account
  private var journal: SpendJournal

  /// - Parameters:
  ///   - server: The address, such as `https://content.example.com`.
  ///   - folder: The folder for the account and pending spending requests.
  ///   - retry: The policy for retries.
  /// - Throws: An error if the folder cannot be used.
  public init(server: URL, folder: URL, retry: Retry = Retry()) throws {
    connection = Connection(to: server, retry: retry)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appendingPathComponent("account.json")
    account = try Account(in: file)
    journal = try SpendJournal(in: folder.appendingPathComponent("spending"))
  }

  /// Presents purchases. A purchase counts once, so the app can safely present it again.
  ///
  /// - Parameter purchases: Signed transactions (`jwsRepresentation`), at most 150.
  /// - Returns: The results.
  /// - Throws: `Problem` if the server refuses the request, `URLError` if it cannot be reached.
  @discardableResult public func present(_ purchases: [String]) async throws -> Presentation {
    try await present(purchases, token: account.token)
  }

  private func present(_ purchases: [String], token: String?) async throws -> Presentation {
    // Earlier purchases prove ownership of the account even if the server no longer accepts the token.
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

  /// Returns the entitlements and balances of the account, without downloading content.
  public func holdings() async throws -> Holdings {
    try await authorized { try await self.connection.send("GET", ["v1", "entitlements"], token: $0) }
  }

  /// Returns the products that have content in the store, whether bought or not.
  public func products() async throws -> [String] {
    let list: ProductList = try await connection.send("GET", ["v1", "products"])
    return list.products.map(\.productId)
  }

  /// Spends an amount once. If the app ends before the response, the same call later repeats the same request.
  ///
  /// - Parameters:
  ///   - amount: The amount, at least 1.
  ///   - balance: The name of the balance.
  ///   - apply: Records the use of the amount. After a crash it may be called again for the same request.
  /// - Returns: The remaining balance.
  /// - Throws: `Problem` if the balance is too small; nothing was spent then.
  @discardableResult public func spend(
    _ amount: Int64, of balance: String, apply: @Sendable (Spending, Spent) async throws -> Void
  ) async throws -> Spent {
    try await complete(try journal.begin(amount, of: balance), apply)
  }

  /// Repeats the spending requests of earlier runs that got no response. Call it when the app starts.
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

  /// Runs work that needs the account's token. Renews a token that is about to expire first, and one that the server
  /// rejects once.
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

  /// Renews the token with the purchases of the account.
  private func renewToken() async throws {
    guard !account.proofs.isEmpty else { throw NoAccount() }
    _ = try await present([], token: nil)
  }

  private func token() throws -> String {
    guard let token = account.token else { throw NoAccount() }
    return token
  }
}

/// No token and no purchase to renew it with: the customer must buy or restore something.
public struct NoAccount: Error, CustomStringConvertible {
  public var description: String { "the app has no purchase that the server knows; buy or restore one" }
}

extension Problem {
  /// Whether repeating the request always gets the same response.
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
