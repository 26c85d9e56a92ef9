import ArgumentParser
import ContentPackage
import Delivery
import SafeFiles
import Settings
import Support

/// The baseline of a comparison: packages, content folders, or the releases of a store.
struct ComparisonOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Compare with this package or content folder, with the same product in this folder, or with the newest release \
      in this store: a folder, s3://bucket/prefix, or the address of a web server. Changed content needs a higher \
      version.
      """, valueName: "published or store"),
    completion: .file())
  var against: String?

  @Option(
    help: ArgumentHelp(
      "The channel of the store. The default is channel in .iapkg.yml, or else 'stable'.",
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
    if let store { try StoreAddress.check(store, of: "--against", with: credentials.isGiven) }
    guard store == nil,
      let option = channel.map({ _ in "--channel" }) ?? trust.map({ _ in "--trust" })
        ?? (credentials.isGiven ? credentials.tokenFile.map { _ in "--token-file" } ?? "--header" : nil)
    else { return }
    throw ValidationError("\(option) is for a store, and --against names none")
  }

  /// The store of the baseline; nil if the baseline is not a store.
  var store: String? { against.flatMap { StoreLocation.isStore($0) ? $0 : nil } }

  /// The paths that no output may replace: the store's files, the trusted keys and the token.
  var protectedPaths: [String] {
    (store.map(StoreLocation.documents(of:)) ?? []) + [trust, credentials.tokenFile].compactMap(\.self)
  }

  /// The package or folder of the baseline; nil if the baseline is a store.
  var published: String? { store == nil ? against : nil }

  /// Opens the baseline.
  ///
  /// - Parameters:
  ///   - inputs: The inputs of the command.
  ///   - given: Their paths on the command line.
  ///   - context: The context of the command.
  /// - Returns: The baseline; nil without `--against`.
  /// - Throws: `ValidationError` if one package is compared with several inputs; `CommandError` for a folder without
  ///   content; `PublishingError.noCatalog`, `TrustError`, `StoreError`, `IntegrityError`, `FileError`.
  func baseline(for inputs: InputPaths, _ given: [String], _ context: CommandContext) throws
    -> BaselineSource?
  {
    guard let against else { return nil }
    guard store == nil else {
      let reader = StoreReader(
        try StoreLocation.open(
          against, headers: credentials.headers(context.cancellation), cancellation: context.cancellation),
        trusting: try trust.map { try TrustedKeys.read($0, cancellation: context.cancellation) }
      ).sharingCatalog()
      _ = try reader.acceptedCatalog()
      return BaselineSource(store: reader, channel: channel)
    }
    let isFolder = try FileSystem.kind(of: against) == .folder
    let products = try ProductInputs.contents(of: against, context.cancellation)
    if products == nil, isFolder, !ContentFolder.isPart(against) {
      throw CommandError(
        .notAPackage, "\(against) holds no package or content folder to compare with", path: against)
    }
    if products == nil { try checkSingleInput(inputs, given) }
    return BaselineSource(published: against, products)
  }

  /// Checks that there is only one input, because the baseline is a single package or content folder.
  private func checkSingleInput(_ inputs: InputPaths, _ given: [String]) throws {
    if inputs.isList { throw inputs.singleInputError(given, for: "--against") }
  }
}
