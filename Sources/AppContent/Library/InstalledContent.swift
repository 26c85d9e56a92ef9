public import Foundation

/// A product that is complete and on disk.
public struct InstalledContent: Sendable, Equatable {
  /// The product.
  public let product: String
  /// The installed version.
  public let version: String
  /// The folder of its content.
  public let folder: URL
  /// The version that was installed before; nil if there was none.
  public let previousVersion: String?
  /// Bytes received from the store; 0 if the version was installed already.
  public let transferredBytes: Int64
  /// Bytes of the content that were present on the device.
  public let reusedBytes: Int64
}

/// The state of a product on disk.
public struct ContentStatus: Sendable, Equatable {
  /// The product.
  public let product: String
  /// The version in use; nil if the product is only being downloaded.
  public let version: String?
  /// The folder of its content; nil if the product is only being downloaded.
  public let folder: URL?
  /// Whether the kinds, sizes and links of all files are as they were installed.
  public let isIntact: Bool
  /// The versions that `ContentLibrary.rollBack` can restore, the most recently used first.
  public let previousVersions: [String]
  /// Bytes of an interrupted download; nil without one.
  public let downloadedBytes: Int64?
}

/// A release that would replace the installed version.
public struct AvailableUpdate: Sendable, Equatable {
  /// The product.
  public let product: String
  /// The version of the release.
  public let version: String
  /// The installed version; nil if there is none.
  public let installedVersion: String?
  /// Bytes that an update would receive.
  public let transferBytes: Int64
  /// Whether the publisher marked the update as critical.
  public let isCritical: Bool
  /// The keys and values that the publisher added for the app.
  public let metadata: [String: String]
}
