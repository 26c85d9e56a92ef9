import ContentPackage
import Delivery

/// The report of `catalog renew`.
struct CatalogRenewRendering {
  private let catalog: Catalog
  /// Releases that were published before, and that the catalog does not list.
  private let unlisted: [(product: ProductIdentifier, version: ContentVersion)]
  /// Releases that were withdrawn, and that the catalog does not list.
  private let withdrawn: [(product: ProductIdentifier, version: ContentVersion)]
  /// Listed releases that were withdrawn before and are not withdrawn now.
  private let revoked: [(product: ProductIdentifier, version: ContentVersion)]
  /// Products that the catalog lacks, and that have no known release.
  private let products: [ProductIdentifier]
  private let store: String

  init(_ catalog: Catalog, _ found: UnlistedReleases?, store: String) {
    self.catalog = catalog
    unlisted = found?.releases ?? []
    withdrawn = found?.withdrawn ?? []
    revoked = found?.revoked ?? []
    products = found?.products ?? []
    self.store = DisplayedStore.name(store)
  }

  var document: CatalogRenewDocument {
    CatalogRenewDocument(
      store: store, sequence: catalog.sequence, published: catalog.published.description,
      expires: Nullable(wrappedValue: catalog.expires?.description),
      unlisted: unlisted.map { .init(productIdentifier: $0.product.text, contentVersion: $0.version.text) }
        + products.map { .init(productIdentifier: $0.text, contentVersion: nil) },
      withdrawn: withdrawn.map { .init(productIdentifier: $0.product.text, contentVersion: $0.version.text) },
      revoked: revoked.map { .init(productIdentifier: $0.product.text, contentVersion: $0.version.text) })
  }

  var lines: [String] {
    let expires = catalog.expires.map { "expires \($0)" } ?? "never expires"
    var lines = ["\(store): catalog \(catalog.sequence) of \(catalog.published), \(expires)"]
    lines += unlisted.map {
      "\($0.product) \($0.version): published before, but not in the catalog; clients may have it, so publish it again"
    }
    lines += products.map {
      "\($0): published before, but not in the catalog, and no release of it is known here; publish it again"
    }
    lines += withdrawn.map {
      "\($0.product) \($0.version): published and withdrawn before, but not in the catalog; publish a higher version"
    }
    lines += revoked.map {
      "\($0.product) \($0.version): withdrawn before, and offered again; withdraw it again, unless that was undone"
    }
    return lines
  }
}

/// The JSON report of `catalog renew`.
struct CatalogRenewDocument: ReportDocument {
  struct Release: Encodable {
    let productIdentifier: String
    /// Null for a product without a known release.
    @Nullable var contentVersion: String?

    init(productIdentifier: String, contentVersion: String?) {
      self.productIdentifier = productIdentifier
      _contentVersion = Nullable(wrappedValue: contentVersion)
    }
  }

  let schemaVersion = reportSchemaVersion
  let command = CatalogRenewCommand.reportName
  let store: String
  let sequence: Int64
  let published: String
  @Nullable var expires: String?
  /// With `--at-least`, releases that were published before and are not in the catalog; empty otherwise.
  let unlisted: [Release]
  /// With `--at-least`, releases that were withdrawn before and are not in the catalog; empty otherwise.
  let withdrawn: [Release]
  /// With `--at-least`, releases of the catalog that were withdrawn before and are not now; empty otherwise.
  let revoked: [Release]
}

/// The report of `catalog copy`.
struct CatalogCopyRendering {
  private let report: StoreCopier.Report
  private let source: String
  private let copy: String
  private let isDryRun: Bool

  init(_ report: StoreCopier.Report, from source: String, to copy: String, isDryRun: Bool) {
    self.report = report
    self.source = DisplayedStore.name(source)
    self.copy = DisplayedStore.name(copy)
    self.isDryRun = isDryRun
  }

  private var outcome: String {
    guard report.isNew || report.objects > 0 else { return "up-to-date" }
    return isDryRun ? "would-copy" : "copied"
  }

  var document: CatalogCopyDocument {
    CatalogCopyDocument(
      from: source, store: copy, outcome: outcome, sequence: report.catalog.sequence,
      copiedObjects: report.objects, copiedBytes: report.bytes,
      revoked: report.revoked.compactMap {
        if case .withdrawal(let product, let version) = $0 {
          CatalogRenewDocument.Release(productIdentifier: product.text, contentVersion: version.text)
        } else {
          nil
        }
      })
  }

  /// The warning about withdrawals that the source does not list; nil if it lists all of them.
  var problem: String? {
    guard !report.revoked.isEmpty else { return nil }
    return "\(source) no longer lists \(report.revoked.list), in the catalog of \(copy) until now; "
      + "unless that was undone, withdraw it again in \(source) and repeat the copy"
  }

  var lines: [String] {
    guard report.isNew || report.objects > 0 else {
      return ["\(copy): up to date, catalog \(report.catalog.sequence)"]
    }
    let objects = "\(Quantity.count(report.objects, "object")), \(Quantity.bytes(report.bytes))"
    return [
      "\(copy): \(objects) \(isDryRun ? "would be copied" : "copied"), catalog \(report.catalog.sequence)"
    ]
  }
}

/// The JSON report of `catalog copy`.
struct CatalogCopyDocument: ReportDocument {
  let schemaVersion = reportSchemaVersion
  let command = CatalogCopyCommand.reportName
  let from: String
  /// The destination of the copy.
  let store: String
  /// `copied`, `up-to-date`, or with `--dry-run` `would-copy`.
  let outcome: String
  let sequence: Int64
  let copiedObjects: Int
  let copiedBytes: Int64
  /// Withdrawn releases of the copy that the source offers.
  let revoked: [CatalogRenewDocument.Release]
}
