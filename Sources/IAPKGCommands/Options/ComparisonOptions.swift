import ArgumentParser
import ContentPackage
import Delivery
import Settings

/// What content is compared with: a package, a content folder, or the releases of a store.
struct ComparisonOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Also show what changed since this package or content folder; or since the newest release in this store: a folder, \
      s3://bucket/prefix, or the address of a web server.
      """, valueName: "published or store"),
    completion: .file())
  var against: String?

  @Option(
    help: ArgumentHelp(
      "The channel of the store. Without the option, channel in .iapkg.yml names it, or it is 'stable'.",
      valueName: "name"),
    transform: Channel.parse)
  var channel: Channel?

  @Option(
    help: ArgumentHelp(
      "Refuse a catalog that none of the keys in this file signed: a .pub or allowed_signers file of OpenSSH.",
      valueName: "file"))
  var trust: String?

  @OptionGroup var credentials: StoreCredentialOptions

  func validate() throws {
    if against?.isEmpty ?? false { throw ValidationError("--against is empty, expected a path or a store") }
    guard store == nil,
      let option = channel.map({ _ in "--channel" }) ?? trust.map({ _ in "--trust" })
        ?? (credentials.isGiven ? credentials.tokenFile.map { _ in "--token-file" } ?? "--header" : nil)
    else { return }
    throw ValidationError("\(option) is for a store, and --against names none")
  }

  /// The store that is compared with; nil if there is none.
  var store: String? { against.flatMap { StoreLocation.isStore($0) ? $0 : nil } }

  /// The package or content folder that is compared with; nil if there is none.
  var published: String? { store == nil ? against : nil }

  /// A reader of the store that is compared with; nil if there is none.
  func reader(_ context: CommandContext) throws -> StoreReader? {
    try store.map { store in
      StoreReader(
        try StoreLocation.open(
          store, headers: credentials.headers(), cancellation: context.cancellation),
        trusting: try trust.map(TrustedKeys.read))
    }
  }

  /// The channel that is compared with, for content with these settings.
  func channel(_ settings: FolderSettings?) throws -> Channel {
    let kept = try settings.flatMap { try TargetSettings(of: [$0]).channel() }
    return channel ?? kept ?? .stable
  }
}
