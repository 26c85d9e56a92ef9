package import ContentPackage
package import Installation
import SafeFiles

/// A download that ended early, and that another try goes on with.
package struct UnfinishedDownload: Sendable {
  package let productIdentifier: ProductIdentifier
  /// What was to be received; nil where nobody can tell any more.
  package let note: DownloadNote?
  /// Bytes of the files that were received, whole or in part.
  package let receivedBytes: Int64

  /// All that are kept in `Documents`, by product.
  ///
  /// - Throws: `FileError`, `InstallationError`, `DocumentsBusy`, `RecordUnreadable`, `Interruption`.
  package static func all(in access: DocumentsAccess) throws -> [UnfinishedDownload] {
    try InstalledProducts(access).downloads().map { download in
      UnfinishedDownload(
        productIdentifier: download.productIdentifier, note: try? DownloadNote(bytes: download.note),
        receivedBytes: download.files.reduce(0) { $0 + $1.status.size })
    }
  }

  /// Throws one away.
  ///
  /// - Throws: as `all(in:)`; `FetchError.noDownload` if there is none.
  package static func cancel(_ product: ProductIdentifier, in access: DocumentsAccess) throws {
    guard try InstalledProducts(access).discardDownload(of: product) else {
      throw FetchError.noDownload(product)
    }
  }
}
