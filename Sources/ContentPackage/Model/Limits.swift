import ZipArchive

/// The size limits of a package.
public struct Limits: Sendable, Equatable {
  /// 2 GiB. Apple's limit is "2 GB" (App Store Connect Help, hosted content), without saying which unit is
  /// meant.
  public static let maximumBytes: Int64 = 2_147_483_648
  /// The limit if "2 GB" has decimal units. There is a warning above it.
  public static let publishedBytes: Int64 = 2_000_000_000
  /// The largest number of bytes of a `ContentInfo.plist`. Real ones have a few hundred.
  public static let manifestBytes: Int64 = 1_048_576
  /// The largest number of bytes of a link's target. Darwin's `PATH_MAX` is 1,024 with its NUL.
  package static let linkTargetBytes: Int64 = 1_023

  /// The most entries of a package, counted with the folders that their paths lead through.
  ///
  /// Every command works within 256 MB of memory, and an update knows the package and three versions of this many. Real
  /// content has tens of thousands of files.
  public static let entries = ZipStructure.maximumEntryCount
  /// The most bytes of the paths and link targets of a package together.
  package static func nameBytes(for entries: Int) -> Int { ZipStructure.maximumNameLength(for: entries) }

  /// By how many the folders that the paths lead through may outnumber the entries: a file far down brings up to 63
  /// with it, and an archive of 4 MB could ask for 600,000 of them.
  package static let surplusFolders = 20_000
  /// The most findings of one rule that a report lists; whoever has mended these sees the rest.
  package static let findingsOfOneRule = 1_000
  /// The most bytes of paths and messages in a report.
  package static let findingTextBytes = 4 << 20
  /// The most bytes of one message, which may quote two names of any length.
  package static let messageBytes = 2_000

  /// The largest number of bytes of the archive, and of the content.
  public let bytes: Int64

  /// Creates a limit.
  ///
  /// - Parameter bytes: a larger limit than `maximumBytes` becomes that.
  public init(bytes: Int64 = maximumBytes) { self.bytes = min(max(bytes, 0), Self.maximumBytes) }
}
