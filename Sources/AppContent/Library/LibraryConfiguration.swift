public import Foundation

/// The store of an app's content, and its place on the device.
public struct LibraryConfiguration: Sendable {
  /// Whether content is excluded from backups unless the app says otherwise: on a device, since it can be downloaded
  /// again.
  public static let excludesFromBackupsByDefault: Bool = {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    true
    #else
    false
    #endif
  }()

  /// The folder with a folder for each product, created when it is first needed. Only this library may change its
  /// `.iapkg` folder.
  public var documents: URL
  /// The store: the `https` address of a web server, or a folder.
  public var store: URL
  /// The keys that may sign the catalog of the store.
  public var trust: CatalogTrust
  /// The channel of the releases.
  public var channel = "stable"
  /// The version of the app, which decides about releases that need a newer or an older one; nil for no requirement.
  public var appVersion: String?
  /// The exclusion of new products from backups.
  public var excludesFromBackups = LibraryConfiguration.excludesFromBackupsByDefault
  /// The number of previous versions to keep for `ContentLibrary.rollBack`.
  public var keptVersions = 1

  /// Creates a configuration for the stable channel.
  public init(documents: URL, store: URL, trust: CatalogTrust) {
    self.documents = documents
    self.store = store
    self.trust = trust
  }
}
