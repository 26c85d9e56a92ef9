#if COMMAND_LINE_TOOL
import ContentPackage
import Support

/// The releases that the keys remember.
extension CatalogChange {
  /// Reads the memories of the keys for this store; called before each reading of the catalog. Another publisher with
  /// the same key replaces the catalog before it updates the memory, so no memory is ahead of the catalog that is read
  /// next.
  @discardableResult
  func readMemories() -> [KeyMemory.Entry] {
    let memories = signers.compactMap { $0.memory.entry(of: store.name) }
    observed.record(memories)
    return memories
  }

  /// The key memories for this store, read before the latest read of the catalog.
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

  /// Verifies that the catalog has all releases and withdrawals of the catalogs that the keys signed. Otherwise the
  /// catalog is an older one, or that of another store.
  ///
  /// - Throws: `PublishingError.releasesMissing`, `StoreError`.
  func checkReleases(of current: CurrentCatalog) throws {
    guard observed.search(of: current.tag) == nil else { return }
    let missing = try missingReleases(in: current)
    guard missing.isEmpty else {
      throw PublishingError.releasesMissing(
        store: store.name, missing.entries, next: nextSequence(after: current.catalog))
    }
    observed.record(missing, of: current.tag)
  }

  /// Verifies that no key remembers a catalog of a store that has none, unless the publisher starts a new one.
  ///
  /// - Throws: `PublishingError.catalogMissing` or `.catalogLost`, `StoreError`.
  func checkAbsence() throws {
    guard !options.startsNewCatalog, let last = memories.compactMap({ $0.sequence(under: 0) }).max() else {
      return
    }
    if let found = try listing(), !found.products.isEmpty {
      throw PublishingError.catalogLost(store: store.name, products: found.products.count)
    }
    let missing = requirements(for: nil).map { product, requirement in
      MissingReleases(requirement.releases, of: product, among: nil, isUnknown: !requirement.lists.isEmpty)
    }
    throw PublishingError.catalogMissing(
      store: store.name, sequence: last, MissingReleases(missing).entries)
  }

  /// Returns the sequence number above those of a catalog and of the last one that the keys signed, or the maximum that
  /// a publisher may request.
  private func nextSequence(after catalog: Catalog) -> Int64 {
    let last = memories.compactMap { $0.sequence(under: 0) }.max() ?? 0
    return min(max(last, catalog.sequence) + 1, DocumentLimits.maximumRequestedSequence)
  }

  /// Returns the remembered releases and withdrawals that a catalog lacks, and the releases that it has with other
  /// content. Omits products whose release lists are missing or damaged, and releases whose loss the publisher has
  /// accepted.
  ///
  /// Reads only lists that differ from those that the keys signed last, and the signed lists that the store still has.
  ///
  /// - Throws: `StoreError`, `IntegrityError`.
  func missingReleases(in current: CurrentCatalog) throws -> MissingReleases {
    let requirements = requirements(for: current)
    var part = current.catalog
    part.products = part.products.filter { requirements[$0.key] != nil }
    let products = part.products
    let listed = try reader.forEachList(in: part) { [part] product, _ -> [MissingReleases] in
      guard let requirement = requirements[product] else { return [] }
      do {
        let releases = try reader.releases(of: product, in: part)
        return [try missing(requirement, of: product, among: releases)]
      } catch  where error.concernsObject {
        return [MissingReleases(unread: product)]
      }
    }
    let absent = requirements.filter { products[$0.key] == nil }.map {
      (product: $0.key, requirement: $0.value)
    }
    let unlisted = try WorkerPool.collect(count: absent.count, jobs: StoreVerifier.jobs) {
      { index -> [MissingReleases] in
        [try missing(absent[index].requirement, of: absent[index].product, among: nil)]
      }
    }
    return MissingReleases(listed + unlisted)
  }

  /// Returns `read`, with the releases of all lists that no key remembers. Returns only `read` if no key remembers the
  /// store, or one remembers this catalog. Omits missing and damaged lists.
  ///
  /// - Throws: `StoreError`.
  func forgottenReleases(
    in current: CurrentCatalog, reading read: KeyMemory.Releases
  ) throws -> KeyMemory.Releases {
    guard !memories.isEmpty, !memories.contains(where: { $0.catalog == current.digest }) else { return read }
    let known = Set(memories.flatMap(\.lists.values))
    let all = (observed.search(of: current.tag)?.listed ?? [:]).merging(read) { $1 }
    var part = current.catalog
    part.products = part.products.filter { !known.contains($0.value.releases.digest) && all[$0.key] == nil }
    let forgotten = try reader.forEachList(in: part) { [part] product, _ -> [KeyMemory.Releases] in
      do {
        return try reader.releases(of: product, in: part).map { [[product: $0.remembered]] } ?? []
      } catch  where error.concernsObject {
        return []
      }
    }
    return forgotten.reduce(into: all) { all, releases in all.merge(releases) { $1 } }
  }

