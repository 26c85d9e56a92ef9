import ContentPackage
import Conversion
import Support

/// The report of `import` on one package or folder.
struct ImportRendering {
  private let made: ImportedPackage

  init(_ made: ImportedPackage) { self.made = made }

  var document: PackageDocument {
    var document = CreateRendering(made.package, by: ImportCommand.reportName).document
    if made.isFolder { document.archiveBytes = nil }
    document.dropped = made.dropped
    document.changed = made.content.changes
    return document
  }

  var line: String {
    guard made.isFolder, !made.isDryRun else { return CreateRendering(made.package).line }
    let info = made.package.info
    return "\(String(displaying: made.package.path.utf8)): \(info.productIdentifier) \(info.contentVersion), "
      + CreateRendering.content(of: made.package.review)
  }

  /// Notes on dropped and changed items. Items that settings exclude are only counted, in `line`.
  var notes: [String] {
    let dropped = made.content.dropped
    return (dropped.isEmpty ? [] : ["omitted: \(dropped.joined(separator: ", "))"]) + made.content.changes
  }
}
