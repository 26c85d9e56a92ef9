import ContentPackage
import Delivery
import Support

/// The report of `downloads`.
struct DownloadsRendering {
  private let downloads: [UnfinishedDownload]
  /// The product whose download was deleted.
  private let cancelled: ProductIdentifier?

  init(_ downloads: [UnfinishedDownload], cancelled: ProductIdentifier?) {
    self.downloads = downloads
    self.cancelled = cancelled
  }

  var document: DownloadsDocument {
    DownloadsDocument(
      cancelled: Nullable(wrappedValue: cancelled?.text),
      downloads: downloads.map { download in
        DownloadsDocument.Download(
          productIdentifier: download.productIdentifier.text,
          contentVersion: Nullable(wrappedValue: download.note?.contentVersion.text),
          store: Nullable(wrappedValue: download.note.map { DisplayedStore.name($0.store) }),
          receivedBytes: download.receivedBytes, reusedBytes: download.reusedBytes,
          contentBytes: Nullable(wrappedValue: download.note?.contentBytes))
      })
  }

  var lines: [String] {
    if let cancelled { return ["\(cancelled): the unfinished download was deleted"] }
    guard !downloads.isEmpty else { return ["there are no unfinished downloads"] }
    return downloads.map { download in
      let reused = download.reusedBytes > 0 ? ", reused \(Quantity.bytes(download.reusedBytes))," : ""
      let received = "\(Quantity.bytes(download.receivedBytes))\(reused)"
      guard let note = download.note else { return "\(download.productIdentifier): received \(received)" }
      return "\(download.productIdentifier) \(note.contentVersion): received \(received) of "
        + "\(Quantity.bytes(note.contentBytes)) from \(DisplayedStore.name(note.store))"
    }
  }
}

/// The JSON report of `downloads`.
struct DownloadsDocument: ReportDocument {
  struct Download: Encodable {
    let productIdentifier: String
    @Nullable var contentVersion: String?
    @Nullable var store: String?
    /// The downloaded bytes of complete and partial files.
    let receivedBytes: Int64
    /// The bytes of files, and of chunks of large files, that were copied from an installed version.
    let reusedBytes: Int64
    @Nullable var contentBytes: Int64?
  }

  let schemaVersion = reportSchemaVersion
  let command = "downloads"
  /// The product whose download was deleted.
  @Nullable var cancelled: String?
  let downloads: [Download]
}
