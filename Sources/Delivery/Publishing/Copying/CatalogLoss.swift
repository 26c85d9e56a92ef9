#if COMMAND_LINE_TOOL
import ContentPackage

/// The entries of a catalog that another catalog would drop.
///
/// A later catalog of the same store drops none of them: it lists the releases that `prune` removed as pruned. Only
/// `withdraw --undo` drops withdrawals.
struct CatalogLoss: Sendable {
  /// The entries that the newer catalog lacks, ordered by product and version.
  let entries: [CatalogEntry]
  /// The withdrawals that the newer catalog lacks, and whose list its store still has, ordered in the same way: they
  /// were revoked, or lost by a restore from a backup.
  let revoked: [CatalogEntry]

  /// Compares a catalog with a newer one. A product with a damaged release list counts only if the newer catalog lacks
  /// the product.
  ///
  /// - Throws: `IntegrityError`, `StoreError`.
  static func find(
    in catalog: Catalog, by reader: StoreReader, missingIn newer: Catalog, by newerReader: StoreReader
  ) throws -> CatalogLoss {
    let parts = try reader.forEachList(in: catalog) { product, entry -> [CatalogLoss] in
      guard newer.products[product]?.releases != entry.releases else { return [] }
      let found: ProductReleases
      do {
        guard let releases = try reader.releases(of: product, in: catalog) else { return [] }
        found = releases
      } catch  where error.concernsObject {
        let lost = newer.products[product] == nil ? [CatalogEntry.product(product)] : []
        return [CatalogLoss(entries: lost, revoked: [])]
      }
      guard let others = try newerReader.releases(of: product, in: newer) else {
        let versions = found.releases.map(\.contentVersion) + found.pruned.map(\.contentVersion)
        return [CatalogLoss(entries: versions.sorted().map { .release(product, $0) }, revoked: [])]
      }
      let lost = losses(of: found, after: others)
      let isEarlierState = try lost.contains(where: \.isWithdrawal) && newerReader.hasObject(entry.releases)
      return [
        CatalogLoss(
          entries: lost.filter { !isEarlierState || !$0.isWithdrawal },
          revoked: lost.filter { isEarlierState && $0.isWithdrawal })
      ]
    }
    return CatalogLoss(entries: parts.flatMap(\.entries), revoked: parts.flatMap(\.revoked))
  }

  private static func losses(of found: ProductReleases, after newer: ProductReleases) -> [CatalogEntry] {
    let product = found.productIdentifier
    let listed = found.releases.map { ($0.contentVersion, $0.package.digest, $0.withdrawn) }
    let pruned = found.pruned.map { ($0.contentVersion, $0.digest, $0.withdrawn) }
    return (listed + pruned).sorted { $0.0 < $1.0 }.compactMap { version, digest, withdrawn in
      let release = newer.release(version)
      guard let known = newer.digest(of: version) else { return .release(product, version) }
      guard known == digest else { return .content(product, version) }
      return withdrawn != nil && release != nil && release?.withdrawn == nil
        ? .withdrawal(product, version) : nil
    }
  }
}

extension CatalogEntry {
  fileprivate var isWithdrawal: Bool { if case .withdrawal = self { true } else { false } }
}
#endif
