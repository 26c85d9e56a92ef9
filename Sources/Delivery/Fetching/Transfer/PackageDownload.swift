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
    let release = try reader.withCatalog { current in
      let releases = try reader.releases(of: product, in: current, allowsExpired: allowsExpired)
      // A file belongs to no `Documents` folder, so no number decides about its rollout.
      let client = ReleaseClient(
        appVersion: choice.appVersion, participation: .all, time: reader.time(of: current))
      let release = try choice.release(from: releases, for: client, store: reader.store.name)
      try reader.repeating { try write(release.package, of: product, in: $0, to: place) }
      return release
    }
    return (release.contentVersion, release.package.byteCount)
  }

  private func write(
    _ package: ObjectReference, of product: ProductIdentifier, in store: any Store, to place: OutputPlace
  ) throws {
    var output = try StagedOutput.create(at: place)
    try place.checkRoom(for: package.byteCount)
    progress.begin(.downloading, product.text, totalBytes: package.byteCount)
    transfers.plan(product, rest: package.byteCount, reusing: 0)
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
