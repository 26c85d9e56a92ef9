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
  /// Bytes of the files that were copied from an installed version.
  package let reusedBytes: Int64

  /// All that are kept in `Documents`, by product.
  ///
  /// - Throws: `FileError`, `InstallationError`, `DocumentsBusy`, `RecordUnreadable`, `Interruption`.
  package static func all(in access: DocumentsAccess) throws -> [UnfinishedDownload] {
    let products = InstalledProducts(access)
    return try products.downloads().map { download in
      let copied = try download.copiedBytes(
        from: try products.contents(of: download.productIdentifier), in: access.context)
      return UnfinishedDownload(
        productIdentifier: download.productIdentifier, note: try? DownloadNote(bytes: download.note),
        receivedBytes: download.files.reduce(0) { $0 + $1.status.size } - copied, reusedBytes: copied)
    }
  }

  /// The first downloads of products that are not installed, as the errors of an update.
  ///
  /// - Throws: as `all(in:)`.
  package static func ofNew(in access: DocumentsAccess) throws -> [FetchError] {
    let products = InstalledProducts(access)
    let installed = Set(try products.identifiers(of: []))
    return try products.downloads(onlyReading: true).filter { !installed.contains($0.productIdentifier) }.map
    {
      .unfinished($0.productIdentifier, store: (try? DownloadNote(bytes: $0.note))?.store)
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
