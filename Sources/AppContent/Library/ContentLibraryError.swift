import Support

/// A reason why the library does nothing. Errors of the network, the store and the disk are those of `Delivery` and
/// `Installation`.
public enum ContentLibraryError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text is no product identifier.
  case invalidProduct(String)
  /// The channel or the version of the app in the configuration is not valid.
  case invalidConfiguration(String)
  /// The product is not installed.
  case notInstalled(product: String)
  /// The account has not bought the product.
  case notEntitled(product: String)
  /// The release was not installed; the findings say why.
  case rejected(product: String, outcome: String, findings: [String])
  /// The library was made without the server that knows the customer's purchases.
  case noService

  /// One lower-case sentence without a full stop, safe to print.
  public var description: String {
    switch self {
    case .invalidProduct(let text):
      "'\(String(displaying: text.utf8))' is no product identifier, expected letters, digits, dots, hyphens and underscores"
    case .invalidConfiguration(let text): String(displaying: text.utf8)
    case .notInstalled(let product): "\(product) is not installed"
    case .notEntitled(let product): "the account has not bought \(product)"
    case .rejected(let product, let outcome, let findings):
      "\(product) was not installed (\(outcome))" + findings.map { ": \($0)" }.joined()
    case .noService: "the library has no server of purchases; create it with one"
    }
  }
}
