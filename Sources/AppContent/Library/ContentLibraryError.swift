import Support

/// An error of the library itself. Errors of the network, the store and the disk are those of `Delivery` and
/// `Installation`.
public enum ContentLibraryError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text is not a product identifier.
  case invalidProduct(String)
  /// The configured channel or app version, or the version to restore, is not valid; the text gives the reason.
  case invalidConfiguration(String)
  /// The product is not installed.
  case notInstalled(product: String)
  /// The account has not bought the product.
  case notEntitled(product: String)
  /// The release was not installed, for the reasons in the findings. The outcome `damaged` means that files of the
  /// installed version are missing or modified; `install` with `force` restores them if the store has the version.
  case rejected(product: String, outcome: String, findings: [String])
  /// The library was created without a `ContentService`.
  case noService

  /// One lower-case sentence without a full stop, safe to print.
  public var description: String {
    switch self {
    case .invalidProduct(let text):
      "'\(String(displaying: text.utf8))' is not a product identifier, expected letters, digits, dots, hyphens and underscores"
    case .invalidConfiguration(let text): String(displaying: text.utf8)
    case .notInstalled(let product): "\(product) is not installed"
    case .notEntitled(let product): "the account has not bought \(product)"
    case .rejected(let product, let outcome, let findings):
      "\(product) was not installed (\(outcome))" + findings.map { ": \($0)" }.joined()
    case .noService: "the library has no service for purchases; create the library with a ContentService"
    }
  }
}
