import ContentPackage
import Support
import ZipArchive

extension InfoRendering {
  /// Creates the report on a package.
  init(_ summary: PackageSummary, isSingleInput: Bool, listsFiles: Bool, style: TextStyle) {
    var document = PackageDocument(
      of: .package, summary.path, summary.productIdentifier, summary.contentVersion,
      entries: summary.entries.count, archiveBytes: summary.archiveBytes, contentBytes: summary.contentBytes,
      summary.weights)
    document.files = listsFiles ? Listing(summary.entries) { EntryDocument($0) } : nil
    let kinds = [("file", ZipEntry.Kind.file), ("folder", .folder), ("link", .link)].compactMap {
      noun, kind in
      let count = summary.entries.count { $0.kind == kind }
      return count > 0 ? Quantity.count(count, noun) : nil
    }
    let ratio = Quantity.percent(summary.archiveBytes, of: summary.contentBytes)
    let rows = [
      ("product", summary.productIdentifier?.text ?? "unknown"),
      ("version", summary.contentVersion?.text ?? "unknown"),
      ("package", "\(Quantity.bytes(summary.archiveBytes)), \(ratio) of the content"),
      ("content", Quantity.bytes(summary.contentBytes)),
      ("entries", "\(summary.entries.count) (\(kinds.joined(separator: ", ")))"),
    ]
    self.init(
      document, name: isSingleInput ? nil : summary.path, rows: rows,
      table: listsFiles ? { Self.writeTable(of: summary.entries, to: $0) } : nil, style: style)
  }

  /// Prints the entries, with right-aligned sizes.
  private static func writeTable(of entries: [ZipEntry], to print: (String) -> Void) {
    let header = ["size", "compressed", "method", "path"]
    var widths = header.map(\.count)
    for entry in entries {
      for (column, cell) in cells(entry).enumerated() { widths[column] = max(widths[column], cell.count) }
    }
    print(row(header, widths))
    for entry in entries {
      let name = entry.path.escaped + (entry.kind == .folder ? "/" : "")
      print(row(cells(entry) + [name], widths))
    }
  }

  /// Returns the cells of an entry's row, except its path.
  private static func cells(_ entry: ZipEntry) -> [String] {
    ["\(entry.size)", "\(entry.compressedSize)", EntryDocument.name(of: entry.method)]
  }

  private static func row(_ cells: [String], _ widths: [Int]) -> String {
    [
      cells[0].padded(to: widths[0], isRightAligned: true),
      cells[1].padded(to: widths[1], isRightAligned: true),
      cells[2].padded(to: widths[2], isRightAligned: false), cells[3],
    ].joined(separator: "  ")
  }
}

extension EntryDocument {
  fileprivate static func name(of method: ZipEntry.Method) -> String {
    switch method {
    case .stored: "stored"
    case .deflated: "deflated"
    }
  }

  fileprivate init(_ entry: ZipEntry) {
    let kind =
      switch entry.kind {
      case .file: "file"
      case .folder: "folder"
      case .link: "link"
      case .special(let name): name
      }
    self.init(
      path: entry.path.escaped, size: entry.size, compressedSize: entry.compressedSize,
      method: Self.name(of: entry.method), kind: kind)
  }
}
