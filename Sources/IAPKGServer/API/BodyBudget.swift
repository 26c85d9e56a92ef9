import Synchronization

/// The memory limit for the bodies of all requests together, so that bodies which clients never complete do not fill
/// the memory of the server.
final class BodyBudget: Sendable {
  /// The number of leading bytes of each body that do not count, so that the server accepts a small request even if
  /// large bodies use the whole budget.
  static let uncountedByteCount = 16 << 10

  private let limit: Int
  private let used = Mutex(0)

  init(limit: Int = 64 << 20) { self.limit = limit }

  /// Reserves `count` bytes. Returns false if the budget has too few bytes left.
  fileprivate func reserve(_ count: Int) -> Bool {
    used.withLock { used in
      guard count <= limit - used else { return false }
      used += count
      return true
    }
  }

  fileprivate func release(_ count: Int) { used.withLock { $0 -= count } }
}

/// The part of the budget that one request uses. The reservation releases its bytes when it is deinitialized.
final class BodyReservation: Sendable {
  private let budget: BodyBudget
  /// The number of bytes of the body, and the number of those that count.
  private let reserved = Mutex((bytes: 0, counted: 0))

  init(_ budget: BodyBudget) { self.budget = budget }

  deinit { budget.release(reserved.withLock { $0.counted }) }

  /// Reserves memory for more bytes of the body.
  ///
  /// - Throws: `Problem` if the bodies of all requests together exceed the budget.
  func reserve(_ count: Int) throws(Problem) {
    let isReserved = reserved.withLock { reserved in
      let counted = max(0, reserved.bytes + count - BodyBudget.uncountedByteCount)
      guard budget.reserve(counted - reserved.counted) else { return false }
      reserved = (reserved.bytes + count, counted)
      return true
    }
    guard isReserved else {
      throw Problem(.unavailable, "too many large requests arrive at once", reason: "bodies")
    }
  }
}
