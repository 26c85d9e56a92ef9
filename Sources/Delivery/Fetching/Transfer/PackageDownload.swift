package import ContentPackage
package import SafeFiles
import Support

/// A download of a package to a file.
package struct PackageDownload: Sendable {
  /// The written package.
  package struct Written: Sendable {
    /// The version of the release.
    package let version: ContentVersion
    /// The size of the package in bytes.
    package let byteCount: Int64
    /// The signatures of the catalog.
    package let signature: CatalogSignature
  }

  private let reader: StoreReader
  private let named: NamedKeys?
  private let progress: WorkProgress
  private let transfers: TransferProgress

  /// Creates a download from a store.
  ///
  /// - Parameters:
  ///   - reader: The reader of the store.
  ///   - named: The keys that the caller trusts; nil to accept the first catalog, as a new `Documents` folder does.
  ///   - progress: Reports the downloaded bytes.
  ///   - transfers: Reports the progress of the product.
  package init(
    _ reader: StoreReader, trusting named: NamedKeys? = nil, progress: WorkProgress,
    transfers: TransferProgress
  ) {
    self.reader = reader
    self.named = named
    self.progress = progress
    self.transfers = transfers
  }

  /// Writes the verified package of a release to a new file. The newest trust document of the store must accept the
  /// catalog.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - choice: The requested release.
  ///   - allowsExpired: Whether an expired catalog or trust document is accepted.
  ///   - place: The destination.
  /// - Returns: The written package.
  /// - Throws: `PublishingError`, `FetchError`, `IntegrityError`, `StoreError`, `FileError`, `Interruption`. No file is
  ///   created then.
  package func write(
    _ product: ProductIdentifier, _ choice: ReleaseChoice, allowsExpired: Bool, to place: OutputDestination
  ) throws -> Written {
    try transfers.tracking(product) { try writing(product, choice, allowsExpired: allowsExpired, to: place) }
  }

  private func writing(
    _ product: ProductIdentifier, _ choice: ReleaseChoice, allowsExpired: Bool, to place: OutputDestination
  ) throws -> Written {
    transfers.begin(product, counting: reader.meter)
    // A file belongs to no `Documents` folder, so nothing is known of the store.
    let known = StoreTrust(named: named, record: nil, origin: nil)
    return try reader.withCatalog { found in
      var current = found
      let trust = try reader.walk(known, &current, allowsExpired: allowsExpired)
      try trust.check(current, at: reader.place(of: .catalog))
      let releases = try reader.releases(of: product, in: current, allowsExpired: allowsExpired)
      // Without a `Documents` folder, there is no number that selects rollouts.
      let client = ReleaseClient(
        appVersion: choice.appVersion, participation: .all, time: reader.time(of: current))
      let release = try choice.release(from: releases, for: client, store: reader.store.name)
      try reader.repeating { try write(release.package, of: product, in: $0, to: place) }
      return Written(
        version: release.contentVersion, byteCount: release.package.byteCount,
        signature: trust.signature(of: current))
    }
  }

  private func write(
    _ package: ObjectReference, of product: ProductIdentifier, in store: any Store,
    to place: OutputDestination
  ) throws {
    var output = try StagedOutput.create(at: place)
    try place.checkFreeSpace(for: package.byteCount)
    progress.begin(.downloading, product.text, totalBytes: package.byteCount)
    transfers.plan(product, remainingBytes: package.byteCount, reusing: 0)
    reader.meter.addRequest()
    try reader.check(package, in: store) { block in
      reader.meter.add(block.byteCount)
      try output.write(block)
      progress.advance(by: Int64(block.byteCount))
    }
    try output.commit()
  }
}

extension StoreReader {
  /// Returns the releases of a product, which the catalog must list.
  ///
  /// - Throws: `PublishingError` for a missing product, `FetchError` for an expired catalog, `IntegrityError`,
  ///   `StoreError`.
  func releases(
    of product: ProductIdentifier, in current: CurrentCatalog, allowsExpired: Bool
  ) throws -> ProductReleases {
    if let expires = current.catalog.expires, expires < .now, !allowsExpired {
      throw FetchError.expired(store: store.name, expires)
    }
    guard let releases = try releases(of: product, in: current.catalog) else {
      throw PublishingError.noProduct(product, store: store.name)
    }
    return releases
  }
}
