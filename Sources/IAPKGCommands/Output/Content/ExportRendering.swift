import ContentPackage
import Conversion
import Delivery
import Support

/// The report of `export`.
struct ExportRendering {
  private let packs: [AssetPackExporter.Pack]
  private let findings: [Finding]
  private let path: String
  private let isDryRun: Bool
  /// The archives; nil without `--pack`.
  var archives: [AssetPacker.Archive]?
  /// The published packs; nil without `--download-manifest`.
  var hosted: [HostingWork.HostedPacks]?
  /// The deleted files; nil without `--prune`.
  var pruned: [StoredItem]?
  /// The verified packs; nil without `--verify`.
  var verified: [HostingWork.VerifiedPacks]?

  init(_ packs: [AssetPackExporter.Pack], _ findings: [Finding], at path: String, isDryRun: Bool) {
    self.packs = packs
    self.findings = findings
    self.path = String(displaying: path.utf8)
    self.isDryRun = isDryRun
  }

  /// The exit code: wrong archives outweigh missing ones.
  var status: ExitStatus {
    let states = (verified ?? []).flatMap(\.packs).map(\.state)
    return states.contains(.wrong) ? .untrustworthy : states.contains(.missing) ? .unavailable : .success
  }

  var document: ExportDocument {
    ExportDocument(
      path: path,
      packs: packs.map { pack in
        ExportDocument.Pack(
          assetPackID: pack.identifier.text, productIdentifier: pack.info.productIdentifier.text,
          contentVersion: pack.info.contentVersion.text, contentBytes: pack.contentBytes,
          path: "\(path)/\(pack.identifier)", archiveCommand: command(pack),
          leftOut: LeftOutDocument(pack.excluded))
      }, contentBytes: packs.reduce(0) { $0 + $1.contentBytes },
      written: !isDryRun && verified == nil && pruned == nil,
      findings: findings.map(FindingDocument.init), archives: archives?.map(ExportDocument.Archive.init),
      manifests: hosted?.map { ExportDocument.Manifest($0, isDryRun) },
      verified: verified?.flatMap { verified in
        verified.packs.map { ExportDocument.VerifiedArchive($0, verified.platform) }
      }, deleted: pruned?.map { String(displaying: $0.path.utf8) }, deletedBytes: pruned.map(Self.bytes))
  }

  var lines: [String] {
    let layout = TextLayout(for: .output)
    let staged = packs.flatMap { pack in
      let state = isDryRun ? "could be staged" : "staged in \(path)/\(pack.identifier)"
      let line =
        "\(pack.info.productIdentifier) \(pack.info.contentVersion): \(state), \(Quantity.bytes(pack.contentBytes))"
        + Quantity.exclusionEnding(pack.excluded)
      return layout.lines(after: "", width: 0, line) + (archives == nil ? ["  \(command(pack))"] : [])
    }
    let notes = packs.isEmpty || archives != nil ? [] : Self.replacements
    let rest = notes.map { ("\($0.feature): ", $0.replacement) }.flatMap { head, text in
      layout.lines(after: head, width: head.count, text)
    }
    return staged + (archives ?? []).map(line) + (hosted ?? []).flatMap(lines)
      + (verified ?? []).flatMap(lines) + (pruned.map(lines) ?? []) + rest
  }

  private static func bytes(_ items: [StoredItem]) -> Int64 { SizeRules.sum(items.lazy.map(\.byteCount)) }

  private func lines(_ pruned: [StoredItem]) -> [String] {
    let count = Quantity.count(pruned.count, "file")
    return pruned.map { "  \(String(displaying: $0.path.utf8))" }
      + ["\(count) \(isDryRun ? "would be deleted" : "deleted"), \(Quantity.bytes(Self.bytes(pruned)))"]
  }

  private func line(_ archive: AssetPacker.Archive) -> String {
    let path = String(displaying: archive.path.utf8)
    return switch archive.outcome {
    case .unchanged: "\(path): unchanged, \(Quantity.bytes(archive.byteCount))"
    case .packed:
      isDryRun ? "\(path): would be packed" : "\(path): packed, \(Quantity.bytes(archive.byteCount))"
    }
  }

  private func lines(_ hosted: HostingWork.HostedPacks) -> [String] {
    let packs = hosted.result.changes.map { change in
      let before = change.previousVersion.map { $0 == change.version ? "" : " (was \($0))" } ?? ""
      let id = String(displaying: change.identifier.utf8)
      let address = hosted.isElsewhere(change) ? ", still at \(String(displaying: change.address.utf8))" : ""
      return
        "  \(id) \(change.version)\(before): \(change.outcome.rawValue), \(Quantity.bytes(change.byteCount))"
        + address
    }
    let state =
      !hosted.result.isChanged
      ? "unchanged" : isDryRun ? "would be written" : hosted.result.isRebuilt ? "rebuilt" : "written"
    let absent = hosted.result.absent.map {
      "  \(String(displaying: $0.utf8)): not in the manifest, nothing to remove"
    }
    let estimated = hosted.estimated.map {
      "  \(String(displaying: $0.utf8)): its folder is missing, so BAMaxInstallSize counts the size of its archive"
    }
    return ["\(hosted.address): \(state)"] + packs + absent + estimated
  }

