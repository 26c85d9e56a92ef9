import Foundation

/// An amount that is to be spent once, whatever happens on the way.
public struct Spending: Codable, Sendable {
  public let balance: String
  public let amount: Int64
  /// Under which the server counts it once.
  public let requestId: UUID
}

/// What was begun to be spent, on the disk: a crash must not make a second request of one.
///
/// One process at a time may use a folder.
struct SpendJournal {
  private let folder: URL
  /// What an earlier run, or a request without an answer, has left.
  private(set) var unanswered: [Spending]

  init(in folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    unanswered = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
      .map { try Data(contentsOf: folder.appendingPathComponent($0)) }
      .map { try JSONDecoder().decode(Spending.self, from: $0) }
  }

  /// The request for an amount: one that has no answer yet, or a new one, which is on the disk when this returns.
  mutating func begin(_ amount: Int64, of balance: String) throws -> Spending {
    if let index = unanswered.firstIndex(where: { $0.amount == amount && $0.balance == balance }) {
      return unanswered.remove(at: index)
    }
    let spending = Spending(balance: balance, amount: amount, requestId: UUID())
    try DurableFile.write(JSONEncoder().encode(spending), to: file(of: spending))
    return spending
  }

  /// One that has no answer yet.
  mutating func next() -> Spending? { unanswered.popLast() }

  /// Nobody knows what came of it.
  mutating func leave(_ spending: Spending) { unanswered.append(spending) }

  /// The server has answered, and the app has acted on it.
  func end(_ spending: Spending) throws { try DurableFile.remove(file(of: spending)) }

  private func file(of spending: Spending) -> URL {
    folder.appendingPathComponent("\(spending.requestId.uuidString).json")
  }
}
