import ContentPackage
import Support
import ZipArchive

extension InfoRendering {
  /// Creates the report on a content folder.
  init(_ summary: FolderSummary, isSingleInput: Bool, listsFiles: Bool, style: TextStyle) {
    var document = PackageDocument(
      of: .folder, summary.path, summary.productIdentifier, summary.contentVersion,
      entries: summary.items.count, archiveBytes: nil, contentBytes: summary.contentBytes, summary.weights)
    document.files = listsFiles ? Listing(summary.items) { EntryDocument($0) } : nil
    document.leftOut = LeftOutDocument(summary.excluded)
    let rows = [
      ("product", summary.productIdentifier?.text ?? "unknown"),
      ("version", summary.contentVersion?.text ?? "unknown"),
      ("content", Quantity.bytes(summary.contentBytes)),
      ("entries", "\(summary.items.count)" + Quantity.exclusionEnding(summary.excluded)),
    ]
    self.init(
      document, name: isSingleInput ? nil : summary.path, rows: rows,
      table: listsFiles ? { Self.writeTable(of: summary.items, to: $0) } : nil, style: style)
  }

  /// Prints the items, with right-aligned sizes.
  private static func writeTable(of items: ContentItems, to print: (String) -> Void) {
    let header = "size"
    let width = items.reduce(header.count) { max($0, "\($1.size)".count) }
    print("\(header.padded(to: width, isRightAligned: true))  path")
    for item in items {
      let name = item.path.escaped + (item.kind == .folder ? "/" : "")
      print("\("\(item.size)".padded(to: width, isRightAligned: true))  \(name)")
    }
  }
}

extension EntryDocument {
  /// Creates the document of an item in a content folder.
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
