#if COMMAND_LINE_TOOL
import ContentPackage
import Support

/// The releases that the keys remember.
extension CatalogChange {
  /// The versions that were published in this store, as the keys remember them.
  var rememberedReleases: KeyMemory.Releases {
    signers.reduce(into: [:]) { all, signer in
      all.merge(signer.memory.releases(of: store.name)) { $0.merging($1) { $0.merged(with: $1) } }
    }
  }

  /// Returns the digest of the package of a version that the keys remember; nil if it is unknown. `1.0` and `1` are equal.
  func rememberedDigest(of product: ProductIdentifier, _ version: ContentVersion) -> SHA256Digest? {
    observed.remembered { rememberedReleases }[product]?.first { ContentVersion($0.key) == version }?.value
      .digest
  }

  /// Verifies that the catalog has all releases that the keys remember: otherwise it is an older state, or that of another
  /// store. A catalog that one of the keys signed last is not searched.
  ///
  /// - Throws: `PublishingError.releasesMissing`, `StoreError`.
  func checkReleases(of current: CurrentCatalog?) throws {
    guard let current, !observed.hasReleases(current.tag) else { return }
    let missing = try missingReleases(in: current)
    guard missing.isEmpty else {
      throw PublishingError.releasesMissing(
        store: store.name, missing.entries, next: nextSequence(after: current.catalog))
    }
    observed.noteReleases(current.tag)
  }

  /// Returns the sequence number above those of a catalog and of the last one that the keys signed.
  private func nextSequence(after catalog: Catalog) -> Int64 {
    let last = signers.compactMap { $0.memory.sequence(of: store.name, under: 0) }.max() ?? 0
    return min(max(last, catalog.sequence), DocumentLimits.maximumSequence - 1) + 1
  }

  /// Returns the remembered releases that a catalog lacks, or has with other content. Products whose release lists are
  /// missing or damaged are left out, and so are releases whose loss the publisher has accepted.
  ///
  /// - Throws: `StoreError`, `IntegrityError`.
  func missingReleases(in current: CurrentCatalog) throws -> MissingReleases {
    guard !signers.contains(where: { $0.memory.catalog(of: store.name) == current.digest }) else {
      return MissingReleases()
    }
    let remembered = rememberedReleases.mapValues { $0.filter { !$0.value.isLost } }
    var part = current.catalog
    part.products = part.products.filter { remembered[$0.key] != nil }
    let products = part.products
    let found = try reader.forEachList(in: part) { [reader, part] product, _ -> [MissingReleases] in
      do {
        return [
          MissingReleases(
            remembered[product] ?? [:], of: product, among: try reader.releases(of: product, in: part))
        ]
      } catch  where error.concernsObject {
        return []
      }
    }
    let unlisted = remembered.filter { products[$0.key] == nil }
    return MissingReleases(found + unlisted.map { MissingReleases($0.value, of: $0.key, among: nil) })
  }
}

/// Remembered releases that a catalog lacks, or has with other content.
struct MissingReleases {
  /// The texts of the versions.
  private(set) var versions: [ProductIdentifier: Set<String>] = [:]
  private var found: [(product: ProductIdentifier, version: ContentVersion, isListed: Bool)] = []

  var isEmpty: Bool { versions.isEmpty }

  /// The releases, ordered by product and version.
  var entries: [CatalogEntry] {
    found.sorted { ($0.product.text, $0.version) < ($1.product.text, $1.version) }.map {
      $0.isListed ? .content($0.product, $0.version) : .release($0.product, $0.version)
    }
  }

  init(_ parts: [MissingReleases] = []) {
    for part in parts {
      versions.merge(part.versions) { $0.union($1) }
      found += part.found
    }
  }

  fileprivate init(
    _ remembered: [String: KeyMemory.Release], of product: ProductIdentifier,
    among releases: ProductReleases?
  ) {
    for (text, release) in remembered {
      guard let version = ContentVersion(text) else { continue }
      let digest = releases?.digest(of: version)
      if let digest, release.digest.map({ $0 == digest }) ?? true { continue }
      versions[product, default: []].insert(text)
      found.append((product, version, digest != nil))
    }
  }
}
#endif
