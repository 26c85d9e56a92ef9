import PropertyList

/// The identity of a package: the two keys of `ContentInfo.plist` that the store reads.
public struct ContentInfo: Sendable, Equatable {
  public let productIdentifier: ProductIdentifier
  public let contentVersion: ContentVersion

  package enum Key {
    package static let productIdentifier = "IAPProductIdentifier"
    package static let contentVersion = "ContentVersion"
  }

  public init(productIdentifier: ProductIdentifier, contentVersion: ContentVersion) {
    self.productIdentifier = productIdentifier
    self.contentVersion = contentVersion
  }

  /// A new `ContentInfo.plist` with these two keys, in the form of Xcode's template.
  package var manifest: [UInt8] {
    PropertyListDocument.xml([
      (Key.contentVersion, contentVersion.text), (Key.productIdentifier, productIdentifier.text),
    ])
  }
}
