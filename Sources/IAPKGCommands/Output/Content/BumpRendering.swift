import ContentPackage
import Support

/// The report of `bump` on one input.
struct BumpRendering {
  let document: BumpDocument
  /// The change of the version, which follows the product in the text line.
  private let change: String

  /// Creates the report of a version that was raised, or with `--dry-run` would be raised; `path` is the output.
  init(_ result: PackageEditor.Result, at path: String, isDryRun: Bool) {
    document = BumpDocument(
      path: String(displaying: path.utf8), productIdentifier: result.contentInfo.productIdentifier.text,
      contentVersion: result.contentInfo.contentVersion.text, previousVersion: result.previousVersion.text,
      entries: Nullable(wrappedValue: result.package?.entries),
      archiveBytes: Nullable(wrappedValue: result.package?.archiveBytes),
      contentBytes: Nullable(wrappedValue: result.package?.contentBytes))
    let end = isDryRun ? ", not written" : ""
    change = "\(result.previousVersion) -> \(result.contentInfo.contentVersion)\(end)"
  }

  /// Creates the report of a version that need not be raised.
  init(unchanged check: VersionCheck?, at path: String) {
    let version = check?.new.contentVersion?.text ?? ""
    document = BumpDocument(
      path: String(displaying: path.utf8), productIdentifier: check?.new.productIdentifier?.text ?? "",
      contentVersion: version, previousVersion: version, entries: Nullable(), archiveBytes: Nullable(),
      contentBytes: Nullable())
    let reason =
      check?.isChanged == true ? "is above the published version" : "has the published content"
    change = "\(version) \(reason), not changed"
  }

  var product: ProductIdentifier? { ProductIdentifier(document.productIdentifier) }

  var line: String { "\(document.path): \(document.productIdentifier) \(change)" }
}
