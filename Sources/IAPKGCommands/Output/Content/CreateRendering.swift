import ContentPackage
import SafeFiles
import Settings
import Support
import ZipArchive

/// A package that was created, or with `--dry-run` would be created.
struct MadePackage {
  let path: String
  let info: ContentInfo
  let review: ContentReview
  /// The findings that are not ignored.
  let findings: [Finding]
  let suppressed: SuppressedErrors
  /// The settings files that are not read.
  let skippedSettings: [SettingsLocation]
  /// The size of the package in bytes; nil if it was not written.
  let bytes: Int64?
}

/// The report of `create` on one package.
struct CreateRendering {
  private let made: MadePackage
  private let command: String

  init(_ made: MadePackage, by command: String = CreateCommand.reportName) {
    self.made = made
    self.command = command
  }

  var document: PackageDocument {
    var document = PackageDocument(
      command: command, path: made.path, product: made.info.productIdentifier,
      version: made.info.contentVersion)
    document.entries = made.review.items.count
    document.archiveBytes = Nullable(wrappedValue: made.bytes)
    document.contentBytes = made.review.contentBytes
    document.leftOut = LeftOutDocument(made.review.source.excluded)
    document.findings = made.findings.map(FindingDocument.init)
    document.ignored = made.suppressed.documents
    document.skippedSettings = made.skippedSettings.skippedFiles
    return document
  }

  var line: String {
    let (info, review) = (made.info, made.review)
    let path = String(displaying: made.path.utf8)
    let content = Self.content(of: review)
    let identity = "\(info.productIdentifier) \(info.contentVersion)"
    guard let bytes = made.bytes else { return "\(path): would hold \(identity), \(content)" }
    return "\(path): \(identity), \(content) in \(Quantity.bytes(bytes))"
  }

  /// Returns the counts and the size of content.
  static func content(of review: ContentReview) -> String {
    Quantity.entries(review.items.count) + Quantity.exclusionEnding(review.source.excluded)
      + ", \(Quantity.bytes(review.contentBytes))"
  }
}
