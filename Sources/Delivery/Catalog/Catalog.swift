package import ContentPackage
package import Support

/// The contents of a store: the newest version of each product, and the location of its releases.
package struct Catalog: Sendable, Equatable {
  /// The sequence number, which increases by at least one with each change.
  package var sequence: Int64
  /// The time of the change.
  package var published: Timestamp
  /// The end of the period in which new installations may use the catalog; nil for no expiry.
  package var expires: Timestamp?
  /// The number of the trust document that the catalog was made under; nil in a store without trust documents.
  package var trust: Int64?
  /// The products by identifier.
  package var products: [ProductIdentifier: Product]

  /// A product in the catalog.
  package struct Product: Sendable, Equatable {
    /// The newest version of the stable channel, or of any channel if the stable one has none.
    package let contentVersion: ContentVersion
    /// The document that lists the product's releases.
    package let releases: ObjectReference

    package init(contentVersion: ContentVersion, releases: ObjectReference) {
      self.contentVersion = contentVersion
      self.releases = releases
    }
  }

  package init(
    sequence: Int64, published: Timestamp, expires: Timestamp? = nil, trust: Int64? = nil,
    products: [ProductIdentifier: Product] = [:]
  ) {
    self.sequence = sequence
    self.published = published
    self.expires = expires
    self.trust = trust
    self.products = products
  }
}

/// A reference to an object by path, size and digest.
package struct ObjectReference: Sendable, Equatable {
  package let path: StorePath
  /// The size of the object in bytes.
  package let byteCount: Int64
  /// The SHA-256 digest of the object's bytes.
  package let digest: SHA256Digest

  package init(path: StorePath, byteCount: Int64, digest: SHA256Digest) {
    self.path = path
    self.byteCount = byteCount
    self.digest = digest
  }
}
