import ContentPackage
import Delivery
import PackageForge
import SafeFiles
import Support
import ZipArchive

/// Reads the documents of a store. An accepted document is unchanged after writing and reading it again.
enum DocumentTarget {
  private static let packageBytes: Int64 = 1 << 40

  static func run(_ input: [UInt8]) {
    if let envelope = try? CatalogEnvelope(bytes: input) {
      require((try? CatalogEnvelope(bytes: envelope.bytes)) == envelope, "the envelope changed")
      readCatalog(envelope.payload)
    }
    readCatalog(input)
    if let document = try? TrustDocument(payload: input) {
      require(
        (try? TrustDocument(payload: document.payload)) == document, "the trust document changed")
    }
    if let trust = try? TrustEnvelope(bytes: input) {
      require((try? TrustEnvelope(bytes: trust.bytes)) == trust, "the trust document changed")
    }
    if let product = Self.product, let releases = try? ProductReleases(bytes: input, of: product) {
      require(
        (try? ProductReleases(bytes: releases.bytes, of: product)) == releases, "the releases changed")
    }
    readHead(input)
    readPage(input)
  }

  private static func readHead(_ input: [UInt8]) {
    // The page sizes must add up to the size of their object, which is not part of the input.
    for pageBytes in [seedIndex.pages.byteCount, 0] {
      let head = try? IndexHead(bytes: MemoryBytes(input), packageBytes: packageBytes, pageBytes: pageBytes)
      guard let head else { continue }
      let again = try? IndexHead(
        bytes: MemoryBytes(head.bytes), packageBytes: packageBytes, pageBytes: pageBytes)
      require(again == head, "the head changed")
    }
  }

  /// Reads the input as a page, deflated in one stored block: mutations of compressed data seldom reach the parser.
  private static func readPage(_ input: [UInt8]) {
    guard let size = UInt16(exactly: input.count) else { return }
    let (low, high) = (UInt8(truncatingIfNeeded: size), UInt8(truncatingIfNeeded: size >> 8))
    let packed = [1, low, high, ~low, ~high] + input
    for count in 1...3 as ClosedRange<UInt32> {
      let page = IndexPage(
        digest: SHA256Digest(of: packed), packedSize: UInt32(packed.count), size: UInt32(size),
        entryCount: count, offset: 47)
      let index = PagedIndex(head: IndexHead(manifest: [], pages: [page]), pages: MemoryBytes(packed))
      guard let entries = entries(of: index) else { continue }
      let again = try? PagedIndex(of: entries, manifest: [])
      require(again.flatMap(Self.entries) == entries, "the entries changed")
    }
  }

  private static func entries(of index: PagedIndex) -> [IndexEntry]? {
    var entries: [IndexEntry] = []
    return (try? index.read(packageBytes: packageBytes) { entries.append($0) }).map { entries }
  }

  private static func readCatalog(_ payload: [UInt8]) {
    guard let catalog = try? Catalog(payload: payload) else { return }
    require((try? Catalog(payload: catalog.payload)) == catalog, "the catalog changed")
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
      index: .init(path: .index(product, version, digest), byteCount: 10, digest: digest),
      pages: .init(path: .pages(product, version, digest), byteCount: 10, digest: digest))
    guard let key = try? SSHSignature(armored: KnownSignature.armor).key else { return [] }
    let keys = TrustDocument.Role(keys: [.init(key, comment: "a key")], threshold: 1)
    let trust = TrustDocument(version: 1, catalogs: keys, roots: keys)
    return [
      CatalogEnvelope(payload: catalog.payload, signature: KnownSignature.armor).bytes,
      CatalogEnvelope(payload: catalog.payload, signature: nil).bytes, catalog.payload,
      CatalogEnvelope(payload: catalog.payload, signatures: [KnownSignature.armor]).bytes, trust.payload,
      TrustEnvelope(trust).bytes,
      ProductReleases(productIdentifier: product, releases: [release]).bytes, seedIndex.head.bytes,
      Array(page.utf8),
    ]
  }()

  private static let page = """
    [{"path":"Contents/a","mode":null,"size":3,"packedSize":2,"crc32":7,"sha256":"\(digits)"},\
    {"path":"Contents/b","kind":"folder","gap":40,"more":[{"a":1e3},null]},\
    {"path":"Contents/c","size":4194304,"sha256":"\(digits)","chunks":"\(chunks)"}]
    """

  /// Sixteen chunks of 256 KiB.
  private static let chunks = Base64.standard.encode(
    Array(repeating: [0, 0, 4, 0, 0, 0, 4, 0] + Array(repeating: 7, count: 16), count: 16).flatMap(\.self))

  private static let seedIndex: PagedIndex = {
    let entry = IndexEntry(
      path: EntryPath("ContentInfo.plist"), kind: .file, mode: 0o644, size: 3, digest: SHA256Digest(of: []),
      method: .stored, offset: 47, packedSize: 3, crc32: 7)
    guard let index = try? PagedIndex(of: [entry], manifest: [0, 1, 2]) else {
      fatalError("the seeds are wrong")
    }
    return index
  }()

  private static let digits = String(repeating: "0123456789abcdef", count: 4)
}
