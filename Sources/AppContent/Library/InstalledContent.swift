public import Foundation

/// A product that is complete and on disk.
public struct InstalledContent: Sendable, Equatable {
  /// The product identifier.
  public let product: String
  /// The installed version.
  public let version: String
  /// The folder of the content.
  public let folder: URL
  /// The version in use before the call, which may equal `version`; nil if the product was not installed.
  public let previousVersion: String?
  /// The number of bytes received from the store; 0 if the version was installed already.
  public let transferredBytes: Int64
  /// The number of content bytes that were reused from the device.
  public let reusedBytes: Int64
}

/// The state of a product on disk.
public struct ContentStatus: Sendable, Equatable {
  /// The product identifier.
  public let product: String
  /// The version in use; nil if the product is not installed.
  public let version: String?
  /// The folder of the content; nil if the product is not installed.
  public let folder: URL?
  /// Whether the folder has exactly the installed items, with the same kinds, sizes and link targets; false if the
  /// product is not installed. The bytes of files are not compared.
  public let isIntact: Bool
  /// The versions that `ContentLibrary.rollBack` can restore, the most recently used first.
  public let previousVersions: [String]
  /// The number of bytes that an unfinished download has received; nil if there is none.
  public let downloadedBytes: Int64?
}

/// A release that would replace the installed version.
public struct AvailableUpdate: Sendable, Equatable {
  /// The product identifier.
  public let product: String
  /// The version of the release.
  public let version: String
  /// The installed version; nil if there is none.
  public let installedVersion: String?
  /// The number of bytes that an update would receive.
  public let transferBytes: Int64
  /// Whether the publisher marked the update as critical.
  public let isCritical: Bool
  /// The keys and values that the publisher added for the app.
  public let metadata: [String: String]
}
