package import ContentPackage
package import Installation
import SafeFiles

/// An interrupted download, which the next attempt resumes.
package struct UnfinishedDownload: Sendable {
  /// The product that is downloaded.
  package let productIdentifier: ProductIdentifier
  /// The release being received; nil if its note cannot be read.
  package let note: DownloadNote?
  /// Bytes of the received files, complete or partial.
  package let receivedBytes: Int64
  /// Bytes of the files, and of the chunks of large files, copied from an installed version.
  package let reusedBytes: Int64

  /// Returns the interrupted downloads of `products` in `Documents`, nil for all, ordered by product.
  ///
  /// - Throws: `FileError`, `InstallationError`, `DocumentsBusy`, `RecordUnreadable`, `Interruption`.
  package static func all(
    in access: DocumentsAccess, of products: [ProductIdentifier]? = nil
  ) throws -> [UnfinishedDownload] {
    let installed = InstalledProducts(access)
    let downloads = try installed.downloads().filter { products?.contains($0.productIdentifier) ?? true }
    return try downloads.map { download in
      let copied = try download.copiedBytes(
        from: try installed.contents(of: download.productIdentifier), in: access.context)
      return UnfinishedDownload(
        productIdentifier: download.productIdentifier, note: try? DownloadNote(bytes: download.note),
        receivedBytes: (download.content.files + (download.parts?.files ?? [])).reduce(0) {
          $0 + $1.status.size
        } - copied, reusedBytes: copied)
    }
  }

  /// Returns the interrupted downloads of products that are not installed, as the errors of an update.
  ///
  /// - Throws: The errors of `all(in:)`.
  package static func ofNew(in access: DocumentsAccess) throws -> [FetchError] {
    let products = InstalledProducts(access)
    let installed = Set(try products.identifiers(of: []))
    return try products.downloads(onlyReading: true).filter { !installed.contains($0.productIdentifier) }.map
    {
      let note = try? DownloadNote(bytes: $0.note)
      return .unfinished(
        $0.productIdentifier, note?.choice ?? ReleaseChoice(), store: note?.store, documents: access.path)
    }
  }

  /// Discards an interrupted download.
  ///
  /// - Throws: The errors of `all(in:)`; `FetchError.noDownload` if there is none.
  package static func cancel(_ product: ProductIdentifier, in access: DocumentsAccess) throws {
    guard try InstalledProducts(access).discardDownload(of: product) else {
      throw FetchError.noDownload(product)
    }
  }
}
