import Foundation

/// What the app remembers of its account: the token, and purchases that get a new one. On a device the keychain is the
/// place for it.
struct Account: Codable, Sendable {
  /// So many purchases are enough to prove whose account it is.
  private static let mostProofs = 20

  var token: String?
  /// When the token ends (RFC 3339).
  var tokenExpires: String?
  /// Signed transactions that the server has accepted, the newest last.
  var proofs: [String] = []

  /// The account in a file; a new one if there is no file.
  init(in file: URL) throws {
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    self = try JSONDecoder().decode(Account.self, from: Data(contentsOf: file))
  }

  func write(to file: URL) throws {
    try DurableFile.write(JSONEncoder().encode(self), to: file)
  }

  /// Keeps a purchase that the server has accepted.
  mutating func keep(_ proof: String) {
    proofs.removeAll { $0 == proof }
    proofs = (proofs + [proof]).suffix(Self.mostProofs)
  }

  /// Whether the token ends within the hour, or has ended.
  func needsToken(at now: Date) -> Bool {
    guard token != nil, let tokenExpires, let end = ISO8601DateFormatter().date(from: tokenExpires) else {
      return true
    }
    return end.timeIntervalSince(now) < 3_600
  }
}
