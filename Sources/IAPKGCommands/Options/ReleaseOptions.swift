import ArgumentParser
import ContentPackage
import Delivery
import SafeFiles

/// Which releases an app gets, and from which catalogs.
struct ReleaseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Refuse a catalog that none of the keys in this file signed: a .pub or allowed_signers file of OpenSSH.",
      valueName: "file"))
  var trust: String?

  @Option(
    help: ArgumentHelp(
      "The version of the app. Releases that need a higher one are left out.", valueName: "version"))
  var appVersion: ContentVersion?

  @Flag(help: "Install from a catalog that has expired.")
  var allowExpired = false

  @OptionGroup var credentials: StoreCredentialOptions

  @Option(
    help: ArgumentHelp("Receive at most so much in a second, such as 500kB.", valueName: "size"))
  var limitRate: ByteSize?

  /// Whether something is sent that is meant for one server alone.
  var hasCredentials: Bool { credentials.isGiven }

  /// A reader of a store, which accepts only catalogs by whom the options trust.
  func reader(of store: String, _ context: CommandContext) throws -> StoreReader {
    let store = try StoreLocation.open(
      store, headers: credentials.headers(), rateLimit: limitRate?.bytes,
      cancellation: context.cancellation, pauseRequest: context.pauseRequest)
    return StoreReader(store, trusting: try trust.map(TrustedKeys.read))
  }
}

extension HTTPHeader {
  /// The most bytes of a file with a token.
  private static let longestToken = 64 << 10

  /// Parses `Name: value`.
  ///
  /// - Throws: `ValidationError`, which does not repeat the value: it may be a secret.
  static func parse(_ text: String) throws -> HTTPHeader {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw ValidationError("--header has no colon, expected 'Name: value'") }
    let header = HTTPHeader(String(parts[0]), parts[1].trimmingSpaces)
    guard header.isValid else {
      throw ValidationError("--header has a character that no header field may have, expected 'Name: value'")
    }
    return header
  }

  /// The token in a file, without white space around it.
  ///
  /// - Throws: `FileError` or `SourceError` if it cannot be read, `ValidationError` for what is no token.
  static func bearer(tokenIn path: String) throws -> HTTPHeader {
    let bytes = try InputFile.open(path).bytes(at: 0, count: longestToken)
    guard let header = HTTPHeader.bearer(String(decoding: bytes, as: UTF8.self).trimmingSpaces) else {
      throw ValidationError("--token-file has no token, or a character that none may have")
    }
    return header
  }
}

extension StringProtocol {
  /// Without white space at its ends.
  fileprivate var trimmingSpaces: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
