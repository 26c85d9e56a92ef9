package import ContentPackage
package import SafeFiles
import Support

/// A download of a package to a file.
package struct PackageDownload: Sendable {
  private let reader: StoreReader
  private let progress: WorkProgress
  private let transfers: TransferProgress

  package init(_ reader: StoreReader, progress: WorkProgress, transfers: TransferProgress) {
    self.reader = reader
    self.progress = progress
    self.transfers = transfers
  }

  /// Writes the verified package of a release to a new file.
  ///
  /// - Returns: The version, and the size of the package.
  /// - Throws: `PublishingError`, `FetchError`, `IntegrityError`, `StoreError`, `FileError`, `Interruption`. No file is
  ///   created then.
  package func write(
    _ product: ProductIdentifier, _ choice: ReleaseChoice, allowsExpired: Bool, to place: OutputPlace
  ) throws -> (version: ContentVersion, bytes: Int64) {
    try transfers.following(product) { try writing(product, choice, allowsExpired: allowsExpired, to: place) }
  }

  private func writing(
    _ product: ProductIdentifier, _ choice: ReleaseChoice, allowsExpired: Bool, to place: OutputPlace
  ) throws -> (version: ContentVersion, bytes: Int64) {
    transfers.begin(product, counting: reader.meter)
    let release = try reader.release(of: product, choice, allowsExpired: allowsExpired)
    try reader.repeating { store in
      var output = try StagedOutput.create(at: place)
      try place.checkRoom(for: release.package.byteCount)
      progress.begin(.downloading, product.text, totalBytes: release.package.byteCount)
      transfers.plan(product, rest: release.package.byteCount, reusing: 0)
      reader.meter.addRequest()
      try reader.check(release.package, in: store) { block in
        reader.meter.add(block.byteCount)
        try output.write(block)
        progress.advance(by: Int64(block.byteCount))
      }
      try output.commit()
    }
    return (release.contentVersion, release.package.byteCount)
  }
}

extension StoreReader {
  /// Selects the release that matches the request.
  ///
  /// - Throws: The errors of `releases`, and `FetchError`.
  func release(
    of product: ProductIdentifier, _ choice: ReleaseChoice, allowsExpired: Bool
  ) throws -> Release {
    let releases = try releases(of: product, allowsExpired: allowsExpired).releases
    return try choice.release(from: releases, store: store.name)
  }

  /// Returns the releases of a product, and the catalog that lists them. `check` returns the catalog to use.
  ///
  /// - Throws: `PublishingError` for a missing catalog or product, `FetchError`, `IntegrityError`, `StoreError`.
  func releases(
    of product: ProductIdentifier, allowsExpired: Bool,
    checking check: (CurrentCatalog) throws -> CurrentCatalog = { $0 }
  ) throws -> (releases: ProductReleases, current: CurrentCatalog) {
    try withCatalog { found in
      let current = try check(found)
      if let expires = current.catalog.expires, expires < .now, !allowsExpired {
        throw FetchError.expired(store: store.name, expires)
      }
      guard let releases = try releases(of: product, in: current.catalog) else {
        throw PublishingError.noProduct(product, store: store.name)
      }
      return (releases, current)
    }
  }
}
