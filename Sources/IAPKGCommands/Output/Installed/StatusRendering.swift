import ContentPackage
import Installation
import ZipArchive

/// The report of `status`.
struct StatusRendering {
  private let statuses: [InstalledProducts.Status]
  /// The errors of products that could not be read completely.
  private let errors: [CommandError]
  /// Whether contents and permissions were compared.
  private let isVerified: Bool
  private let style: TextStyle

  init(
    _ statuses: [InstalledProducts.Status], _ errors: [CommandError], isVerified: Bool, style: TextStyle
  ) {
    self.statuses = statuses
    self.errors = errors
    self.isVerified = isVerified
    self.style = style
  }

  /// The exit code. A read error has priority over a product that is not intact.
  var status: ExitStatus {
    errors.first?.status ?? (statuses.allSatisfy(\.inspection.isIntact) ? .success : .invalid)
  }

  var document: StatusDocument {
    StatusDocument(
      products: statuses.map { status in
        StatusDocument.Product(
          productIdentifier: status.productIdentifier.text,
          contentVersion: status.installed.contentVersion.text,
          layout: status.layout.rawValue, verified: isVerified, intact: status.inspection.isIntact,
          missing: Listing(status.inspection.missing, \.escaped),
          modified: Listing(status.inspection.modified, \.escaped),
          extra: Listing(status.inspection.extra, \.escaped), canRollBack: !status.previous.isEmpty,
          previousVersions: status.previous.map(StatusDocument.Previous.init),
          kept: Listing(status.kept, \.self))
      },
      error: errors.first.map(ErrorDocument.Reason.init),
      unread: errors.isEmpty ? nil : errors.map(ErrorDocument.Reason.init))
  }

  /// Prints a line for each product, and a line for each path.
  func write(to print: (String) -> Void) {
    for status in statuses { write(status, to: print) }
  }

  private func write(_ status: InstalledProducts.Status, to print: (String) -> Void) {
    let inspection = status.inspection
    let head =
      "\(status.productIdentifier) \(status.installed.contentVersion) (\(status.layout.rawValue))"
    print("\(head): \(verdict(inspection))")
    for path in inspection.missing { print("  missing: \(path.escaped)") }
    for path in inspection.modified { print("  modified: \(path.escaped)") }
    for path in inspection.extra { print("  extra: \(path.escaped)") }
    for previous in status.previous {
      print("  previous version \(previous.version.contentVersion): \(verdict(previous.inspection))")
    }
    for path in status.kept { print("\(LocatedPaths.lineHead)kept: \(path)") }
  }

  private func verdict(_ inspection: ProductInspection) -> String {
    guard inspection.isIntact else { return style.error("not as it was installed") }
    return isVerified ? style.success("intact") : "\(style.success("complete")) (contents not checked)"
  }
}

/// The JSON report of `status`.
struct StatusDocument: ReportDocument {
  struct Product: Encodable {
    let productIdentifier: String
    let contentVersion: String
    let layout: String
    /// Whether contents and permissions were compared.
    let verified: Bool
    let intact: Bool
    let missing: Listing<String>
    let modified: Listing<String>
    let extra: Listing<String>
    let canRollBack: Bool
    /// The previous versions, most recently used first.
    let previousVersions: [Previous]
    /// Paths of kept files that iapkg did not install, or that were modified.
    let kept: Listing<String>
  }

  /// A previous version; its paths are relative to its own folder.
  struct Previous: Encodable {
    let contentVersion: String
    let intact: Bool
    let missing: Listing<String>
    let modified: Listing<String>
    let extra: Listing<String>

    init(_ previous: InstalledProducts.Status.Previous) {
      contentVersion = previous.version.contentVersion.text
      intact = previous.inspection.isIntact
      missing = Listing(previous.inspection.missing, \.escaped)
      modified = Listing(previous.inspection.modified, \.escaped)
      extra = Listing(previous.inspection.extra, \.escaped)
    }
  }

  let schemaVersion = reportSchemaVersion
  let command = "status"
  let products: [Product]
  /// The first of `unread`; both are absent if all products could be read.
  let error: ErrorDocument.Reason?
  let unread: [ErrorDocument.Reason]?
}
