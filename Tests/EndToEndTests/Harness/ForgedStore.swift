import ContentPackage
import Delivery
import Support
import Testing

/// A store of many products, created without publishing: its catalog is unsigned, and its packages are missing.
struct ForgedStore {
  /// The documents by path.
  private(set) var files: [String: [UInt8]] = [:]

  /// Creates a store in which every release has the index head `index`; nil for a missing one.
  init(products: Int, releases: Int, index: [UInt8]? = nil) throws {
    var catalog = Catalog(sequence: 1, published: Timestamp(seconds: 1_795_341_600))
    for number in 0..<products {
      let product = try #require(ProductIdentifier("com.example.product\(number)"))
      var list = ProductReleases(productIdentifier: product)
      for version in 0..<releases {
        let release = try Self.release(#require(ContentVersion("1.\(version)")), of: product, index)
        files[release.index.path.text] = index
        list.insert(release)
      }
      let digest = SHA256Digest(of: list.bytes)
      let reference = ObjectReference(
        path: .product(product, digest), byteCount: Int64(list.bytes.count), digest: digest)
      files[reference.path.text] = list.bytes
      catalog.products[product] = .init(
        contentVersion: try #require(list.catalogVersion), releases: reference)
    }
    files[StorePath.catalog.text] = CatalogEnvelope(payload: catalog.payload, signature: nil).bytes
  }

  private static func release(
    _ version: ContentVersion, of product: ProductIdentifier, _ index: [UInt8]?
  ) throws -> Release {
    let digest = SHA256Digest(of: Array("\(product) \(version)".utf8))
    let indexDigest = index.map { SHA256Digest(of: $0) } ?? digest
    return Release(
      contentVersion: version, channel: .stable, minimumAppVersion: nil, published: Timestamp(seconds: 1),
      contentBytes: 1, files: 1,
      package: .init(path: .package(product, version, digest), byteCount: 1000, digest: digest),
      index: .init(
        path: .index(product, version, indexDigest), byteCount: Int64(index?.count ?? 1000),
        digest: indexDigest),
      pages: .init(path: .pages(product, version, digest), byteCount: 1000, digest: digest))
  }
}
