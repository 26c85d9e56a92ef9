package import ContentPackage
import Installation

/// The catalog entry of a product, and its installed versions.
struct CatalogProduct {
  let product: ProductIdentifier
  let choice: ReleaseChoice
  let releases: ProductReleases
  /// The sequence number of the catalog.
  let sequence: Int64
  /// The origin of the release, recorded in `Documents` after an installation.
  let provenance: Provenance
  /// Whether the catalog was accepted without a known key.
  let isFirstContact: Bool
  let contents: [InstalledContent]
  let client: ReleaseClient

  var installedVersion: ContentVersion? { client.installedVersion }
  /// The reason why the installed version was withdrawn; nil if it was not.
  var withdrawn: String? { installedVersion.flatMap(releases.withdrawal(of:)) }

  /// The releases of the channel that the client may install.
  var offered: ClientReleases { ClientReleases(of: releases, in: choice.channel, for: client) }

  /// Returns the installed version if it is kept; nil if a release is to be installed.
  ///
  /// - Throws: The errors of `ReleaseChoice.release`, unless the channel has only releases that are withdrawn, or in a
  ///   rollout in which the client does not take part: the installed version is then kept.
  func current(
    store: String, keeping kept: ReleaseFetcher.KeptVersion, _ meter: TransferMeter
  ) throws -> CurrentProduct? {
    guard let installedVersion, kept != .none else { return nil }
    var available: ContentVersion?
    let hasReleases = releases.newest(in: choice.channel, withdrawn: true) != nil
    let hasOnlyPending = choice.contentVersion == nil && offered.newest == nil && offered.pending != nil
    if !hasOnlyPending, releases.newest(in: choice.channel, withdrawn: false) != nil || !hasReleases {
      let release = try choice.release(from: releases, for: client, store: store)
      guard
        installedVersion > release.contentVersion
          || kept != .newer && installedVersion == release.contentVersion
      else { return nil }
      available = release.contentVersion
    }
    return CurrentProduct(
      productIdentifier: product, contentVersion: installedVersion, availableVersion: available,
      withdrawn: withdrawn, pending: offered.pending, meter: meter, provenance: provenance)
  }
}

/// A product that is up to date.
package struct CurrentProduct: Sendable {
  /// The installed product.
  package let productIdentifier: ProductIdentifier
  /// The installed version.
  package let contentVersion: ContentVersion
  /// The version that the channel offers, which is not higher; nil if it offers none.
  package let availableVersion: ContentVersion?
  /// The reason why the installed version was withdrawn; nil if it was not. It stays installed, but can no longer be
  /// fetched.
  package let withdrawn: String?
  /// The newest release in rollout in which the client does not take part; nil if there is none.
  package let pending: RolloutState?
  /// The requests made and the bytes received.
  package let meter: TransferMeter
  /// The origin of the installed version.
  let provenance: Provenance
  /// Whether the folder of the product is missing, and the channel does not offer the installed version.
  package var lacksFolder = false

  /// The requested channel.
  package var channel: Channel { provenance.origin.channel }

  /// Checks that no folder is missing that the store cannot restore.
  ///
  /// - Throws: `FetchError.folderMissing`.
  func requireFolder() throws {
    guard lacksFolder else { return }
    throw FetchError.folderMissing(productIdentifier, contentVersion, lower: availableVersion)
  }
}

/// The origin of a release, and the store record that belongs to it.
struct Provenance: Sendable {
  let origin: ProductOrigin
  /// The change of the store's record before the release is downloaded; nil for a store that has neither a record nor
  /// named keys.
  let seen: StoreNote?
  /// The change of the store's record after an installation.
  let note: StoreNote
  let signature: CatalogSignature
}
