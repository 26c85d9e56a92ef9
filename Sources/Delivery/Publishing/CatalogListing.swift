#if COMMAND_LINE_TOOL
package import ContentPackage
import Support

/// The catalog of a store, with the releases of all products or of one product.
package struct CatalogListing: Sendable {
  /// The catalog with its signatures.
  package let current: CurrentCatalog
  /// The accepted signatures of the catalog.
  package let signature: CatalogSignature
  /// The time of the store at the listing.
  package let time: Timestamp
  /// The listed products, ordered by identifier.
  package let products: [ProductReleases]

  /// Reads the catalog and its release lists.
  ///
  /// - Throws: `PublishingError` for a missing catalog or product; `IntegrityError`, `StoreError`.
  package init(of reader: StoreReader, product: ProductIdentifier? = nil) throws {
    (current, products) = try reader.withCatalog { current in
      (current, try Self.products(of: current, by: reader, product))
    }
    signature = try reader.signature(of: current)
    time = reader.time(of: current)
  }

  private static func products(
    of current: CurrentCatalog, by reader: StoreReader, _ product: ProductIdentifier?
  ) throws -> [ProductReleases] {
    if let product, current.catalog.products[product] == nil {
      throw PublishingError.noProduct(product, store: reader.store.name)
    }
    let wanted = product.map { [$0] } ?? Array(current.catalog.products.keys)
    if product == nil { try reader.checkListedBytes(of: current.catalog) }
    return try WorkerPool.collect(count: wanted.count, jobs: StoreVerifier.jobs) {
      { index in try reader.releases(of: wanted[index], in: current.catalog).map { [$0] } ?? [] }
    }.sorted { $0.productIdentifier.text < $1.productIdentifier.text }
  }
}

extension StoreReader {
  /// Reads the releases of a product for a change of the store: only their publisher can restore a lost list.
  ///
  /// - Throws: `PublishingError.releasesLost` if the list is missing or damaged; `StoreError`.
  func recordedReleases(of product: ProductIdentifier, in catalog: Catalog) throws -> ProductReleases? {
    do {
      return try releases(of: product, in: catalog)
    } catch  where error.concernsObject {
      let list = catalog.products[product]?.releases.path ?? .catalog
      throw PublishingError.releasesLost(product, place: place(of: list), isMissing: error is StoreError)
    }
  }

  /// Verifies that the release lists of all products fit in memory.
  ///
  /// - Throws: `IntegrityError`.
  func checkListedBytes(of catalog: Catalog) throws(IntegrityError) {
    let byteCount = catalog.products.values.reduce(0) { $0 + $1.releases.byteCount }
    guard byteCount <= DocumentLimits.maximumListedBytes else {
      throw IntegrityError(
        place(of: .catalog),
        "refers to release lists of \(byteCount) bytes, expected at most \(DocumentLimits.maximumListedBytes) in total"
      )
    }
  }
}

extension CatalogListing {
  /// Reads the notes of all releases, each in the language that matches `languages` best.
  ///
  /// - Returns: The notes, or the error for missing or damaged ones, by the path of the package.
  /// - Throws: `StoreError` if the store cannot be reached, `Interruption`.
  package func notes(
    by reader: StoreReader, for languages: [LanguageTag]
  ) throws -> [StorePath: Result<ReleaseNotes, any Error>] {
    let releases = products.flatMap(\.releases).filter { !$0.notes.isEmpty }
    let found = try WorkerPool.collect(count: releases.count, jobs: StoreVerifier.jobs) {
      { index -> [(StorePath, Result<ReleaseNotes, any Error>)] in
        let release = releases[index]
        do {
          return try reader.notes(release.notes, for: languages).map {
            [(release.package.path, .success($0))]
          } ?? []
        } catch  where error.concernsObject {
          return [(release.package.path, .failure(error))]
        }
      }
    }
    return Dictionary(found) { first, _ in first }
  }
}
#endif
