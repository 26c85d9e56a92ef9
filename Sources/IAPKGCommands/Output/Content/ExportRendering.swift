import ContentPackage
import Conversion
import Support

/// The report of `export`.
struct ExportRendering {
  private let packs: [AssetPackExporter.Pack]
  private let findings: [Finding]
  private let path: String
  private let isRehearsal: Bool

  init(_ packs: [AssetPackExporter.Pack], _ findings: [Finding], at path: String, isRehearsal: Bool) {
    self.packs = packs
    self.findings = findings
    self.path = String(displaying: path.utf8)
    self.isRehearsal = isRehearsal
  }

  var document: ExportDocument {
    ExportDocument(
      path: path,
      packs: packs.map { pack in
        ExportDocument.Pack(
          assetPackID: pack.identifier.text, productIdentifier: pack.info.productIdentifier.text,
          contentVersion: pack.info.contentVersion.text, contentBytes: pack.contentBytes,
          path: "\(path)/\(pack.identifier)", archiveCommand: command(pack),
          leftOut: LeftOutDocument(pack.leftOut))
      }, contentBytes: packs.reduce(0) { $0 + $1.contentBytes }, written: !isRehearsal,
      findings: findings.map(FindingDocument.init))
  }

  var lines: [String] {
    let layout = TextLayout(for: .output)
    return packs.flatMap { pack in
      let state = isRehearsal ? "could be staged" : "staged in \(path)/\(pack.identifier)"
      let line =
        "\(pack.info.productIdentifier) \(pack.info.contentVersion): \(state), \(Quantity.bytes(pack.contentBytes))"
        + Quantity.leftOutEnding(pack.leftOut)
      return layout.lines(after: "", width: 0, line) + ["  \(command(pack))"]
    }
      + Self.successors.flatMap {
        layout.lines(after: "\($0.feature): ", width: $0.feature.count + 2, $0.now)
      }
  }

  /// Returns the command line of Apple's tool.
  private func command(_ pack: AssetPackExporter.Pack) -> String {
    let folder = pack.hasSourceRoot ? "\"$PWD/..\"" : ".."
    return "cd \(ShellWord.quoted("\(path)/\(pack.identifier)")) && ba-package \(AssetPackManifest.fileName) "
      + "-o \(folder)/\(pack.identifier).aar"
  }

  /// The replacements for features of hosted content.
  private static let successors = [
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
  ].map { (feature: $0.0, now: $0.1) }
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

  let schemaVersion = reportSchemaVersion
  let command = "export"
  let path: String
  let packs: [Pack]
  let contentBytes: Int64
  /// Whether the packs were written; false with `--dry-run`.
  let written: Bool
  let findings: [FindingDocument]
}
