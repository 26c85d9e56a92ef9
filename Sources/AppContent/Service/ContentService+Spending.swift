extension ContentService {
  /// Spends an amount exactly once. If the app ends before the response, the same call later repeats the same request.
  ///
  /// - Parameters:
  ///   - amount: The amount, at least 1.
  ///   - balance: The name of the balance.
  ///   - apply: Records the use of the amount. After a crash, a cancellation, or its own error, the closure may be
  ///     called again for the same request.
  /// - Returns: The response, which has the remaining balance.
  /// - Throws: `Problem` if the balance is too small and nothing was spent; the errors of `holdings` and of `apply`.
  @discardableResult
  public func spend(
    _ amount: Int64, of balance: String, apply: @Sendable (Spending, Spent) async throws -> Void
  ) async throws -> Spent {
    let spending = try await queue.run { [journal] _ in try journal.begin(amount, of: balance) }
    return try await complete(spending, apply)
  }

  /// Repeats the spending requests of earlier runs that got no response. Call this function when the app starts.
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
      try await end(spending)
      return spent
    } catch let problem as Problem where problem.isFinal {
      try await end(spending)
      throw problem
    } catch {
      journal.keep(spending)
      throw error
    }
  }

  /// Removes a request from the journal, even if the calling task is cancelled: a repeated request would spend nothing.
  private func end(_ spending: Spending) async throws {
    try await Task { [queue, journal] in
      try await queue.run { _ in try journal.end(spending) }
    }.value
  }
}

extension Problem {
  /// Whether a repeated request would get the same response.
  fileprivate var isFinal: Bool { [400, 404, 409, 413, 415].contains(status) }
}
