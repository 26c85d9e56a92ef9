import Synchronization

/// The memory for the bodies of all requests together. Bodies that clients never complete must not fill the memory of the
/// server.
final class BodyBudget: Sendable {
  /// The bytes of each body that do not count, so that a common purchase is accepted while large bodies use everything.
  static let freeBytes = 16 << 10

  private let limit: Int
  private let used = Mutex(0)

  init(limit: Int = 64 << 20) { self.limit = limit }

  /// Takes memory; returns false if there is not enough.
  fileprivate func take(_ count: Int) -> Bool {
    used.withLock { used in
      guard count <= limit - used else { return false }
      used += count
      return true
    }
  }

  fileprivate func release(_ count: Int) { used.withLock { $0 -= count } }
}

/// The part of the budget that one request uses, until it is answered.
final class BodyReservation: Sendable {
  private let budget: BodyBudget
  /// The bytes of the body, and those of them that count.
  private let taken = Mutex((bytes: 0, counted: 0))

  init(_ budget: BodyBudget) { self.budget = budget }

  deinit { budget.release(taken.withLock { $0.counted }) }

  /// Reserves memory for more bytes of the body.
  ///
  /// - Throws: `Problem` if the bodies of all requests together exceed the budget.
  func take(_ count: Int) throws(Problem) {
    let isTaken = taken.withLock { taken in
      let counted = max(0, taken.bytes + count - BodyBudget.freeBytes)
      guard budget.take(counted - taken.counted) else { return false }
      taken = (taken.bytes + count, counted)
      return true
    }
    guard isTaken else {
      throw Problem(.unavailable, "too many large requests arrive at once", reason: "bodies")
    }
  }
}
