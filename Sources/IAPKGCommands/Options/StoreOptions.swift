import ArgumentParser
import Delivery
import Settings

/// Which store is read, and whom it must be signed by.
struct StoreSourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store: a folder, s3://bucket/prefix, or the address of a web server.", valueName: "store"))
  var from: String

  @Option(
    help: ArgumentHelp(
      "Refuse a catalog that none of the keys in this file signed: a .pub or allowed_signers file of OpenSSH.",
      valueName: "file"))
  var trust: String?

  func validate() throws { if from.isEmpty { throw ValidationError("--from is empty, expected a store") } }

  /// A reader of the store.
  func reader(_ context: CommandContext) throws -> StoreReader {
    let store = try StoreLocation.open(from, cancellation: context.cancellation)
    return StoreReader(store, trusting: try trust.map(TrustedKeys.read))
  }
}

/// Which store is changed, and by whom its catalog is signed.
struct StoreTargetOptions: ParsableArguments {
  /// A hundred years.
  private static let mostDays: Int64 = 36_500

  @Option(
    help: ArgumentHelp(
      "The store: a folder, or s3://bucket/prefix. Without the option, store in .iapkg.yml names it.",
      valueName: "store"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      """
      Sign the catalog with this Ed25519 key of OpenSSH: a private key, or the .pub file of one that ssh-agent has. \
      Without the option, sign-with in .iapkg.yml names it.
      """, valueName: "keyfile"))
  var signWith: String?

  @Flag(help: "Sign with another key than the one that signed the catalog before.")
  var newKey = false

  @Flag(
    help: "Publish to a bucket that ignores the conditions of a write. Nobody else may publish meanwhile.")
  var singlePublisher = false

  @Option(
    help: ArgumentHelp(
      "In how many days new installations stop to rely on the catalog, 0 for never; as long as before unless given.",
      valueName: "days"))
  var expires: Int64?

  func validate() throws {
    try to.map(Self.check)
    if let expires, !(0...Self.mostDays).contains(expires) {
      throw ValidationError("--expires is \(expires), expected 0 to \(Self.mostDays) days")
    }
  }

  /// - Throws: `ValidationError` for what can be no store to publish to.
  private static func check(_ store: String) throws {
    if store.isEmpty { throw ValidationError("--to is empty, expected a store") }
    if ["http", "https"].contains(StoreLocation.scheme(of: store)) {
      throw ValidationError(
        "--to names a web server, which can only be read; expected a folder or s3://bucket/prefix")
    }
  }

  /// Where to publish: what the options say, or else the settings, by default those of the present folder.
  ///
  /// - Throws: `ValidationError` if neither names a store; `CommandError`, and as `FolderSettings.load`.
  func target(_ settings: TargetSettings? = nil) throws -> StoreTarget {
    let settings = try settings ?? TargetSettings(of: [FolderSettings.load(for: ".")])
    guard let store = to ?? settings.store?.value else {
      throw ValidationError("there is no store; name it with --to, or with store in .iapkg.yml")
    }
    try Self.check(store)
    let key = signWith ?? settings.signWith?.value
    if newKey, key == nil { throw ValidationError("--new-key needs the key, with --sign-with") }
    return StoreTarget(
      store: store, keyFile: key, allowsNewKey: newKey, isSinglePublisher: singlePublisher,
      expiryDays: expires, settings: settings)
  }
}

/// Which store is changed, and by whom its catalog is signed, once the settings were asked.
struct StoreTarget {
  let store: String
  private let keyFile: String?
  private let allowsNewKey: Bool
  private let isSinglePublisher: Bool
  private let expiryDays: Int64?
  private let settings: TargetSettings

  fileprivate init(
    store: String, keyFile: String?, allowsNewKey: Bool, isSinglePublisher: Bool, expiryDays: Int64?,
    settings: TargetSettings
  ) {
    self.store = store
    self.keyFile = keyFile
    self.allowsNewKey = allowsNewKey
    self.isSinglePublisher = isSinglePublisher
    self.expiryDays = expiryDays
    self.settings = settings
  }

  /// The channel of releases: what the option says, or else the settings, or `stable`.
  func channel(_ option: Channel?) throws -> Channel { try option ?? settings.channel() ?? .stable }

  /// How the catalog is changed.
  func change(_ context: CommandContext) throws -> CatalogChange {
    let signer = try keyFile.map { try CatalogSigner(keyFile: $0, cancellation: context.cancellation) }
    let store = try StoreLocation.open(
      store, isSinglePublisher: isSinglePublisher, cancellation: context.cancellation)
    return CatalogChange(
      of: store, signer: signer, allowsNewKey: allowsNewKey, expiryDays: expiryDays,
      cancellation: context.cancellation)
  }
}

extension Channel {
  /// - Throws: `ValidationError` for what is no channel.
  static func parse(_ text: String) throws -> Channel {
    guard let channel = Channel(text) else {
      throw ValidationError(
        "'\(text)' is no channel, expected 1 to \(Channel.maximumLength) letters, digits, '.', '_' and '-'")
    }
    return channel
  }
}
