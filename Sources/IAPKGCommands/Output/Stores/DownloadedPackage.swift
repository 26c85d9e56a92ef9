import ContentPackage
import Support

/// The report of `fetch` with `--output`.
struct DownloadedPackage {
  let document: FetchedFileDocument

  init(_ product: ProductIdentifier, _ version: ContentVersion, _ bytes: Int64, path: String) {
    document = FetchedFileDocument(
      productIdentifier: product.text, contentVersion: version.text, path: String(displaying: path.utf8),
      archiveBytes: bytes)
  }

  var lines: [String] {
    let size = Quantity.bytes(document.archiveBytes)
    return ["\(document.path): \(document.productIdentifier) \(document.contentVersion), \(size)"]
  }
}

/// The JSON report of `fetch` with `--output`.
struct FetchedFileDocument: ReportDocument {
  let schemaVersion = reportSchemaVersion
  let command = "fetch"
  let productIdentifier: String
  let contentVersion: String
  let path: String
  let archiveBytes: Int64
}
