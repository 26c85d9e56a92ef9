import ArgumentParser
import ContentPackage
import Delivery
import HTTPTransport
import SafeFiles
import Settings

/// The store to read, and its trusted keys.
struct StoreSourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store: a folder, s3://bucket/prefix, or the address of a web server.", valueName: "store"))
  var from: String

  @Option(
    help: ArgumentHelp(
      """
      Refuse a catalog that none of the keys in this file signed: a .pub or allowed_signers file of OpenSSH. Or name the \
      first trust document of the store, trust/1.json, or its SHA-256.
      """, valueName: "file"))
  var trust: String?

  @OptionGroup var credentials: StoreCredentialOptions

  func validate() throws { try StoreAddress.check(from, of: "--from", with: credentials.isGiven) }

  /// Returns a reader of the store.
  func reader(_ context: CommandContext) throws -> StoreReader {
    let store = try StoreLocation.open(
      from, headers: credentials.headers(context.cancellation), cancellation: context.cancellation)
    let keys = try trust.map { try TrustedKeys.read($0, cancellation: context.cancellation) }
    return StoreReader(store, trusting: keys)
  }
}

/// The store to change, and the key that signs its catalog.
struct StoreTargetOptions: ParsableArguments {
  /// The maximum of `--expires` and `--older-than`: a hundred years, in days.
  static let maximumDays: Int64 = 36_500

  @Option(
    help: ArgumentHelp(
      "The store: a folder, or s3://bucket/prefix. The default is store in .iapkg.yml.",
      valueName: "store"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      """
      Sign the catalog with this Ed25519 key of OpenSSH: a private key, or the .pub file of a key in ssh-agent. The \
      option can be repeated. The default is sign-with in .iapkg.yml.
      """, valueName: "keyfile"))
  var signWith: [String] = []

  @Flag(help: "Replace the key that signed the previous catalog.")
  var newKey = false

  @Flag(
    help: "Publish to a bucket that ignores conditional writes. No other process may publish meanwhile.")
  var singlePublisher = false

  @Option(
    help: ArgumentHelp(
      """
      The number of days after which clients refuse the catalog for new installations; 0 for never. The default is the \
      period of the previous catalog.
      """,
      valueName: "days"))
  var expires: Int64?

  @Flag(
    help: """
      Publish although the clock of this machine is behind the time of the last catalog. The next catalog keeps that time.
      """)
  var ignoreClock = false

  func validate() throws {
    try StoreAddress.check(to, of: "--to")
    if let expires, !(0...Self.maximumDays).contains(expires) {
      throw ValidationError("--expires is \(expires), expected 0 to \(Self.maximumDays) days")
    }
  }

  /// Checks that a store can be written.
  ///
  /// - Throws: `ValidationError` for a web server, which is read-only.
  static func check(_ store: String) throws {
    if ["http", "https"].contains(StoreLocation.scheme(of: store)) {
      throw ValidationError(
        "--to names a web server, which can only be read; expected a folder or s3://bucket/prefix")
    }
  }

  /// The store folder that the options name; empty for a bucket, or if the settings name the store.
  var folders: [String] { [to].compactMap(\.self).filter { StoreLocation.scheme(of: $0) == nil } }

  /// The keys of settings that the options override.
  var givenKeys: Set<SettingsFile.Key> {
    Set([to.map { _ in .store }, signWith.first.map { _ in .signWith }].compactMap(\.self))
  }

  /// Returns the store to publish to, from the options or else the settings.
  ///
  /// - Parameters:
  ///   - settings: The settings of the published folders; nil for those of the current folder.
  ///   - isDryRun: Whether the store is only read, which needs no key.
  /// - Returns: The store and the parameters of its catalog.
  /// - Throws: `ValidationError` if no store is named; `CommandError`, and the errors of `FolderSettings.load`.
  func target(_ settings: TargetSettings? = nil, isDryRun: Bool = false) throws -> StoreTarget {
    let settings = try settings ?? TargetSettings(of: [FolderSettings.load(for: ".")])
    guard let store = to ?? settings.store?.value else {
      throw ValidationError("there is no store; name one with --to, or with store in .iapkg.yml")
    }
    if !isDryRun { try Self.check(store) }
    let keys = signWith.isEmpty && !isDryRun ? [settings.signWith?.value].compactMap(\.self) : signWith
    if newKey, keys.isEmpty, !isDryRun {
      throw ValidationError("--new-key requires --sign-with, the new key")
    }
    return StoreTarget(
      store: store, keyFiles: keys, allowsNewKey: newKey, isSinglePublisher: singlePublisher,
      expiryDays: expires, ignoresClock: ignoreClock, settings: settings)
  }
}

/// The store to change and its signing key, resolved from options and settings.
struct StoreTarget {
  let store: String
  private let keyFiles: [String]
  private let allowsNewKey: Bool
  private let isSinglePublisher: Bool
  private let expiryDays: Int64?
  private let ignoresClock: Bool
  private let settings: TargetSettings

  fileprivate init(
    store: String, keyFiles: [String], allowsNewKey: Bool, isSinglePublisher: Bool, expiryDays: Int64?,
    ignoresClock: Bool, settings: TargetSettings
  ) {
    self.store = store
    self.keyFiles = keyFiles
    self.allowsNewKey = allowsNewKey
    self.isSinglePublisher = isSinglePublisher
    self.expiryDays = expiryDays
    self.ignoresClock = ignoresClock
    self.settings = settings
  }

  /// Returns the channel of releases: `option`, the settings' channel, or `stable`.
  func channel(_ option: Channel?) -> Channel { option ?? settings.channel?.value ?? .stable }

  /// Checks, before any other work, that the store exists or can be created.
  ///
  /// - Throws: `FileError` for a store that cannot be created.
  func checkCreation() throws(FileError) { try StoreLocation.checkCreation(of: store) }

  /// Creates a change of the catalog; `headers` are for a web server, which is read-only. With `startingCatalog`, a
  /// store that has releases and no catalog gets a new one.
  ///
  /// - Throws: `CommandError` for a store in a content folder; `StoreError`, `FileError`, `SignatureError`.
  func change(
    _ context: CommandContext, headers: [HTTPHeader] = [], startingCatalog: Bool = false
  ) throws -> CatalogChange {
    try ContentFolderCheck.check(store)
    let signers = try keyFiles.map { try CatalogSigner(keyFile: $0, cancellation: context.cancellation) }
    let store = try StoreLocation.open(
      store, isSinglePublisher: isSinglePublisher, headers: headers, cancellation: context.cancellation)
    return CatalogChange(
      of: store, signers: signers,
      options: .init(
        allowsNewKey: allowsNewKey, expiryDays: expiryDays, ignoresClock: ignoresClock,
        startsNewCatalog: startingCatalog),
      cancellation: context.cancellation)
  }
}

extension Channel {
  /// Parses a channel name.
  ///
  /// - Throws: `ValidationError` for an invalid channel name.
  static func parse(_ text: String) throws -> Channel {
    guard let channel = Channel(text) else {
      throw ValidationError(
        "'\(text)' is not a channel, expected 1 to \(Channel.maximumLength) letters, digits, '.', '_' and '-'"
      )
    }
    return channel
  }
}
