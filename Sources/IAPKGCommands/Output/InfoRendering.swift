import ContentPackage
import SafeFiles
import ZipArchive

/// What `info` shows of a package.
struct InfoRendering {
  private let summary: PackageSummary
  private let listsFiles: Bool
  private let style: TextStyle

  init(_ summary: PackageSummary, listsFiles: Bool, style: TextStyle) {
    self.summary = summary
    self.listsFiles = listsFiles
    self.style = style
  }

  var document: PackageDocument {
    var document = PackageDocument(
      command: "info", path: summary.path, product: summary.productIdentifier, version: summary.contentVersion
    )
    document.entries = summary.entries.count
    document.archiveBytes = summary.archiveBytes
    document.contentBytes = summary.contentBytes
    document.files = listsFiles ? summary.entries.map(EntryDocument.init) : nil
    return document
  }

  var lines: [String] {
    let kinds = [("file", ZipEntry.Kind.file), ("folder", .folder), ("link", .link)].compactMap {
      noun, kind in
      let count = summary.entries.count { $0.kind == kind }
      return count > 0 ? Quantity.count(count, noun) : nil
    }
    let ratio = Quantity.percent(summary.archiveBytes, of: summary.contentBytes)
    let rows = [
      ("product", summary.productIdentifier?.text ?? "unknown: see iapkg validate"),
      ("version", summary.contentVersion?.text ?? "unknown: see iapkg validate"),
      ("package", "\(Quantity.bytes(summary.archiveBytes)), \(ratio) of the content"),
      ("content", Quantity.bytes(summary.contentBytes)),
      ("entries", "\(summary.entries.count) (\(kinds.joined(separator: ", ")))"),
    ]
    let head = rows.map { "\(style.faint($0.0))  \($0.1)" }
    return listsFiles ? head + [""] + table : head
  }

  /// Sizes to the right, names to the left, as long as they are.
  private var table: [String] {
    let rows = summary.entries.map { entry in
      let document = EntryDocument(entry)
      let name = document.path + (entry.kind == .folder ? "/" : "")
      return ["\(document.size)", "\(document.compressedSize)", document.method, name]
    }
    let header = ["size", "packed", "method", "path"]
    let widths = (0..<3).map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
    return ([header] + rows).map { row in
      let cells = [
        row[0].padded(to: widths[0], right: true), row[1].padded(to: widths[1], right: true),
        row[2].padded(to: widths[2], right: false), row[3],
      ]
      return cells.joined(separator: "  ")
    }
  }
}

extension String {
  fileprivate func padded(to width: Int, right: Bool) -> String {
    let padding = String(repeating: " ", count: max(0, width - count))
    return right ? padding + self : self + padding
  }
}

extension EntryDocument {
  fileprivate init(_ entry: ZipEntry) {
    path = entry.path.escaped
    size = entry.size
    compressedSize = entry.compressedSize
    method =
      switch entry.method {
      case .stored: "stored"
      case .deflated: "deflated"
      }
    kind =
      switch entry.kind {
      case .file: "file"
      case .folder: "folder"
      case .link: "link"
      case .special(let name): name
      }
  }
}
