/// How large a package may be.
public struct Limits: Sendable, Equatable {
  /// 2 GiB. Apple's limit is "2 GB" (App Store Connect Help, hosted content); nobody says whether decimal.
  public static let maximumBytes: Int64 = 2_147_483_648
  /// The limit if "2 GB" is meant decimally; above it there is a warning.
  public static let publishedBytes: Int64 = 2_000_000_000
  /// The most bytes of a `ContentInfo.plist`; real ones have a few hundred.
  public static let manifestBytes: Int64 = 1_048_576
  /// The most bytes of a link's target: Darwin's `PATH_MAX` is 1,024 with its NUL.
  package static let linkTargetBytes: Int64 = 1_023

  /// The most bytes of the archive, and of the content once unpacked.
  public let bytes: Int64

  /// A limit of so many bytes.
  ///
  /// - Parameter bytes: at most `maximumBytes`; what is above becomes that.
  public init(bytes: Int64 = maximumBytes) { self.bytes = min(max(bytes, 0), Self.maximumBytes) }
}
