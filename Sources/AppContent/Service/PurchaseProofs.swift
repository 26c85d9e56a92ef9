import Foundation
import Synchronization

/// Signed transactions that the server accepted. Each can renew the token, so they are secrets. All calls block the
/// calling thread.
final class PurchaseProofs: Sendable {
  /// The maximum number of kept purchases, which prove ownership of the account.
  private static let maximumCount = 20

  private let file: PrivateFile
  /// The signed transactions, newest last; nil before the file is read.
  private let proofs = Mutex<[String]?>(nil)

  init(in file: URL) { self.file = PrivateFile(file) }

  func all() throws -> [String] {
    try proofs.withLock { known in
      let list = try known ?? read()
      known = list
      return list
    }
  }

  /// Keeps purchases that the server accepted.
  func keep(_ new: [String]) throws {
    try proofs.withLock { known in
      let list = try known ?? read()
      let next = Array((list.filter { !new.contains($0) } + new).suffix(Self.maximumCount))
      if next != list { try file.write(JSONEncoder().encode(next)) }
      known = next
    }
  }

  private func read() throws -> [String] {
    try file.read().map { try JSONDecoder().decode([String].self, from: $0) } ?? []
  }
}
