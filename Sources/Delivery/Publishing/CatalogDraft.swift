#if COMMAND_LINE_TOOL
import ContentPackage
import StrictJSON
import Support

/// A catalog being changed, with the release lists of the products concerned.
struct CatalogDraft {
  let current: CurrentCatalog?
  private let reader: StoreReader
  /// The release lists that were read or changed.
  private var products: [ProductIdentifier: ProductReleases] = [:]
  private var changed: Set<ProductIdentifier> = []

  init(_ current: CurrentCatalog?, reader: StoreReader) {
    self.current = current
    self.reader = reader
  }

  var isChanged: Bool { !changed.isEmpty }

  /// Returns the releases of a product, including changes in this draft; nil if there are none.
  mutating func releases(of product: ProductIdentifier) throws -> ProductReleases? {
    if let known = products[product] { return known }
    guard let current, let read = try reader.recordedReleases(of: product, in: current.catalog) else {
      return nil
    }
    products[product] = read
    return read
  }

  mutating func change(_ releases: ProductReleases) {
    products[releases.productIdentifier] = releases
    changed.insert(releases.productIdentifier)
  }

  /// Adds a release to its product.
  mutating func add(_ release: Release, to product: ProductIdentifier) throws {
    var releases = try releases(of: product) ?? ProductReleases(productIdentifier: product)
    releases.insert(release)
    change(releases)
  }

  /// The releases of the changed products, for the memory of the keys.
  var changedReleases: KeyMemory.Releases {
    products.filter { changed.contains($0.key) }.mapValues(\.remembered)
  }

  /// The releases of the products that were read or changed, for the memory of the keys.
  var knownReleases: KeyMemory.Releases { products.mapValues(\.remembered) }

  /// The release lists of the changed products, as documents.
  var files: [(reference: ObjectReference, bytes: [UInt8])] {
    changed.sorted { $0.text < $1.text }.compactMap { products[$0] }.map(Self.file)
  }

  /// Returns the catalog with the changes.
  ///
  /// - Throws: `PublishingError` if no sequence number is left, or the expiry cannot be determined.
  func catalog(
    at time: Timestamp, expiringAfter days: Int64?, atLeast minimumSequence: Int64 = 1,
    under trust: TrustDocument? = nil, store: String
  ) throws(PublishingError) -> Catalog {
    var catalog =
      current?.catalog ?? Catalog(sequence: 0, published: time)
    guard catalog.sequence < DocumentLimits.maximumSequence else {
      throw .sequenceExhausted(store: store, sequence: catalog.sequence)
    }
    catalog.sequence = max(catalog.sequence + 1, minimumSequence)
    catalog.trust = trust?.version
    let last = catalog
    // The local clock may be behind, but the catalog must not appear older than its predecessor.
    catalog.published = max(time, catalog.published)
    // If the clock was set back since a rollout began, the catalog must not appear older than the rollout.
    let begun = changed.flatMap { products[$0]?.releases.compactMap(\.rollout?.since) ?? [] }.max()
    if let begun { catalog.published = max(begun, catalog.published) }
    // A kept period begins at the publication time: a clock that is behind must not shorten it.
    if let days {
      catalog.expires = days == 0 ? nil : time.adding(days: days)
    } else {
      catalog.expires = try Self.expiry(of: last, publishedNextAt: catalog.published, store)
    }
    for product in changed {
      guard let releases = products[product], let catalogVersion = releases.catalogVersion else { continue }
      catalog.products[product] = Catalog.Product(
        contentVersion: catalogVersion, releases: Self.file(releases).reference)
    }
    return catalog
  }

  /// Returns the expiry of the next catalog, with the period of the last one; nil for no expiry.
  private static func expiry(
    of last: Catalog, publishedNextAt time: Timestamp, _ store: String
  ) throws(PublishingError) -> Timestamp? {
    guard let expires = last.expires else { return nil }
    guard expires > last.published else {
      throw .expiryUnknown(store: store, published: last.published, expires: expires)
    }
    return time.adding(seconds: expires.seconds - last.published.seconds)
  }

  /// Verifies that readers accept the documents of the changed products.
  ///
  /// - Throws: `PublishingError.unreadable`.
  func checkReadable() throws(PublishingError) {
    for (reference, bytes) in files {
      guard bytes.count <= DocumentLimits.maximumProductBytes else {
        throw .unreadable(
          place: reader.place(of: reference.path),
          reason: "would have \(bytes.count) bytes, expected at most \(DocumentLimits.maximumProductBytes)")
      }
      guard case .product(let product) = reference.path.kind else { continue }
      do throws(DocumentError) { _ = try ProductReleases(bytes: bytes, of: product) } catch {
        throw .unreadable(place: reader.place(of: reference.path), reason: error.message)
      }
    }
  }

  private static func file(_ releases: ProductReleases) -> (reference: ObjectReference, bytes: [UInt8]) {
    let bytes = releases.bytes
    let digest = SHA256Digest(of: bytes)
    let reference = ObjectReference(
      path: .product(releases.productIdentifier, digest), byteCount: Int64(bytes.count), digest: digest)
    return (reference, bytes)
  }
}
#endif
