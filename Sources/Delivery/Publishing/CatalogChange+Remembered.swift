#if COMMAND_LINE_TOOL
import ContentPackage
import Support

/// The releases that the keys remember.
extension CatalogChange {
  /// Reads what the keys remember of this store, before each reading of the catalog. Another publisher with the same key
  /// replaces the catalog first and remembers it then, so the keys know of no catalog after the one that is read next.
  @discardableResult
  func readMemories() -> [KeyMemory.Entry] {
    let memories = signers.compactMap { $0.memory.entry(of: store.name) }
    observed.note(memories)
    return memories
  }

  /// The memories of the keys of this store, from before the last reading of the catalog.
  var memories: [KeyMemory.Entry] { observed.memories ?? readMemories() }

  /// The versions that were published in this store, as the keys remember them.
  var rememberedReleases: KeyMemory.Releases { Self.releases(of: memories) }

  private static func releases(of memories: [KeyMemory.Entry]) -> KeyMemory.Releases {
    memories.reduce(into: [:]) { all, memory in
      all.merge(memory.releases) { $0.merging($1) { $0.merged(with: $1) } }
    }
  }

  /// Returns the release of a version that the keys remember; nil if there is none. `1.0` and `1` are equal.
  func rememberedRelease(of product: ProductIdentifier, _ version: ContentVersion) -> KeyMemory.Release? {
    observed.remembered(rememberedReleases)[product]?.first { ContentVersion($0.key) == version }?.value
  }

  /// Verifies that the catalog has all releases and withdrawals that the keys remember: otherwise it is an older state, or that of another
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
    let last = memories.compactMap { $0.sequence(under: 0) }.max() ?? 0
    return min(max(last, catalog.sequence), DocumentLimits.maximumSequence - 1) + 1
  }

  /// Returns the remembered releases and withdrawals that a catalog lacks, and the releases that it has with other content.
  /// Products whose release lists are missing or damaged are left out, and so are releases whose loss the publisher has
  /// accepted.
  ///
  /// - Throws: `StoreError`, `IntegrityError`.
  func missingReleases(in current: CurrentCatalog) throws -> MissingReleases {
    let memories = memories
    guard !memories.contains(where: { $0.catalog == current.digest }) else { return MissingReleases() }
    var remembered = Self.releases(of: memories).mapValues { $0.filter { !$0.value.isLost } }
    // Another publisher may have revoked withdrawals, unless the catalog is behind the last one that the key has seen.
    let later = Self.releases(
      of: memories.filter {
        $0.sequence(under: current.catalog.trust ?? 0) ?? 0 > current.catalog.sequence
      })
    for (product, versions) in remembered {
      for version in versions.keys {
        remembered[product]?[version]?.isWithdrawn = later[product]?[version]?.isWithdrawn ?? false
      }
    }
    var part = current.catalog
    part.products = part.products.filter { remembered[$0.key] != nil }
    let products = part.products
    let found = try reader.forEachList(in: part) {
      [reader, part, remembered] product, _ -> [MissingReleases] in
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

/// Remembered releases and withdrawals that a catalog lacks, and releases that it has with other content.
struct MissingReleases {
  /// The texts of the versions of releases.
  private(set) var versions: [ProductIdentifier: Set<String>] = [:]
  /// The texts of the versions of withdrawals.
  private(set) var withdrawals: [ProductIdentifier: Set<String>] = [:]
  private var found: [(product: ProductIdentifier, version: ContentVersion, entry: CatalogEntry)] = []

  var isEmpty: Bool { found.isEmpty }

  /// The releases and withdrawals, ordered by product and version.
  var entries: [CatalogEntry] {
    found.sorted { ($0.product.text, $0.version) < ($1.product.text, $1.version) }.map(\.entry)
  }

  init(_ parts: [MissingReleases] = []) {
    for part in parts {
      versions.merge(part.versions) { $0.union($1) }
      withdrawals.merge(part.withdrawals) { $0.union($1) }
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
      guard let digest, release.digest.map({ $0 == digest }) ?? true else {
        versions[product, default: []].insert(text)
        let lost: CatalogEntry =
          release.isWithdrawn ? .withdrawnRelease(product, version) : .release(product, version)
        found.append((product, version, digest == nil ? lost : .content(product, version)))
        continue
      }
      guard release.isWithdrawn, let listed = releases?.release(version), listed.withdrawn == nil else {
        continue
      }
      withdrawals[product, default: []].insert(text)
      found.append((product, version, .withdrawal(product, version)))
    }
  }
}
#endif
