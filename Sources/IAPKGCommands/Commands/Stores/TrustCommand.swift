import ArgumentParser
import Delivery
import SafeFiles

struct TrustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust", abstract: "Change the keys of a store, and show them.",
    discussion: """
      Trust documents name the catalog keys of a store, which sign its catalogs, and the root keys, which sign the next \
      trust document. Clients follow from each document to the next, so a lost or stolen catalog key is replaced by root \
      keys alone.

      A change makes a draft in the store. It becomes a trust document once enough keys have signed it with trust sign, \
      on one machine or several.
      """,
    subcommands: [
      TrustInitCommand.self, TrustAddCommand.self, TrustRemoveCommand.self, TrustThresholdCommand.self,
      TrustSignCommand.self, TrustShowCommand.self,
    ])
}

/// A command that changes the keys of a store.
protocol TrustChangeCommand: PackageCommand where Report == ReportOptions {
  var target: TrustTargetOptions { get }

  /// Changes the keys.
  func change(_ editor: TrustEditor) throws -> TrustEditor.Result
}

extension TrustChangeCommand {
  var settingsFolders: [String] { ["."] }
  var interruption: String { "the store has its previous keys or the new ones; run iapkg trust show" }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let store = try target.store()
    let result = try change(target.editor(of: store, context))
    let rendering = TrustRendering(result.state, result, command: Self.reportName, store: store)
    report.render(rendering.document, on: context.console) { rendering.lines }
    return .success
  }
}

struct TrustInitCommand: TrustChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make the first trust document of a store.",
    discussion: """
      The key that signed the catalog becomes the catalog key, unless --catalog-key names others. It must sign the first \
      trust document too, so that clients that know only this key accept the document.
      """)
  static let reportName = "trust init"

  @OptionGroup var target: TrustTargetOptions
  @OptionGroup var keys: TrustKeyOptions
  @OptionGroup var thresholds: TrustThresholdOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? { target.access(reading: keys.files) }

  func validate() throws {
    if keys.rootKey.isEmpty { throw ValidationError("name the root keys, with --root-key") }
  }

  func change(_ editor: TrustEditor) throws -> TrustEditor.Result {
    let roots = try TrustKeyOptions.keys(in: keys.rootKey)
    let named = try TrustKeyOptions.keys(in: keys.catalogKey)
    return try editor.initialize { signer in
      let catalogs = named.isEmpty ? [signer].compactMap(\.self).map { TrustDocument.NamedKey($0) } : named
      guard !catalogs.isEmpty else {
        throw ValidationError("the store has no signed catalog, so name the catalog keys, with --catalog-key")
      }
      var document = TrustDocument(
        version: 1, catalogs: .init(keys: catalogs, threshold: 1), roots: .init(keys: roots, threshold: 1))
      thresholds.apply(to: &document)
      return document
    }
  }
}

struct TrustAddCommand: TrustChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add keys to the draft of the next trust document.",
    discussion: "To replace a key, add the new one and remove the old one, and then sign the draft once.")
  static let reportName = "trust add"

  @OptionGroup var target: TrustTargetOptions
  @OptionGroup var keys: TrustKeyOptions
  @OptionGroup var thresholds: TrustThresholdOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? { target.access(reading: keys.files) }

  func validate() throws {
    if keys.isEmpty { throw ValidationError("name the keys, with --root-key or --catalog-key") }
  }

  func change(_ editor: TrustEditor) throws -> TrustEditor.Result {
    let roots = try TrustKeyOptions.keys(in: keys.rootKey)
    let catalogs = try TrustKeyOptions.keys(in: keys.catalogKey)
    return try editor.edit { document in
      document.roots.add(roots)
      document.catalogs.add(catalogs)
      thresholds.apply(to: &document)
    }
  }
}

