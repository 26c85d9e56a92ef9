import ContentPackage
import Conversion
import Support

/// What `import` says of what it made.
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

  /// What was left out and changed.
  func notes(_ report: ReportOptions) -> [String] {
    guard report.format == .text else { return [] }
    let dropped = made.content.dropped
    let sentences =
      (dropped.isEmpty ? [] : ["left out: \(dropped.joined(separator: ", "))"]) + made.content.changes
    let head = report.style(for: .error).note("note:") + " "
    return sentences.flatMap { TextLayout(for: .error).lines(after: head, width: 6, $0) }
  }
}
