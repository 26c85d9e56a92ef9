import PropertyList

/// The identity of a package: the two keys of `ContentInfo.plist` that stores read.
public struct ContentInfo: Sendable, Equatable {
  /// The in-app purchase that the content belongs to.
  public let productIdentifier: ProductIdentifier
  /// The version of the content.
  public let contentVersion: ContentVersion

  /// The keys of `ContentInfo.plist`.
  package enum Key {
    /// The key of the product identifier.
    package static let productIdentifier = "IAPProductIdentifier"
    /// The key of the version.
    package static let contentVersion = "ContentVersion"
  }

  /// Creates an identity.
  public init(productIdentifier: ProductIdentifier, contentVersion: ContentVersion) {
    self.productIdentifier = productIdentifier
    self.contentVersion = contentVersion
  }

  /// The default file name of a package with this identity, such as `com.example.book-1.0.pkg`.
  public var packageName: String { "\(productIdentifier)-\(contentVersion)\(PackageLayout.fileExtension)" }

  /// Reads the identity in a `ContentInfo.plist`; nil if the product or the version is missing or invalid.
  package init?(manifest: [UInt8]) {
    guard let info = ManifestReview(of: manifest).contentInfo else { return nil }
    self = info
  }

  /// Returns whether two manifests are equal except for the version.
  package static func areEqualExceptVersion(_ manifest: [UInt8], _ other: [UInt8]) -> Bool {
    ManifestReview(of: manifest).pairsWithoutVersion == ManifestReview(of: other).pairsWithoutVersion
  }

  /// A new `ContentInfo.plist` with these two keys, in the form of Xcode's template.
  package var manifest: [UInt8] {
    PropertyListDocument.xml([
      (Key.contentVersion, contentVersion.text), (Key.productIdentifier, productIdentifier.text),
    ])
  }
}
