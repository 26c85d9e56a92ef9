import ZipArchive

/// The size limits of a package.
public struct Limits: Sendable, Equatable {
  /// 2 GiB. Apple's limit is "2 GB" (App Store Connect Help, hosted content), without saying which unit is
  /// meant.
  public static let maximumBytes: Int64 = 2_147_483_648
  /// The limit if "2 GB" has decimal units. There is a warning above it.
  public static let publishedBytes: Int64 = 2_000_000_000
  /// The maximum size of a `ContentInfo.plist` in bytes. Real ones have a few hundred.
  public static let manifestBytes: Int64 = 1_048_576
  /// The maximum length of a link's target in bytes. Darwin's limit for paths is 1,024 with the NUL.
  package static let linkTargetBytes: Int64 = 1_023

  /// The maximum number of entries of a package, counted with the folders that their paths lead through.
  ///
  /// Every command works within 256 MB of memory, and an update keeps the entries of the package and three versions.
  /// Real content has tens of thousands of files.
  public static let entries = ZipStructure.maximumEntryCount
  /// Returns the maximum size of all paths and link targets of a package together.
  package static func nameBytes(for entries: Int) -> Int { ZipStructure.maximumNameLength(for: entries) }

  /// The maximum number of folders on the entries' paths beyond the number of entries. A deep file adds up to 63
  /// folders, and an archive of 4 MB could require 600,000.
  package static let surplusFolders = 20_000
  /// The maximum number of findings of one rule in a report; fixing these reveals the rest.
  package static let findingsOfOneRule = 1_000
  /// The maximum size of paths and messages in a report, in bytes.
  package static let findingTextBytes = 4 << 20
  /// The maximum length of one message in bytes; it may quote two names of any length.
  package static let messageBytes = 2_000

  /// The largest number of bytes of the archive, and of the content.
  public let bytes: Int64

  /// Creates a limit.
  ///
  /// - Parameter bytes: The limit in bytes, clamped to 0 through `maximumBytes`.
  public init(bytes: Int64 = maximumBytes) { self.bytes = min(max(bytes, 0), Self.maximumBytes) }
}
