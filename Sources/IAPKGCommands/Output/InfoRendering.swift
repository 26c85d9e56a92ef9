import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// The report of `info`.
struct InfoRendering {
  private let summary: PackageSummary
  /// Whether the package is the only one, whose name need not be said.
  private let isAlone: Bool
  private let listsFiles: Bool
  private let style: TextStyle

  init(_ summary: PackageSummary, isAlone: Bool, listsFiles: Bool, style: TextStyle) {
    self.summary = summary
    self.isAlone = isAlone
    self.listsFiles = listsFiles
    self.style = style
  }

  var document: PackageDocument {
    var document = PackageDocument(
      command: "info", path: summary.path, product: summary.productIdentifier, version: summary.contentVersion
    )
    document.kind = ContentKind.package.rawValue
    document.entries = summary.entries.count
    document.archiveBytes = Nullable(wrappedValue: summary.archiveBytes)
    document.contentBytes = summary.contentBytes
    document.files = listsFiles ? Listing(summary.entries) { EntryDocument($0) } : nil
    document.byKind = summary.weights.map { $0.byKind.map(KindDocument.init) }
    document.duplicates = summary.weights.map { $0.duplicates.map(DuplicateDocument.init) }
    return document
  }

  func write(to print: (String) -> Void) {
    let kinds = [("file", ZipEntry.Kind.file), ("folder", .folder), ("link", .link)].compactMap {
      noun, kind in
      let count = summary.entries.count { $0.kind == kind }
      return count > 0 ? Quantity.count(count, noun) : nil
    }
    let ratio = Quantity.percent(summary.archiveBytes, of: summary.contentBytes)
    let rows = [
      ("product", summary.productIdentifier?.text ?? Self.unknown),
      ("version", summary.contentVersion?.text ?? Self.unknown),
      ("package", "\(Quantity.bytes(summary.archiveBytes)), \(ratio) of the content"),
      ("content", Quantity.bytes(summary.contentBytes)),
      ("entries", "\(summary.entries.count) (\(kinds.joined(separator: ", ")))"),
    ]
    if !isAlone { print("\(String(displaying: summary.path.utf8)):") }
    for row in rows { print("\(style.faint(row.0))  \(row.1)") }
    if listsFiles {
      print("")
      writeTable(to: print)
    }
    if !isAlone { print("") }
  }

  /// What stands for an identity that the manifest does not have.
  static let unknown = "unknown: see iapkg validate"

  /// Sizes to the right, names to the left, as long as they are.
  private func writeTable(to print: (String) -> Void) {
    let header = ["size", "packed", "method", "path"]
    var widths = header.map(\.count)
    for entry in summary.entries {
      for (column, cell) in Self.cells(entry).enumerated() {
        widths[column] = max(widths[column], cell.count)
      }
    }
    print(Self.row(header, widths))
    for entry in summary.entries {
      let name = entry.path.escaped + (entry.kind == .folder ? "/" : "")
      print(Self.row(Self.cells(entry) + [name], widths))
    }
  }

  /// All of an entry's row but its name.
  private static func cells(_ entry: ZipEntry) -> [String] {
    ["\(entry.size)", "\(entry.compressedSize)", EntryDocument.name(of: entry.method)]
  }

  private static func row(_ cells: [String], _ widths: [Int]) -> String {
    [
      cells[0].padded(to: widths[0], right: true), cells[1].padded(to: widths[1], right: true),
      cells[2].padded(to: widths[2], right: false), cells[3],
    ].joined(separator: "  ")
  }
}

extension String {
  func padded(to width: Int, right: Bool) -> String {
    let padding = String(repeating: " ", count: max(0, width - count))
    return right ? padding + self : self + padding
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
