import ContentPackage
import Conversion
import Support

/// The report of `import` on one package or folder.
struct ImportRendering {
  private let made: ImportedPackage

  init(_ made: ImportedPackage) { self.made = made }

  var document: PackageDocument {
    var document = CreateRendering(made.package, by: ImportCommand.reportName).document
    document.dropped = made.content.dropped
    document.changed = made.content.changes
    return document
  }

  var line: String {
    guard made.isFolder, !made.isRehearsal else { return CreateRendering(made.package).line }
    let (info, review) = (made.package.info, made.package.review)
    let content = "\(Quantity.entries(review.items.count)), \(Quantity.bytes(review.contentBytes))"
    return
      "\(String(displaying: made.package.path.utf8)): \(info.productIdentifier) \(info.contentVersion), \(content)"
  }

  /// Notes on omitted and changed items.
  var notes: [String] {
    let dropped = made.content.dropped
    return (dropped.isEmpty ? [] : ["left out: \(dropped.joined(separator: ", "))"]) + made.content.changes
  }
}
