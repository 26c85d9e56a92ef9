public import Foundation

/// The store of an app's content, and the location of the content on the device.
public struct LibraryConfiguration: Sendable {
  /// The default of `excludesFromBackups`: true on a device, because the app can download the content again.
  public static let excludesFromBackupsByDefault: Bool = {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    true
    #else
    false
    #endif
  }()

  /// The folder that contains a folder for each product. The library creates it when needed. Only the library may
  /// change the `.iapkg` folder in it.
  public var documents: URL
  /// The store: the `https` address of a web server, or a folder.
  public var store: URL
  /// The keys that may sign the catalog of the store.
  public var trust: CatalogTrust
  /// The channel of the releases.
  public var channel = "stable"
  /// The version of the app. The library skips releases that require a newer or an older version; nil accepts all
  /// releases.
  public var appVersion: String?
  /// A Boolean value that indicates whether an installation excludes the product from backups. An existing exclusion
  /// stays.
  public var excludesFromBackups = LibraryConfiguration.excludesFromBackupsByDefault
  /// The maximum number of previous versions to keep for `ContentLibrary.rollBack`, at least 0.
  public var keptVersions = 1

  /// Creates a configuration for the stable channel.
  public init(documents: URL, store: URL, trust: CatalogTrust) {
    self.documents = documents
    self.store = store
    self.trust = trust
  }
}
