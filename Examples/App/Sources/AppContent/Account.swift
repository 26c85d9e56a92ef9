import Foundation

/// The account as the app stores it: the token, and purchases that can renew it. On a device it belongs in the
/// keychain.
struct Account: Codable, Sendable {
  /// The maximum number of purchases that are kept to prove ownership of the account.
  private static let maximumProofCount = 20

  var token: String?
  /// The expiry time of the token (RFC 3339).
  var tokenExpires: String?
  /// Signed transactions that the server has accepted, the newest last.
  var proofs: [String] = []

  /// Reads the account from a file; creates a new one if there is no file.
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
    proofs = (proofs + [proof]).suffix(Self.maximumProofCount)
  }

  /// Whether the token is missing, has expired, or expires within the hour.
  func needsToken(at now: Date) -> Bool {
    guard token != nil, let tokenExpires, let end = ISO8601DateFormatter().date(from: tokenExpires) else {
      return true
    }
    return end.timeIntervalSince(now) < 3_600
  }
}
