public import ContentPackage

/// An entry of a catalog that is missing from another.
public enum CatalogEntry: Sendable, Equatable, CustomStringConvertible {
  /// A product whose releases are unknown.
  case product(ProductIdentifier)
  /// The release of a product with this version.
  case release(ProductIdentifier, ContentVersion)
  /// A release that was withdrawn.
  case withdrawnRelease(ProductIdentifier, ContentVersion)
  /// The package of a release that has other content in the other catalog.
  case content(ProductIdentifier, ContentVersion)
  /// The withdrawal of a release that the other catalog has.
  case withdrawal(ProductIdentifier, ContentVersion)

  /// A noun phrase, safe to print.
  public var description: String {
    switch self {
    case .product(let product): "\(product)"
    case .release(let product, let version): "\(product) \(version)"
    case .withdrawnRelease(let product, let version): "the withdrawn \(product) \(version)"
    case .content(let product, let version): "the content of \(product) \(version)"
    case .withdrawal(let product, let version): "the withdrawal of \(product) \(version)"
    }
  }
}
