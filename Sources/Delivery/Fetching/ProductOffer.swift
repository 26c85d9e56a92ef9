package import ContentPackage
import Installation

/// What a store has of a product, and what is installed of it.
struct ProductOffer {
  let product: ProductIdentifier
  let choice: ReleaseChoice
  let releases: ProductReleases
  /// The origin of the release, as `Documents` notes it after an installation.
  let provenance: Provenance
  /// Whether no key was known before that must have signed the catalog.
  let isFirstContact: Bool
  let contents: [InstalledContent]

  var installedVersion: ContentVersion? { contents.first?.version.contentVersion }
  /// Why the installed version was withdrawn, if it was.
  var withdrawn: String? { installedVersion.flatMap { releases.release($0)?.withdrawn } }

  /// What is installed, if it is kept.
  ///
  /// - Throws: as `ReleaseChoice.release`, unless all releases were withdrawn: then what is installed stays.
  func current(
    store: String, keeping kept: ReleaseFetcher.KeptVersion, _ meter: TransferMeter
  ) throws -> CurrentProduct? {
    guard let installedVersion, kept != .none else { return nil }
    var available: ContentVersion?
    let hasReleases = releases.newest(in: choice.channel, withdrawn: true) != nil
    if releases.newest(in: choice.channel, withdrawn: false) != nil || !hasReleases {
      let release = try choice.release(from: releases, store: store)
      guard
        installedVersion > release.contentVersion
          || kept == .sameOrNewer && installedVersion == release.contentVersion
      else { return nil }
      available = release.contentVersion
    }
    return CurrentProduct(
      productIdentifier: product, contentVersion: installedVersion, availableVersion: available,
      withdrawn: withdrawn, meter: meter, provenance: provenance)
  }
}

/// A product that is up to date.
package struct CurrentProduct: Sendable {
  package let productIdentifier: ProductIdentifier
  /// The version that is installed.
  package let contentVersion: ContentVersion
  /// The version that the channel has, which is not higher; nil where all its releases were withdrawn.
  package let availableVersion: ContentVersion?
  /// Why that version was withdrawn, if it was: nobody gets it any more, and what is installed stays.
  package let withdrawn: String?
  /// Counts what was asked of the store, and what came.
  package let meter: TransferMeter
  /// The origin of the installed version.
  let provenance: Provenance

  package var channel: Channel { provenance.origin.channel }
}

/// The origin of a release.
struct Provenance: Sendable {
  let origin: ProductOrigin
  /// The change of the note on the store before anything is received; nil where the store is not known yet.
  let seen: StoreNote?
  /// The change of the note on the store once something is installed.
  let note: StoreNote
  /// The fingerprint of the key that signed the catalog; nil for a catalog without a signature.
  let signer: String?
}
