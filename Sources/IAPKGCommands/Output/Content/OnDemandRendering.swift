import ContentPackage
import Conversion
import Support

/// The report of `import` on on-demand resources.
struct OnDemandRendering {
  private let imported: OnDemandImport.ImportedPacks
  private let path: String
  private let isDryRun: Bool

  init(_ imported: OnDemandImport.ImportedPacks, at path: String, isDryRun: Bool) {
    self.imported = imported
    self.path = String(displaying: path.utf8)
    self.isDryRun = isDryRun
  }

  private func packs(of tag: ResourceTag) -> [OnDemandImporter.Pack] {
    imported.packs.filter { $0.tags.contains(tag.name) }
  }

  private var losses: [String] { imported.resources.losses + OnDemandImporter.losses(of: imported.packs) }

  var document: OnDemandDocument {
    OnDemandDocument(
      path: path, platforms: imported.resources.platforms.map(\.rawValue),
      packs: imported.packs.map { pack in
        OnDemandDocument.Pack(
          assetPackID: pack.identifier.text, tags: pack.tags.map { String(displaying: $0.utf8) },
          downloadPolicy: pack.policy.rawValue, path: "\(path)/\(pack.identifier)",
          folder: Nullable(wrappedValue: pack.folder),
          files: pack.fileCount, contentBytes: pack.contentBytes)
      },
      tags: imported.resources.tags.map { tag in
        OnDemandDocument.Tag(
          tag: String(displaying: tag.name.utf8), category: tag.category.name,
          assetPackIDs: packs(of: tag).map(\.identifier.text))
      }, noCounterpart: losses, contentBytes: SizeRules.sum(imported.packs.lazy.map(\.contentBytes)),
      written: !isDryRun, findings: imported.findings.map(FindingDocument.init))
  }

  var lines: [String] {
    let layout = TextLayout(for: .output)
    let lines = imported.packs.map(line) + imported.resources.tags.map(line)
    let rest = losses.map { ("no counterpart: ", $0) } + Self.replacements
    return lines.flatMap { layout.lines(after: "", width: 0, $0) }
      + rest.flatMap { head, text in layout.lines(after: head, width: head.count, text) }
  }

  private func line(_ pack: OnDemandImporter.Pack) -> String {
    let state = isDryRun ? "could be staged" : "staged"
    let folder =
      pack.folder.map { ", in the folder \($0), because another pack has files with the same paths" } ?? ""
    return
      "\(path)/\(pack.identifier): \(state), \(pack.policy.rawValue), \(Quantity.count(pack.fileCount, "file")), "
      + "\(Quantity.bytes(pack.contentBytes))\(folder)"
  }

  private func line(_ tag: ResourceTag) -> String {
    let packs = packs(of: tag).map(\.identifier.text)
    let result =
      packs.isEmpty
      ? "no asset pack, because no file has this tag"
      : "asset pack\(packs.count == 1 ? "" : "s") "
        + packs.joined(separator: ", ")
    return "tag '\(String(displaying: tag.name.utf8))', \(tag.category.text): \(result)"
  }

  /// The replacements for parts of the API of on-demand resources.
  private static let replacements = [
    (
      "request: ",
      "for each tag, call AssetPackManager.ensureLocalAvailability(of:) for all of its asset packs in place of "
        + "NSBundleResourceRequest.beginAccessingResources"
    ),
    (
      "files: ",
      "AssetPackManager.url(for:) and contents(at:) find a file by its path; Bundle does not find it"
    ),
    (
      "release: ",
      "call AssetPackManager.remove(assetPackWithID:) in place of NSBundleResourceRequest.endAccessingResources, if the "
        + "app no longer needs the files"
    ),
  ]
}

extension ResourceTag.Category {
  /// The name in reports.
  fileprivate var name: String {
    switch self {
    case .initialInstall: "initial-install"
    case .prefetched: "prefetched"
    case .onDemand: "on-demand"
    }
  }

  fileprivate var text: String {
    switch self {
    case .initialInstall: "installed with the app"
    case .prefetched: "prefetched"
    case .onDemand: "downloaded on demand"
    }
  }
}

/// The JSON report of `import` on on-demand resources.
struct OnDemandDocument: ReportDocument {
  struct Pack: Encodable {
    let assetPackID: String
    let tags: [String]
    /// `essential`, `prefetch` or `on-demand`.
    let downloadPolicy: String
    let path: String
    /// The folder in the pack that contains its files; null if the files have the same paths as in the app.
    @Nullable var folder: String?
    let files: Int
    let contentBytes: Int64
  }

  struct Tag: Encodable {
    let tag: String
    /// `initial-install`, `prefetched` or `on-demand`.
    let category: String
    let assetPackIDs: [String]
  }

  let schemaVersion = reportSchemaVersion
  let command = ImportCommand.reportName
  let path: String
  let platforms: [String]
  let packs: [Pack]
  let tags: [Tag]
  /// Descriptions of the parts without a counterpart in Background Assets.
  let noCounterpart: [String]
  let contentBytes: Int64
  /// Whether the packs were written; false with `--dry-run`.
  let written: Bool
  let findings: [FindingDocument]
}
