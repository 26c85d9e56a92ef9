import PropertyList

/// The identity of a package: the two keys of `ContentInfo.plist` that stores read.
public struct ContentInfo: Sendable, Equatable {
  /// The in-app purchase that the content belongs to.
  public let productIdentifier: ProductIdentifier
  /// The version of the content.
  public let contentVersion: ContentVersion

  package enum Key {
    package static let productIdentifier = "IAPProductIdentifier"
    package static let contentVersion = "ContentVersion"
  }

  /// Creates an identity.
  public init(productIdentifier: ProductIdentifier, contentVersion: ContentVersion) {
    self.productIdentifier = productIdentifier
    self.contentVersion = contentVersion
  }

  /// The usual name of a package with this identity: `com.example.book-1.0.pkg`.
  public var packageName: String { "\(productIdentifier)-\(contentVersion)\(PackageLayout.fileExtension)" }

  /// A new `ContentInfo.plist` with these two keys, in the form of Xcode's template.
  package var manifest: [UInt8] {
    PropertyListDocument.xml([
      (Key.contentVersion, contentVersion.text), (Key.productIdentifier, productIdentifier.text),
    ])
  }
}
