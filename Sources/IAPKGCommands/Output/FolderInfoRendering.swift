import ContentPackage
import Support
import ZipArchive

/// The report of `info` on a content folder.
struct FolderInfoRendering {
  private let summary: FolderSummary
  /// Whether the folder is the only one, whose name need not be said.
  private let isAlone: Bool
  private let listsFiles: Bool
  private let style: TextStyle

  init(_ summary: FolderSummary, isAlone: Bool, listsFiles: Bool, style: TextStyle) {
    self.summary = summary
    self.isAlone = isAlone
    self.listsFiles = listsFiles
    self.style = style
  }

  var document: PackageDocument {
    var document = PackageDocument(
      command: InfoCommand.reportName, path: summary.path, product: summary.productIdentifier,
      version: summary.contentVersion)
    document.kind = ContentKind.folder.rawValue
    document.entries = summary.items.count
    document.archiveBytes = Nullable()
    document.contentBytes = summary.contentBytes
    document.files = listsFiles ? Listing(summary.items) { EntryDocument($0) } : nil
    document.byKind = summary.weights.map { $0.byKind.map(KindDocument.init) }
    document.duplicates = summary.weights.map { $0.duplicates.map(DuplicateDocument.init) }
    return document
  }

  func write(to print: (String) -> Void) {
    let rows = [
      ("product", summary.productIdentifier?.text ?? InfoRendering.unknown),
      ("version", summary.contentVersion?.text ?? InfoRendering.unknown),
      ("content", Quantity.bytes(summary.contentBytes)),
      ("entries", "\(summary.items.count)"),
    ]
    if !isAlone { print("\(String(displaying: summary.path.utf8)):") }
    for row in rows { print("\(style.faint(row.0))  \(row.1)") }
    if listsFiles {
      print("")
      writeTable(to: print)
    }
    if !isAlone { print("") }
  }

  /// Sizes to the right, names as long as they are.
  private func writeTable(to print: (String) -> Void) {
    let header = "size"
    let width = summary.items.reduce(header.count) { max($0, "\($1.size)".count) }
    print("\(header.padded(to: width, right: true))  path")
    for item in summary.items {
      let name = item.path.escaped + (item.kind == .folder ? "/" : "")
      print("\("\(item.size)".padded(to: width, right: true))  \(name)")
    }
  }
}

extension EntryDocument {
  /// An item that is not packed yet.
  fileprivate init(_ item: ContentItem) {
    let kind =
      switch item.kind {
      case .file: "file"
      case .folder: "folder"
      case .link: "link"
      case .special(let name): name
      }
    self.init(path: item.path.escaped, size: item.size, compressedSize: nil, method: nil, kind: kind)
  }
}
