package import ContentPackage
import Installation

/// What a store has of a product, and what is installed of it.
struct ProductOffer {
  let product: ProductIdentifier
  let choice: ReleaseChoice
  let releases: ProductReleases
  /// As it is to be remembered.
  let origin: ProductOrigin
  /// Whether the catalog is later than any that was seen before.
  let isLater: Bool
  /// Whether no key was known before that must have signed the catalog.
  let isFirstContact: Bool
  let contents: [InstalledContent]

  var installedVersion: ContentVersion? { contents.first?.version.contentVersion }

  /// What is installed, if there is nothing newer.
  ///
  /// - Throws: as `ReleaseChoice.release`, unless all releases were withdrawn: then what is installed stays.
  func current(store: String, _ meter: TransferMeter) throws -> CurrentProduct? {
    guard let installedVersion else { return nil }
    let hasReleases = releases.newest(in: choice.channel, withdrawn: true) != nil
    if releases.newest(in: choice.channel, withdrawn: false) != nil || !hasReleases {
      let release = try choice.release(from: releases, store: store)
      guard installedVersion >= release.contentVersion else { return nil }
    }
    return CurrentProduct(
      productIdentifier: product, contentVersion: installedVersion,
      withdrawn: releases.release(installedVersion)?.withdrawn, meter: meter, origin: isLater ? origin : nil)
  }
}

/// A product that is up to date.
package struct CurrentProduct: Sendable {
  package let productIdentifier: ProductIdentifier
  /// The version that is installed.
  package let contentVersion: ContentVersion
  /// Why that version was withdrawn, if it was: nobody gets it any more, and what is installed stays.
  package let withdrawn: String?
  /// Counts what was asked of the store, and what came.
  package let meter: TransferMeter
  /// What is to be remembered, if that has changed.
  let origin: ProductOrigin?
}
