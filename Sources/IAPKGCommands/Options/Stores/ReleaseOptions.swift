import ArgumentParser
import ContentPackage
import Delivery
import HTTPTransport
import SafeFiles
import Support

/// The app version, the trusted keys and the credentials for selecting and downloading releases.
struct ReleaseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Trust the keys in this .pub or allowed_signers file of OpenSSH, in addition to the remembered keys of the store. \
      Or name the first trust document of the store, trust/1.json, or its SHA-256.
      """, valueName: "file"))
  var trust: String?

  @Option(
    help: ArgumentHelp(
      "Trust only the keys in this file, or this trust document, and forget the remembered keys of the store.",
      valueName: "file"))
  var trustOnly: String?

  @Option(
    help: ArgumentHelp(
      "The version of the app. iapkg skips releases that need a higher one.", valueName: "version"))
  var appVersion: ContentVersion?

  @Flag(help: "Install from a catalog that has expired.")
  var allowExpired = false

  @OptionGroup var credentials: StoreCredentialOptions

  @Option(
    help: ArgumentHelp(
      "The maximum download rate per second, such as 500kB, from a store that is not a folder.",
      valueName: "size"))
  var limitRate: ByteSize?

  func validate() throws {
    if trust != nil, trustOnly != nil {
      throw ValidationError("--trust cannot be combined with --trust-only")
    }
  }

  /// Whether requests carry credentials for one server.
  var hasCredentials: Bool { credentials.isGiven }

  /// Returns the keys that the options name; nil if they name none. Must be called only once, because the file may be a
  /// pipe.
  func namedKeys(_ cancellation: Cancellation) throws -> NamedKeys? {
    guard let path = trust ?? trustOnly else { return nil }
    return try NamedKeys(
      TrustedKeys.read(path, cancellation: cancellation), replacingOthers: trustOnly != nil)
  }

  /// The minimum limit of the address space, in bytes. Below it, connections, threads and decoding run out of memory,
  /// and a failed allocation ends the process.
  private static let minimumAddressSpace: UInt64 = 160 << 20

  /// Returns a reader of a store. It accepts any catalog: the caller verifies the signature.
  ///
  /// The reader notes on standard error, only once, that it retries requests.
  func reader(
    of store: String, _ text: TextOptions, _ context: CommandContext
  ) throws -> StoreReader {
    if let limit = Platform.addressSpaceLimit, limit < Self.minimumAddressSpace {
      throw CommandError(
        .inputOutput,
        "the address space limit is \(limit) bytes, expected at least \(Self.minimumAddressSpace); raise it with ulimit -v"
      )
    }
    let messages = context.console.messages
    let store = try StoreLocation.open(
      store, headers: credentials.headers(context.cancellation), rateLimit: limitRate?.bytes,
      cancellation: context.cancellation, pauseRequest: context.pauseRequest
    ) { reason in
      guard !text.quiet else { return }
      let head = text.style(for: .error).note("note:") + " "
      TextLayout(for: .error).lines(after: head, width: 6, "trying again: \(reason)").forEach(messages.write)
    }
    return StoreReader(store)
  }
}

extension HTTPHeader {
  /// The maximum size of a token file, in bytes.
  private static let maximumTokenLength = 64 << 10

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
    guard !header.isReserved else {
      throw ValidationError("--header names \(header.name), which iapkg itself sets; expected another field")
    }
    return header
  }

  /// Reads the token from a file or pipe, and trims white space.
  ///
  /// - Throws: `FileError` if the file cannot be read, `ValidationError` if its text is too long or not a token.
  static func bearer(tokenIn path: String, _ cancellation: Cancellation) throws -> HTTPHeader {
    guard let bytes = try SmallInput.read(path, atMost: maximumTokenLength, cancellation: cancellation) else {
      throw ValidationError("--token-file has more than \(maximumTokenLength) bytes, expected a token")
    }
    let text = String(decoding: ByteOrderMark.dropped(from: bytes), as: UTF8.self)
    guard let header = HTTPHeader.bearer(text.trimmingSpaces) else {
      throw ValidationError("--token-file has no token, or a character that no token may have")
    }
    return header
  }
}

extension StringProtocol {
  /// The text without leading and trailing white space.
  fileprivate var trimmingSpaces: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
