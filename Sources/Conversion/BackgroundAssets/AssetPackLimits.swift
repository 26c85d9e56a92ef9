public import ContentPackage

/// The limits of App Store Connect for the asset packs of an app.
public enum AssetPackLimits {
  /// The maximum total size of the archives in bytes: 200 GB (App Store Connect Help, "Apple-hosted asset pack size
  /// limits"). The largest eligible version of each pack counts, on all platforms together.
  public static let maximumArchiveBytes: Int64 = 200_000_000_000
  /// The maximum number of files and folders to search for the files of a pack. A source root may be any folder.
  package static let maximumSourceItemCount = 250_000
  /// The default maximum number of asset packs. Apple's limit is uncertain: a stored copy of the page says 100, later
  /// versions say 200.
  public static let defaultMaximumPackCount = 100
}

/// A reason why packages cannot be staged together.
public enum ExportError: Error, Sendable, Equatable {
  /// The number of packages exceeds the maximum.
  case tooManyPacks(Int, maximum: Int)
  /// Two products have names that differ at most in case, so their files would share a folder.
  case collision(ProductIdentifier, ProductIdentifier)
  /// The product has the name of the manifest, beside which the folder with its files would be.
  case reservedName(ProductIdentifier)
  /// The asset packs of two products would have a file at this path, or one a file and the other a folder.
  case sharedPath(String, ProductIdentifier, ProductIdentifier)
  /// The product identifier has no letter or digit with which an asset pack identifier could begin.
  case noIdentifier(ProductIdentifier)
  /// Another product has the identifier, or one that differs only in case.
  case identifierInUse(AssetPackIdentifier, ProductIdentifier, by: ProductIdentifier)
  /// The identifier is that of an archived asset pack.
  case archived(AssetPackIdentifier, ProductIdentifier)
  /// The register has another identifier for the product.
  case otherIdentifier(ProductIdentifier, recorded: AssetPackIdentifier, wanted: AssetPackIdentifier)
}

/// An asset pack whose settings do not suit its content.
package struct InvalidAssetPack: Error {
  package let product: ProductIdentifier
  /// The findings that are errors.
  package let findings: [Finding]
}
