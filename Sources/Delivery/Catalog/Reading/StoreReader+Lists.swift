#if COMMAND_LINE_TOOL
import ContentPackage
import StrictJSON
import Support

/// The release lists of all products.
extension StoreReader {
  /// The maximum total size of the release lists that are read at a time, in bytes, unless a single list is larger.
  private static let capacity = 32 << 20

  /// Calls `work` concurrently for each product of a catalog, ordered by identifier. `work` reads the release list of
  /// the product and must not keep it, so that memory holds few lists at a time.
  ///
  /// - Returns: The results in the same order.
  /// - Throws: The errors of `work`.
  func forEachList<Output: Sendable>(
    in catalog: Catalog,
    _ work: @escaping @Sendable (ProductIdentifier, Catalog.Product) throws -> [Output]
  ) throws -> [Output] {
    let products = catalog.products.sorted { $0.key.text < $1.key.text }
    var outputs: [Output] = []
    try OrderedWork.run(count: products.count, jobs: StoreVerifier.jobs, capacity: Self.capacity) {
      Int(clamping: products[$0].value.releases.byteCount)
    } makeWork: {
      { try work(products[$0].key, products[$0].value) }
    } receive: {
      outputs += $1
    }
    return outputs
  }

  /// Reads a release list, which may be that of an earlier catalog; nil if it is missing or damaged.
  func listedReleases(in list: ObjectReference, of product: ProductIdentifier) throws -> ProductReleases? {
    do {
      return try ProductReleases(bytes: bytes(of: list), of: product)
    } catch  where error.concernsObject || error is DocumentError {
      return nil
    }
  }
}
#endif
