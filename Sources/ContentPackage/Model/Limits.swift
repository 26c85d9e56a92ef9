import ZipArchive

/// The size limits of a package.
public struct Limits: Sendable, Equatable {
  /// The maximum size of a package, and of its content, in bytes: 2 GiB. Apple's limit is "2 GB" (App Store Connect
  /// Help, hosted content), which may have decimal or binary units.
  public static let maximumBytes: Int64 = 2_147_483_648
  /// The limit in bytes if "2 GB" has decimal units. Larger sizes get a warning.
  public static let publishedBytes: Int64 = 2_000_000_000
  /// The maximum size of a `ContentInfo.plist` in bytes. Real manifests have a few hundred.
  public static let maximumManifestBytes: Int64 = 1_048_576
  /// The maximum length of a link's target in bytes. Darwin's limit for paths is 1,024 with the NUL.
  package static let maximumLinkTargetBytes: Int64 = 1_023

  /// The maximum number of entries of a package, including the folders that appear only in their paths.
  ///
  /// The limit keeps every command within 256 MB of memory: an update keeps the entries of the package and of three
  /// versions. Real content has tens of thousands of files.
  public static let maximumEntryCount = ZipStructure.maximumEntryCount
  /// Returns the maximum total size of the paths and link targets of a package, in bytes.
  package static func maximumNameBytes(for entries: Int) -> Int {
    ZipStructure.maximumTotalNameLength(for: entries)
  }

  /// The number by which the folders that appear only in paths may exceed the entries. A deep file adds up to 63
  /// folders. Without the limit, an archive of 4 MB could require 600,000 folders.
  package static let maximumSurplusFolderCount = 20_000
  /// The maximum number of findings of one rule in a report. The others appear after the reported findings are fixed.
  package static let maximumFindingCount = 1_000
  /// The maximum total size of the paths and messages in a report, in bytes.
  package static let maximumFindingTextBytes = 4 << 20
  /// The maximum length of a message in bytes. A message may quote two names of any length.
  package static let maximumMessageBytes = 2_000

  /// The maximum size of the package, and of its content, in bytes.
  public let bytes: Int64

  /// Creates a limit.
  ///
  /// - Parameter bytes: The limit in bytes, clamped to 0 through `maximumBytes`.
  public init(bytes: Int64 = maximumBytes) { self.bytes = min(max(bytes, 0), Self.maximumBytes) }
}