  private func lines(_ verified: HostingWork.VerifiedPacks) -> [String] {
    verified.packs.map { pack in
      "\(verified.platform.rawValue) \(String(displaying: pack.identifier.utf8)) \(pack.version): \(pack.state.text), "
        + Quantity.bytes(pack.byteCount)
    }
  }

  /// Returns the command line of Apple's tool.
  private func command(_ pack: AssetPackExporter.Pack) -> String {
    let folder = pack.hasSourceRoot ? "\"$PWD/..\"" : ".."
    return "cd \(ShellWord.quoted("\(path)/\(pack.identifier)")) && ba-package \(AssetPackManifest.fileName) "
      + "-o \(folder)/\(pack.identifier).aar"
  }

  /// The replacements for features of hosted content.
  private static let replacements = [
    (
      "archive",
      "ba-package comes with Xcode (on a Mac, begin the command with xcrun) and with Managed Background Assets Developer "
        + "Tools for Linux"
    ),
    (
      "version",
      "App Store Connect numbers the uploads of an asset pack; the app reads ContentVersion from ContentInfo.plist in "
        + "the pack"
    ),
    (
      "product identifier",
      "an asset pack ID is not a product ID; the app checks Transaction.currentEntitlements "
        + "before it opens a pack"
    ),
    (
      "restore",
      "AppStore.sync() restores purchases, and AssetPackManager.ensureLocalAvailability(of:) downloads the pack again"
    ),
  ].map { (feature: $0.0, replacement: $0.1) }
}

extension AssetPackVerifier.State {
  fileprivate var text: String {
    switch self {
    case .intact: "intact"
    case .missing: "missing"
    case .wrong: "wrong"
    }
  }
}

/// The JSON report of `export`.
struct ExportDocument: ReportDocument {
  struct Pack: Encodable {
    let assetPackID: String
    let productIdentifier: String
    let contentVersion: String
    let contentBytes: Int64
    let path: String
    /// The command line of Apple's tool.
    let archiveCommand: String
    let leftOut: LeftOutDocument?
  }

  /// An archive of `--pack`.
  struct Archive: Encodable {
    let assetPackID: String
    let path: String
    /// `packed` or `unchanged`.
    let outcome: String
    let archiveBytes: Int64
    /// Empty if a dry run would pack the archive.
    let sha256: String

    init(_ archive: AssetPacker.Archive) {
      assetPackID = String(displaying: archive.identifier.utf8)
      path = String(displaying: archive.path.utf8)
      outcome = archive.outcome.rawValue
      archiveBytes = archive.byteCount
      sha256 = archive.digest == .none ? "" : archive.digest.hexadecimal
    }
  }

  /// A download manifest.
  struct Manifest: Encodable {
    struct Pack: Encodable {
      let assetPackID: String
      /// `added`, `changed`, `updated`, `unchanged`, `kept` or `removed`.
      let outcome: String
      let version: Int64
      @Nullable var previousVersion: Int64?
      let url: String
      let archiveBytes: Int64
    }

    let platform: String
    let url: String
    let written: Bool
    let rebuilt: Bool
    let uploadedBytes: Int64
    let packs: [Pack]

    init(_ hosted: HostingWork.HostedPacks, _ isDryRun: Bool) {
      platform = hosted.platform.rawValue
      url = hosted.address
      written = hosted.result.isChanged && !isDryRun
      rebuilt = hosted.result.isRebuilt
      uploadedBytes = hosted.result.uploadedBytes
      packs = hosted.result.changes.map { change in
        Pack(
          assetPackID: String(displaying: change.identifier.utf8), outcome: change.outcome.rawValue,
          version: change.version, previousVersion: Nullable(wrappedValue: change.previousVersion),
          url: String(displaying: change.address.utf8), archiveBytes: change.byteCount)
      }
    }
  }

  /// An archive of a download manifest.
  struct VerifiedArchive: Encodable {
    let platform: String
    let assetPackID: String
    let version: Int64
    let url: String
    let archiveBytes: Int64
    /// `intact`, `missing` or `wrong`.
    let state: String

    init(_ pack: AssetPackVerifier.Pack, _ platform: AssetPlatform) {
      self.platform = platform.rawValue
      assetPackID = String(displaying: pack.identifier.utf8)
      version = pack.version
      url = String(displaying: pack.address.utf8)
      archiveBytes = pack.byteCount
      state = pack.state.text
    }
  }

  let schemaVersion = reportSchemaVersion
  let command = "export"
  let path: String
  let packs: [Pack]
  let contentBytes: Int64
  /// Whether the packs were written; false with `--dry-run`, `--verify` and `--prune`.
  let written: Bool
  let findings: [FindingDocument]
  let archives: [Archive]?
  let manifests: [Manifest]?
  let verified: [VerifiedArchive]?
  /// The paths of the files that were deleted, or would be with `--dry-run`; absent without `--prune`.
  let deleted: [String]?
  let deletedBytes: Int64?
}
