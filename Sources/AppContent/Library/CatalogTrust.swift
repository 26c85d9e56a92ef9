import Delivery
public import Foundation

/// The keys that may sign the catalog of a store.
public struct CatalogTrust: Sendable {
  private enum Source: Sendable {
    case text(String)
    case path(String)
    case firstSeen
  }

  private let source: Source

  /// The public keys in a text with the lines of a `.pub` file or an allowed_signers file.
  public static func keys(_ text: String) -> CatalogTrust { CatalogTrust(source: .text(text)) }

  /// The public keys in a file of at most 1 MiB, such as a resource of the app's bundle, or the first trust document of
  /// the store.
  public static func keys(in file: URL) -> CatalogTrust { CatalogTrust(source: .path(file.path)) }

  /// The first trust document of the store, by its SHA-256 digest in hexadecimal.
  public static func trustDocument(sha256 digest: String) -> CatalogTrust {
    CatalogTrust(source: .path(digest))
  }

  /// The key of the first catalog that the library reads; no key if that catalog is unsigned. Suits a store on the same
  /// device.
  public static let firstSeen = CatalogTrust(source: .firstSeen)

  /// Returns the keys, from the file if the trust names a file; nil for `firstSeen`.
  ///
  /// - Throws: `FileError`, `SignatureError`.
  func keys() throws -> TrustedKeys? {
    switch source {
    case .text(let text): try TrustedKeys(text: Array(text.utf8))
    case .path(let path): try TrustedKeys.read(path)
    case .firstSeen: nil
    }
  }
}
