import ContentPackage
package import StrictJSON
import Support

extension Catalog {
  /// The JSON of the catalog, which is the signed payload.
  package var payload: [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("sequence", sequence)
      $0.member("published", published.description)
      $0.member("expires", expires?.description)
      if let trust { $0.member("trust", trust) }
      $0.key("products")
      $0.object { writer in
        for (product, entry) in products.sorted(by: { $0.key.text < $1.key.text }) {
          writer.key(product.text)
          writer.object {
            $0.member("contentVersion", entry.contentVersion.text)
            $0.write(entry.releases)
          }
        }
      }
    }
    return writer.bytes
  }

  /// Parses the JSON of a catalog.
  package init(payload: [UInt8]) throws(DocumentError) {
    var sequence: Int64?
    var published: Timestamp?
    var expires: Timestamp?
    var trust: Int64?
    var products: [ProductIdentifier: Product]?
    var reader = JSONReader(payload, limits: DocumentLimits.catalog)
    try reader.document { (reader) throws(DocumentError) in
      try reader.object { (key, reader) throws(DocumentError) in
        switch key {
        case "sequence": sequence = try reader.integer(in: 1...DocumentLimits.maximumSequence)
        case "published": published = try reader.timestamp()
        case "expires":
          expires = try reader.unlessNull { (reader) throws(DocumentError) in try reader.timestamp() }
        case "trust": trust = try reader.integer(in: 1...DocumentLimits.maximumSequence)
        case "products": products = try Self.products(&reader)
        default: try reader.skip()
        }
      }
    }
    guard let sequence, let published, let products else {
      throw DocumentError("the catalog lacks its sequence, date or products")
    }
    self.init(sequence: sequence, published: published, expires: expires, trust: trust, products: products)
  }

  /// Reads the sequence number of a catalog that may be damaged; nil if the damage precedes it.
  static func sequence(in payload: [UInt8]) -> Int64? {
    var sequence: Int64?
    var reader = JSONReader(payload, limits: DocumentLimits.catalog)
    try? reader.object { (key, reader) throws(DocumentError) in
      if key == "sequence" {
        sequence = try reader.integer(in: 1...DocumentLimits.maximumSequence)
      } else {
        try reader.skip()
      }
    }
    return sequence
  }

  private static func products(
    _ reader: inout JSONReader
  ) throws(DocumentError) -> [ProductIdentifier: Product] {
    var products: [ProductIdentifier: Product] = [:]
    try reader.object(atMost: DocumentLimits.maximumProductCount) { (key, reader) throws(DocumentError) in
      guard let product = ProductIdentifier(key) else {
        throw reader.error("'\(key)' is not a product identifier")
      }
      var version: ContentVersion?
      var reference = ReferenceFields()
      try reader.object { (key, reader) throws(DocumentError) in
        if key == "contentVersion" {
          version = try reader.version()
        } else {
          try reference.read(key, &reader)
        }
      }
      guard let version else { throw reader.error("a product lacks its version") }
      products[product] = Product(
        contentVersion: version,
        releases: try reference.reference(atMost: Int64(DocumentLimits.maximumProductBytes), reader) {
          .product(product, $0)
        })
    }
    return products
  }
}

/// The members of an object that refers to another object.
struct ReferenceFields {
  private var path: String?
  private var size: Int64?
  private var digest: SHA256Digest?

  /// Reads the value of a key, or skips it.
  mutating func read(_ key: String, _ reader: inout JSONReader) throws(DocumentError) {
    switch key {
    case "path": path = try reader.string(atMost: DocumentLimits.maximumPathBytes)
    case "size": size = try reader.integer(in: 0...Int64.max)
    case "sha256": digest = try reader.digest()
    default: try reader.skip()
    }
  }

  /// Returns the reference.
  ///
  /// - Throws: `DocumentError` if a member is missing, the path is not the path that the layout assigns to an object of
  ///   this digest, or the size exceeds `limit`.
  func reference(
    atMost limit: Int64, _ reader: JSONReader, at makePath: (SHA256Digest) -> StorePath
  ) throws(DocumentError) -> ObjectReference {
    guard let path, let size, let digest else {
      throw reader.error("a reference lacks its path, size or sha256")
    }
    let expected = makePath(digest)
    guard path == expected.text else {
      throw reader.error("the path is '\(path)', expected '\(expected)'")
    }
    guard size <= limit else { throw reader.error("the size is \(size), expected at most \(limit)") }
    return ObjectReference(path: expected, byteCount: size, digest: digest)
  }
}

extension JSONWriter {
  /// Writes the members of a reference.
  mutating func write(_ reference: ObjectReference) {
    member("path", reference.path.text)
    member("sha256", reference.digest.hexadecimal)
    member("size", reference.byteCount)
  }
}

extension JSONReader {
  mutating func timestamp() throws(DocumentError) -> Timestamp {
    let text = try string(atMost: DocumentLimits.maximumWordBytes)
    guard let timestamp = Timestamp(text) else {
      throw error("'\(text)' is not a date, expected one as in 2026-11-22T10:00:00Z")
    }
    return timestamp
  }

  mutating func version() throws(DocumentError) -> ContentVersion {
    let text = try string(atMost: StorePath.maximumVersionLength)
    guard let version = ContentVersion(text) else { throw error("'\(text)' is not a version") }
    return version
  }

  mutating func digest() throws(DocumentError) -> SHA256Digest {
    let text = try string(atMost: DocumentLimits.maximumWordBytes)
    guard let digest = SHA256Digest(hexadecimal: text) else { throw error("'\(text)' is not a SHA-256") }
    return digest
  }
}
