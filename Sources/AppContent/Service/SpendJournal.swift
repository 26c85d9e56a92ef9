public import Foundation
import Synchronization

/// A request to spend an amount exactly once.
public struct Spending: Codable, Sendable, Equatable {
  /// The name of the balance.
  public let balance: String
  /// The amount, at least 1.
  public let amount: Int64
  /// The identifier by which the server recognizes a repeated request.
  public let requestId: UUID
}

/// The pending spending requests, on disk, so that a crash cannot turn one request into two. All calls block their
/// thread.
///
/// Only one process at a time may use a folder.
final class SpendJournal: Sendable {
  private let folder: URL
  /// The requests of earlier runs, and the requests whose results are unknown; nil before the folder is read.
  private let pending = Mutex<[Spending]?>(nil)

  init(in folder: URL) { self.folder = folder }

  /// Returns a pending request for the same amount and balance, and removes it from memory. If there is none, creates a
  /// request, which is on disk when the function returns.
  func begin(_ amount: Int64, of balance: String) throws -> Spending {
    try pending.withLock { known in
      var list = try known ?? read()
      defer { known = list }
      if let index = list.firstIndex(where: { $0.amount == amount && $0.balance == balance }) {
        return list.remove(at: index)
      }
      let spending = Spending(balance: balance, amount: amount, requestId: UUID())
      try file(of: spending).write(JSONEncoder().encode(spending))
      return spending
    }
  }

  /// Returns a pending request, and removes it from memory; nil if there is none.
  func next() throws -> Spending? {
    try pending.withLock { known in
      var list = try known ?? read()
      defer { known = list }
      return list.popLast()
    }
  }

  /// Keeps a request whose result is unknown, for a later attempt.
  func keep(_ spending: Spending) { pending.withLock { $0 = ($0 ?? []) + [spending] } }

  /// Removes a request that the server refused, or that the app has applied.
  func end(_ spending: Spending) throws { try file(of: spending).remove() }

  private func read() throws -> [Spending] {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
      .compactMap { try PrivateFile(folder.appendingPathComponent($0)).read() }
      .map { try JSONDecoder().decode(Spending.self, from: $0) }
  }

  private func file(of spending: Spending) -> PrivateFile {
    PrivateFile(folder.appendingPathComponent("\(spending.requestId.uuidString).json"))
  }
}
