package import ContentPackage

/// What a store has: the newest version of each product, and where its releases are listed.
package struct Catalog: Sendable, Equatable {
  /// Rises by one with each change.
  package var sequence: Int64
  package var published: Timestamp
  /// Until when new installations may rely on it; nil for ever.
  package var expires: Timestamp?
  package var products: [ProductIdentifier: Product]

  /// A product in the catalog.
  package struct Product: Sendable, Equatable {
    /// The newest version of the stable channel, or of any where that has none.
    package let contentVersion: ContentVersion
    /// The file of its releases.
    package let releases: ObjectReference

    package init(contentVersion: ContentVersion, releases: ObjectReference) {
      self.contentVersion = contentVersion
      self.releases = releases
    }
  }

  package init(
    sequence: Int64, published: Timestamp, expires: Timestamp? = nil,
    products: [ProductIdentifier: Product] = [:]
  ) {
    self.sequence = sequence
    self.published = published
    self.expires = expires
    self.products = products
  }
}

/// Which object is meant, and what it must be.
package struct ObjectReference: Sendable, Equatable {
  package let path: StorePath
  package let byteCount: Int64
  package let digest: SHA256Digest

  package init(path: StorePath, byteCount: Int64, digest: SHA256Digest) {
    self.path = path
    self.byteCount = byteCount
    self.digest = digest
  }
}

/// The most that the documents of a store may have.
package enum DocumentLimits {
  /// Of `catalog.json`, in bytes; ten thousand products have 4 million.
  package static let catalogBytes = 64 << 20
  /// Of the file of a product's releases, in bytes.
  package static let productBytes = 16 << 20
  /// Of an index, in bytes; a hundred thousand entries have 30 million.
  package static let indexBytes = 256 << 20
  /// Sequence numbers stay below what a double holds exactly.
  package static let maximumSequence: Int64 = 1 << 53 - 1
  /// The reason of a withdrawal, in bytes.
  package static let reasonBytes = 1_000
  /// The target of a link and the name of an entry, in bytes.
  package static let pathBytes = 4_096
}
