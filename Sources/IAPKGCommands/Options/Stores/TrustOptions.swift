import ArgumentParser
import Delivery
import SafeFiles
import Settings
import Support

/// The store whose keys change, and the keys that sign the change.
struct TrustTargetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store: a folder, or s3://bucket/prefix. The default is store in .iapkg.yml.", valueName: "store"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      """
      Sign with this Ed25519 key of OpenSSH: a private key, or the .pub file of a key in ssh-agent. The option can be \
      repeated.
      """, valueName: "keyfile"))
  var signWith: [String] = []

  @Flag(
    help: "Change a bucket that ignores conditional writes. No other process may change it meanwhile.")
  var singlePublisher = false

  func validate() throws {
    try StoreAddress.check(to, of: "--to")
  }

  /// Returns the store that the option or the settings name.
  ///
  /// - Throws: `ValidationError` if no store is named.
  func store() throws -> String {
    guard let store = try to ?? TargetSettings(of: [FolderSettings.load(for: ".")]).store?.value else {
      throw ValidationError("there is no store; name one with --to, or with store in .iapkg.yml")
    }
    return store
  }

  /// Returns the editor of the store's keys; with `isReading`, also for a web server. A catalog with `catalogDigest`
  /// may be signed even if no known key has signed it.
  func editor(
    of store: String, isReading: Bool = false, catalogDigest: SHA256Digest? = nil, _ context: CommandContext
  ) throws -> TrustEditor {
    if !isReading {
      try StoreTargetOptions.check(store)
      try ContentFolderCheck.check(store)
      try StoreLocation.checkCreation(of: store)
    }
    let signers = try signWith.map { try CatalogSigner(keyFile: $0, cancellation: context.cancellation) }
    return TrustEditor(
      of: try StoreLocation.open(
        store, isSinglePublisher: singlePublisher, cancellation: context.cancellation),
      signers: signers, catalogDigest: catalogDigest, cancellation: context.cancellation)
  }

  /// Returns the access that the change requires, including `files`.
  func access(reading files: [String] = []) -> ProcessAccess {
    var access = ProcessAccess()
    access.readSettings(of: ".")
    let settings = try? TargetSettings(of: [FolderSettings.load(for: ".")])
    access.change(to ?? settings?.store?.value, signingWith: signWith)
    for file in files { access.read(file) }
    return access
  }
}

/// Keys of a trust document, by role.
struct TrustKeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A .pub file with keys that may sign trust documents, one per line. The option can be repeated.",
      valueName: "file"),
    completion: .file())
  var rootKey: [String] = []

  @Option(
    help: ArgumentHelp(
      "A .pub file with keys that may sign catalogs, one per line. The option can be repeated.",
      valueName: "file"),
    completion: .file())
  var catalogKey: [String] = []

  var isEmpty: Bool { rootKey.isEmpty && catalogKey.isEmpty }
  var files: [String] { rootKey + catalogKey }

  static func keys(in files: [String], _ cancellation: Cancellation) throws -> [TrustDocument.NamedKey] {
    try files.flatMap { try TrustKeyFile.read($0, cancellation: cancellation) }
  }
}

/// The numbers of keys that must sign, and the expiry of a trust document.
struct TrustThresholdOptions: ParsableArguments {
  /// The maximum of `--expires`: a hundred years, in days.
  private static let maximumDays: Int64 = 36_500

  @Option(help: ArgumentHelp("The number of root keys that must sign a trust document.", valueName: "n"))
  var rootThreshold: Int?

  @Option(help: ArgumentHelp("The number of catalog keys that must sign a catalog.", valueName: "n"))
  var catalogThreshold: Int?

  @Option(
    help: ArgumentHelp(
      "The number of days after which clients refuse the trust document for new installations; 0 for never.",
      valueName: "days"))
  var expires: Int64?

  var isEmpty: Bool { rootThreshold == nil && catalogThreshold == nil && expires == nil }

  func validate() throws {
    for (name, value) in [("--root-threshold", rootThreshold), ("--catalog-threshold", catalogThreshold)] {
      guard let value, !(1...DocumentLimits.maximumTrustKeyCount).contains(value) else { continue }
      throw ValidationError("\(name) is \(value), expected 1 to \(DocumentLimits.maximumTrustKeyCount)")
    }
    if let expires, !(0...Self.maximumDays).contains(expires) {
      throw ValidationError("--expires is \(expires), expected 0 to \(Self.maximumDays) days")
    }
  }

  /// Changes the thresholds and the expiry that the options name.
  func apply(to document: inout TrustDocument) {
    if let rootThreshold { document.roots.threshold = rootThreshold }
    if let catalogThreshold { document.catalogs.threshold = catalogThreshold }
    if let expires { document.expires = expires == 0 ? nil : Timestamp.now.adding(days: expires) }
  }
}
