import Foundation

/// A request to spend an amount exactly once.
public struct Spending: Codable, Sendable {
  public let balance: String
  public let amount: Int64
  /// The identifier by which the server recognizes a repeated request.
  public let requestId: UUID
}

/// The pending spending requests, on disk, so that a crash cannot turn one request into two.
///
/// Only one process at a time may use a folder.
struct SpendJournal {
  private let folder: URL
  /// The requests of earlier runs, and those without a response.
  private(set) var unanswered: [Spending]

  init(in folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    unanswered = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
      .map { try Data(contentsOf: folder.appendingPathComponent($0)) }
      .map { try JSONDecoder().decode(Spending.self, from: $0) }
  }

  /// Returns a request for an amount: a pending one without a response, or a new one, which is on disk when this
  /// returns.
  mutating func begin(_ amount: Int64, of balance: String) throws -> Spending {
    if let index = unanswered.firstIndex(where: { $0.amount == amount && $0.balance == balance }) {
      return unanswered.remove(at: index)
    }
    let spending = Spending(balance: balance, amount: amount, requestId: UUID())
    try DurableFile.write(JSONEncoder().encode(spending), to: file(of: spending))
    return spending
  }

  /// Returns a request without a response.
  mutating func next() -> Spending? { unanswered.popLast() }

  /// Keeps a request whose result is unknown.
  mutating func leave(_ spending: Spending) { unanswered.append(spending) }

  /// Removes a request that the server has answered and the app has applied.
  func end(_ spending: Spending) throws { try DurableFile.remove(file(of: spending)) }

  private func file(of spending: Spending) -> URL {
    folder.appendingPathComponent("\(spending.requestId.uuidString).json")
  }
}
