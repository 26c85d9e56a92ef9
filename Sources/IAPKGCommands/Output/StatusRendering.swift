import ContentPackage
import ZipArchive

/// What `status` shows of installed products.
struct StatusRendering {
  private let statuses: [InstalledProducts.Status]
  private let style: TextStyle

  init(_ statuses: [InstalledProducts.Status], style: TextStyle) {
    self.statuses = statuses
    self.style = style
  }

  var document: StatusDocument {
    StatusDocument(
      products: statuses.map { status in
        StatusDocument.Product(
          productIdentifier: status.productIdentifier.text,
          contentVersion: status.installation.contentVersion,
          layout: status.installation.layout.rawValue, intact: status.inspection.isIntact,
          missing: status.inspection.missing.map(\.escaped),
          modified: status.inspection.modified.map(\.escaped),
          extra: status.inspection.extra.map(\.escaped), canRollBack: status.hasPrevious)
      })
  }

  var lines: [String] { statuses.flatMap(lines) }

  private func lines(_ status: InstalledProducts.Status) -> [String] {
    let verdict =
      status.inspection.isIntact ? style.good("intact") : style.error("not as it was installed")
    let head =
      "\(status.productIdentifier) \(status.installation.contentVersion) (\(status.installation.layout.rawValue))"
    let differences = [
      ("missing", status.inspection.missing), ("modified", status.inspection.modified),
      ("extra", status.inspection.extra),
    ]
    return ["\(head): \(verdict)"]
      + differences.flatMap { word, places in places.map { "  \(word): \($0.escaped)" } }
  }
}

/// What `status` writes.
struct StatusDocument: ReportDocument {
  struct Product: Encodable {
    let productIdentifier: String
    let contentVersion: String
    let layout: String
    let intact: Bool
    let missing: [String]
    let modified: [String]
    let extra: [String]
    let canRollBack: Bool
  }

  let schemaVersion = reportSchemaVersion
  let command = "status"
  let products: [Product]
}