struct TrustRemoveCommand: TrustChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove keys in the draft of the next trust document.",
    discussion: """
      --root-key and --catalog-key also take the fingerprint of a key, as iapkg trust show prints it. Remove a stolen \
      key at once: clients then refuse each catalog that only this key signed.
      """)
  static let reportName = "trust remove"

  @OptionGroup var target: TrustTargetOptions
  @OptionGroup var keys: TrustKeyOptions
  @OptionGroup var thresholds: TrustThresholdOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? {
    target.access(reading: keys.files.filter { !TrustKeyFile.isFingerprint($0) })
  }

  func validate() throws {
    if keys.isEmpty { throw ValidationError("name the keys, with --root-key or --catalog-key") }
  }

  func change(_ editor: TrustEditor) throws -> TrustEditor.Result {
    let roots = try TrustKeyFile.fingerprints(in: keys.rootKey)
    let catalogs = try TrustKeyFile.fingerprints(in: keys.catalogKey)
    return try editor.edit { document in
      try document.roots.remove(roots, named: "root")
      try document.catalogs.remove(catalogs, named: "catalog")
      thresholds.apply(to: &document)
    }
  }
}

struct TrustThresholdCommand: TrustChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "threshold",
    abstract: "Change how many keys must sign, or the expiry, in the draft of the next trust document.")
  static let reportName = "trust threshold"

  @OptionGroup var target: TrustTargetOptions
  @OptionGroup var thresholds: TrustThresholdOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? { target.access() }

  func validate() throws {
    if thresholds.isEmpty {
      throw ValidationError("name what changes, with --root-threshold, --catalog-threshold or --expires")
    }
  }

  func change(_ editor: TrustEditor) throws -> TrustEditor.Result {
    try editor.edit { thresholds.apply(to: &$0) }
  }
}

struct TrustSignCommand: TrustChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign", abstract: "Sign the draft of the next trust document.",
    discussion: """
      Each run adds the signatures of its keys. The draft becomes a trust document once none is missing. A catalog key \
      signs the current catalog, if the draft demands it, or if the newest trust document no longer accepts the catalog.

      A machine without access to the store signs the text that iapkg trust show --payload writes, with ssh-keygen -Y \
      sign -n trust@iapkg. --signature adds the file that ssh-keygen makes.
      """)
  static let reportName = "trust sign"
  /// The maximum size of a signature file, in bytes.
  private static let maximumSignatureSize = 64 << 10

  @OptionGroup var target: TrustTargetOptions

  @Option(
    help: ArgumentHelp(
      "Add this signature of the draft, made by ssh-keygen elsewhere. The option can be repeated.",
      valueName: "file"),
    completion: .file())
  var signature: [String] = []

  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? { target.access(reading: signature) }

  func validate() throws {
    if target.signWith.isEmpty, signature.isEmpty {
      throw ValidationError("name the keys, with --sign-with, or signatures, with --signature")
    }
  }

  func change(_ editor: TrustEditor) throws -> TrustEditor.Result {
    try editor.sign(
      adding: try signature.map { path in
        guard let bytes = try SmallInput.read(path, atMost: Self.maximumSignatureSize) else {
          throw SignatureError(
            "\(path) has more than \(Self.maximumSignatureSize) bytes, expected a signature")
        }
        return String(decoding: bytes, as: UTF8.self)
      })
  }
}

struct TrustShowCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the keys of a store, and the signatures that a draft lacks.")
  static let reportName = "trust show"

  @OptionGroup var target: TrustTargetOptions

  @Option(
    help: ArgumentHelp(
      "Write the text of the draft that keys sign to this file.", valueName: "file"),
    completion: .file())
  var payload: String?

  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? {
    var access = target.access()
    if let store = target.to { access.read(store: store) }
    if let payload { access.output(payload) }
    return access
  }
  var settingsFolders: [String] { ["."] }
  var protectedPaths: [String] { target.to.map(StoreLocation.documents) ?? [] }
  var outputs: [String] { [payload].compactMap(\.self) }

  func validate() throws {
    if !target.signWith.isEmpty { throw ValidationError("trust show signs nothing; use iapkg trust sign") }
    try PackageOutput.check(payload, report, isRehearsal: false)
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let store = try target.store()
    let state = try target.editor(of: store, isReading: true, context).state()
    guard state.catalog != nil || state.newest != nil || state.draft != nil else {
      throw PublishingError.noCatalog(store: store)
    }
    if let payload {
      guard let draft = state.draft else { throw TrustError.noTrustDraft(store: store) }
      var output = try StagedOutput.create(at: context.place(payload, replacing: true))
      try output.write(unsafe draft.payload.span.bytes)  // any UInt8 is a byte
      try output.commit()
    }
    let rendering = TrustRendering(state, nil, command: Self.reportName, store: store)
    report.render(rendering.document, on: context.console) { rendering.lines }
    return .success
  }
}
