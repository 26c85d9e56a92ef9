public import Foundation
import HTTPTransport
import Support

/// A client of the server's API, for one account on one device.
///
/// All functions suspend their task, and block no thread of the cooperative pool.
public final class ContentService: Sendable {
  /// The maximum number of concurrent requests.
  private static let width = 4
  /// The minimum remaining lifetime of a token, in seconds. A token with less is renewed.
  private static let renewalTime: TimeInterval = 3_600

  private let connection: ServiceConnection
  private let tokens: any TokenStore
  private let proofs: PurchaseProofs
  let journal: SpendJournal
  let queue = WorkQueue(width: width)

  /// Creates a service, without contacting the server.
  ///
  /// - Parameters:
  ///   - server: The address, such as `https://content.example.com`.
  ///   - folder: The folder for the purchases of the account and for pending spending requests; created if missing.
  ///   - tokens: The store of the account's token.
  /// - Throws: `ServiceError.invalidAddress`; an error of `FileManager` if the folder cannot be created.
  public init(server: URL, folder: URL, tokens: any TokenStore) throws {
    connection = try ServiceConnection(to: server)
    self.tokens = tokens
    proofs = PurchaseProofs(in: folder.appendingPathComponent("purchases.json"))
    journal = SpendJournal(in: folder.appendingPathComponent("spending"))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Presents purchases to the server. A purchase counts once, so the app can safely present it again.
  ///
  /// - Parameter purchases: At most 150 signed transactions.
  /// - Returns: The results, entitlements and balances.
  /// - Throws: `Problem` if the server refuses the request, `ServiceError`, `CancellationError`, and the errors of the
  ///   token store.
  @discardableResult
  public func present(_ purchases: [SignedTransaction]) async throws -> Presentation {
    try await queue.run { [self] cancellation in
      try present(purchases.map(\.jwsRepresentation), token: tokens.token()?.value, cancellation)
    }
  }

  /// Returns the entitlements and balances of the account, without downloading content.
  ///
  /// - Throws: The errors of `present`, and `ServiceError.noAccount`.
  public func holdings() async throws -> Holdings {
    try await queue.run { [self] cancellation in
      try authorized(cancellation) { token in
        try connection.send(.get, ["v1", "entitlements"], token: token, cancellation)
      }
    }
  }

  /// Returns the products that have content in the store, including products that the account has not bought.
  ///
  /// - Throws: The errors of `present`.
  public func products() async throws -> [String] {
    try await queue.run { [self] cancellation in
      let list: ProductList = try connection.send(.get, ["v1", "products"], cancellation)
      return list.products.map(\.productId)
    }
  }

  /// Returns a token of the account that does not expire soon.
  func token() async throws -> String {
    try await queue.run { [self] cancellation in try currentToken(cancellation) }
  }
}

// These functions block their thread.
extension ContentService {
  func spend(_ spending: Spending, _ cancellation: Cancellation) throws -> Spent {
    try authorized(cancellation) { token in
      try connection.send(
        .post, ["v1", "balances", spending.balance, "spend"], body: SpendRequest(spending), token: token,
        cancellation)
    }
  }

  private func present(
    _ purchases: [String], token: String?, _ cancellation: Cancellation
  ) throws -> Presentation {
    // Earlier purchases prove ownership of the account even if the server no longer accepts the token.
    let known = try proofs.all().filter { !purchases.contains($0) }
    let response: Presentation = try connection.send(
      .post, ["v1", "transactions"], body: Submission(signedTransactions: purchases + known), token: token,
      cancellation)
    try proofs.keep(zip(purchases, response.results).filter { $0.1.isOwned }.map(\.0))
    if let token = response.token {
      let expires = response.tokenExpires.flatMap { try? Date($0, strategy: .iso8601) }
      try tokens.store(StoredToken(value: token, expires: expires))
    }
    return Presentation(
      results: Array(response.results.prefix(purchases.count)), entitlements: response.entitlements,
      balances: response.balances, token: nil, tokenExpires: nil)
  }

  /// Performs work with the account's token. If the server rejects the token, renews it and retries once.
  private func authorized<Response>(
    _ cancellation: Cancellation, _ work: (String) throws -> Response
  ) throws -> Response {
    do {
      return try work(currentToken(cancellation))
    } catch let problem as Problem where problem.status == 401 {
      return try work(renewedToken(cancellation))
    }
  }

  /// Returns the stored token. Renews a token that is missing, or that expires soon or at an unknown time.
  private func currentToken(_ cancellation: Cancellation) throws -> String {
    if let token = try tokens.token(), let expires = token.expires,
      expires.timeIntervalSinceNow >= Self.renewalTime
    {
      return token.value
    }
    return try renewedToken(cancellation)
  }

  /// Renews the token with the purchases of the account.
  private func renewedToken(_ cancellation: Cancellation) throws -> String {
    guard try !proofs.all().isEmpty else { throw ServiceError.noAccount }
    _ = try present([], token: nil, cancellation)
    guard let token = try tokens.token() else { throw ServiceError.noAccount }
    return token.value
  }
}

private struct Submission: Encodable {
  let signedTransactions: [String]
}

private struct SpendRequest: Encodable {
  let amount: Int64
  let requestId: UUID

  init(_ spending: Spending) { (amount, requestId) = (spending.amount, spending.requestId) }
}