  /// Returns the releases that the keys require in a catalog; `current` is nil for a store without one. Omits
  /// products whose current list is the one that the key signed last.
  private func requirements(for current: CurrentCatalog?) -> [ProductIdentifier: ReleaseRequirement] {
    var requirements: [ProductIdentifier: ReleaseRequirement] = [:]
    for memory in memories {
      if let current, memory.catalog == current.digest { continue }
      let seen = memory.sequence(under: current?.catalog.trust ?? 0) ?? 0
      let sequence = current?.catalog.sequence ?? 0
      // A different catalog with the same number is not a later one either.
      let isBehind = seen > sequence || seen == sequence && memory.catalog != nil
      for product in Set(memory.releases.keys).union(memory.lists.keys) {
        let list = memory.lists[product]
        if let list, list == current?.catalog.products[product]?.releases.digest { continue }
        var requirement = requirements[product] ?? ReleaseRequirement()
        requirement.add(memory.releases[product] ?? [:], isBehind: isBehind)
        if let list { requirement.lists[list] = isBehind || requirement.lists[list] ?? false }
        requirements[product] = requirement
      }
    }
    return requirements
  }

  /// Searches the releases of a product for those that the keys require; `releases` is nil if the catalog lacks the
  /// product.
  private func missing(
    _ requirement: ReleaseRequirement, of product: ProductIdentifier, among releases: ProductReleases?
  ) throws -> MissingReleases {
    var (requirement, isUnknown) = (requirement, false)
    for (digest, isBehind) in requirement.lists {
      let path = StorePath.product(product, digest)
      guard let byteCount = try store.status(of: path)?.byteCount,
        byteCount <= DocumentLimits.maximumProductBytes,
        let signed = try reader.listedReleases(
          in: ObjectReference(path: path, byteCount: byteCount, digest: digest), of: product)
      else {
        // Another publisher may have changed the list, and pruned it since. Its newest version is still demanded.
        isUnknown = isUnknown || isBehind || releases == nil
        continue
      }
      requirement.add(signed.remembered, isBehind: isBehind)
    }
    return MissingReleases(requirement.releases, of: product, among: releases, isUnknown: isUnknown)
  }
}

/// The releases of a product that the keys require.
private struct ReleaseRequirement {
  /// The releases that the keys remember, by the text of the version.
  private(set) var releases: [String: KeyMemory.Release] = [:]
  /// For each list that a key signed last, whether the current catalog is behind the one with that list.
  var lists: [SHA256Digest: Bool] = [:]

  /// Adds releases, without those whose loss the publisher has accepted.
  ///
  /// Another publisher may have revoked withdrawals, unless the catalog is behind the last one that the key has seen.
  mutating func add(_ remembered: [String: KeyMemory.Release], isBehind: Bool) {
    for (version, var release) in remembered where !release.isLost {
      release.isWithdrawn = release.isWithdrawn && isBehind
      releases[version] = releases[version]?.merged(with: release) ?? release
    }
  }
}

/// Remembered releases and withdrawals that a catalog lacks, and releases that it has with other content.
struct MissingReleases {
  /// The releases, by the text of the version.
  private(set) var versions: KeyMemory.Releases = [:]
  /// The texts of the versions of withdrawals.
  private(set) var withdrawals: [ProductIdentifier: Set<String>] = [:]
  /// The releases of the lists that were searched.
  private(set) var listed: KeyMemory.Releases = [:]
  /// The products whose lists are missing or damaged.
  private(set) var unread: Set<ProductIdentifier> = []
  /// The version is nil for a product of which no release is known.
  private var found: [(product: ProductIdentifier, version: ContentVersion?, entry: CatalogEntry)] = []

  var isEmpty: Bool { found.isEmpty }

  /// The releases and withdrawals, ordered by product and version.
  var entries: [CatalogEntry] {
    found.sorted { first, second in
      guard first.product == second.product, let version = first.version, let other = second.version else {
        return first.product.text < second.product.text
      }
      return version < other
    }.map(\.entry)
  }

  init(_ parts: [MissingReleases] = []) {
    for part in parts {
      versions.merge(part.versions) { $0.merging($1) { $1 } }
      withdrawals.merge(part.withdrawals) { $0.union($1) }
      listed.merge(part.listed) { $1 }
      unread.formUnion(part.unread)
      found += part.found
    }
  }

  fileprivate init(unread product: ProductIdentifier) { unread = [product] }

  /// Finds the remembered releases of a product that the catalog lacks.
  ///
  /// - Parameters:
  ///   - remembered: The releases that the keys remember.
  ///   - product: The product of the releases.
  ///   - releases: The releases of the catalog; nil if it lacks the product.
  ///   - isUnknown: Whether the catalog also lacks a list whose releases are unknown.
  fileprivate init(
    _ remembered: [String: KeyMemory.Release], of product: ProductIdentifier,
    among releases: ProductReleases?, isUnknown: Bool
  ) {
    if let releases { listed[product] = releases.remembered }
    for (text, release) in remembered {
      guard let version = ContentVersion(text) else { continue }
      let digest = releases?.digest(of: version)
      guard let digest, release.digest.map({ $0 == digest }) ?? true else {
        versions[product, default: [:]][text] = release
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
    if isUnknown, found.isEmpty, remembered.values.allSatisfy({ $0.digest == nil }) {
      found.append((product, nil, .product(product)))
    }
  }
}
#endif
