import ContentPackage
import SafeFiles
import Support

/// The report of `info`, on a package or a content folder.
struct InfoRendering {
  let document: PackageDocument
  /// The input's name in the report; nil if there is only one input.
  private let name: String?
  /// The labeled lines of the report.
  private let rows: [(label: String, text: String)]
  /// Prints all entries; nil unless they are listed.
  private let table: ((_ print: (String) -> Void) -> Void)?
  private let style: TextStyle

  init(
    _ document: PackageDocument, name: String?, rows: [(label: String, text: String)],
    table: ((_ print: (String) -> Void) -> Void)?, style: TextStyle
  ) {
    self.document = document
    self.name = name
    self.rows = rows
    self.table = table
    self.style = style
  }

  func write(to print: (String) -> Void) {
    if let name { print("\(String(displaying: name.utf8)):") }
    for row in rows { print("\(style.faint(row.label))  \(row.text)") }
    if let table {
      print("")
      table(print)
    }
    if name != nil { print("") }
  }
}

extension PackageDocument {
  /// Creates the JSON report of `info` without the entries.
  init(
    of kind: ContentKind, _ path: String, _ product: ProductIdentifier?, _ version: ContentVersion?,
    entries: Int, archiveBytes: Int64?, contentBytes: Int64, _ weights: ContentWeights?
  ) {
    self.init(command: InfoCommand.reportName, path: path, product: product, version: version)
    self.kind = kind.rawValue
    self.entries = entries
    self.archiveBytes = Nullable(wrappedValue: archiveBytes)
    self.contentBytes = contentBytes
    byKind = weights.map { $0.byKind.map(KindDocument.init) }
    duplicates = weights.map { $0.duplicates.map(DuplicateDocument.init) }
  }
}

extension String {
  func padded(to width: Int, isRightAligned: Bool) -> String {
    let padding = String(repeating: " ", count: max(0, width - count))
    return isRightAligned ? padding + self : self + padding
  }
}
