extension ContentService {
  /// Spends an amount once. If the app ends before the response, the same call later repeats the same request.
  ///
  /// - Parameters:
  ///   - amount: The amount, at least 1.
  ///   - balance: The name of the balance.
  ///   - apply: Records the use of the amount. After a crash it may be called again for the same request.
  /// - Returns: The remaining balance.
  /// - Throws: `Problem` if the balance is too small; nothing was spent then. The errors of `holdings` and of `apply`.
  @discardableResult
  public func spend(
    _ amount: Int64, of balance: String, apply: @Sendable (Spending, Spent) async throws -> Void
  ) async throws -> Spent {
    let spending = try await queue.run { [journal] _ in try journal.begin(amount, of: balance) }
    return try await complete(spending, apply)
  }

  /// Repeats the spending requests of earlier runs that got no response. Call it when the app starts.
  ///
  /// - Throws: The errors of `spend`, except final refusals, which end a request.
  public func completeSpendings(apply: @Sendable (Spending, Spent) async throws -> Void) async throws {
    while let spending = try await queue.run({ [journal] _ in try journal.next() }) {
      do {
        try await complete(spending, apply)
      } catch let problem as Problem where problem.isFinal {
        continue
      }
    }
  }

  @discardableResult
  private func complete(
    _ spending: Spending, _ apply: @Sendable (Spending, Spent) async throws -> Void
  ) async throws -> Spent {
    do {
      let spent = try await queue.run { [self] cancellation in try spend(spending, cancellation) }
      try await apply(spending, spent)
      try await queue.run { [journal] _ in try journal.end(spending) }
      return spent
    } catch let problem as Problem where problem.isFinal {
      try await queue.run { [journal] _ in try journal.end(spending) }
      throw problem
    } catch {
      journal.leave(spending)
      throw error
    }
  }
}

extension Problem {
  /// Whether repeating the request always gets the same response.
  fileprivate var isFinal: Bool { [400, 404, 409, 413, 415].contains(status) }
}
