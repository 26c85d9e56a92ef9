import ContentPackage
import Delivery
import PackageForge
import SafeFiles
import Support

/// Reads the documents of a store. An accepted document is unchanged after writing and reading it again.
enum DocumentTarget {
  private static let packageBytes: Int64 = 1 << 40

  static func run(_ input: [UInt8]) {
    if let envelope = try? CatalogEnvelope(bytes: input) {
      require((try? CatalogEnvelope(bytes: envelope.bytes)) == envelope, "the envelope is another one")
      readCatalog(envelope.payload)
    }
    readCatalog(input)
    if let product = Self.product, let releases = try? ProductReleases(bytes: input, of: product) {
      require(
        (try? ProductReleases(bytes: releases.bytes, of: product)) == releases, "the releases are others")
    }
    if let index = readIndex(input) {
      var bytes: [UInt8] = []
      ReleaseIndex.write(index.entries, manifest: index.manifest) { block in
        unsafe block.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
      }
      let again = readIndex(bytes)
      require(
        again?.entries == index.entries && again?.manifest == index.manifest, "the index is another")
    }
  }

  private static func readIndex(_ bytes: [UInt8]) -> (entries: [IndexEntry], manifest: [UInt8])? {
    var entries: [IndexEntry] = []
    let manifest = try? ReleaseIndex.read(MemoryBytes(bytes), packageBytes: packageBytes) {
      entries.append($0)
    }
    return manifest.map { (entries, $0) }
  }

  private static func readCatalog(_ payload: [UInt8]) {
    guard let catalog = try? Catalog(payload: payload) else { return }
    require((try? Catalog(payload: catalog.payload)) == catalog, "the catalog is another one")
  }

  // MARK: Seeds

  private static let product = ProductIdentifier("com.example.book")

  static let seeds: [[UInt8]] = {
    guard let product, let version = ContentVersion("1.10") else { fatalError("the seeds are wrong") }
    let digest = SHA256Digest(of: [])
    let catalog = Catalog(
      sequence: 42, published: Timestamp(seconds: 1_795_341_600), expires: Timestamp(seconds: 1_895_341_600),
      products: [
        product: .init(
          contentVersion: version,
          releases: .init(path: .product(product, digest), byteCount: 812, digest: digest))
      ])
    let release = Release(
      contentVersion: version, channel: .stable, minimumAppVersion: version,
      published: Timestamp(seconds: 1_795_341_600), withdrawn: "a fault", contentBytes: 5, files: 1,
      package: .init(path: .package(product, version, digest), byteCount: 100, digest: digest),
      index: .init(path: .index(product, version, digest), byteCount: 10, digest: digest))
    return [
      CatalogEnvelope(payload: catalog.payload, signature: KnownSignature.armour).bytes,
      CatalogEnvelope(payload: catalog.payload, signature: nil).bytes, catalog.payload,
      ProductReleases(productIdentifier: product, releases: [release]).bytes, Array(index.utf8),
    ]
  }()

  private static let index = """
    {"entries":[{"path":"ContentInfo.plist","kind":"file","mode":null,"size":3,"sha256":"\(digits)",\
    "method":"stored","offset":47,"packedSize":3,"crc32":7},{"path":"Contents/","kind":"folder","mode":493,"size":0,\
    "sha256":null,"method":"stored","offset":89,"packedSize":0,"crc32":0}],"manifest":"AAEC","more":[{"a":1e3},null]}
    """

  private static let digits = String(repeating: "0123456789abcdef", count: 4)
}
