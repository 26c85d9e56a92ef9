package import ContentPackage
import Delivery
import HTTPTransport
import SafeFiles
import Support
import SystemPackage

extension HostedDownloads {
  /// The maximum size of a downloaded file in bytes, the same as that of a compressed payload.
  private static let maximumByteCount = Int64(UInt32.max)

  /// A downloaded file.
  package struct Received {
    /// The path of the file, which the next download of the same purchase replaces or resumes.
    package let path: String
    /// Whether the download resumed a partial file of an earlier run, which may be damaged.
    package let isResumed: Bool
  }

  /// The error for a partial file that belongs to another object.
  private struct ObjectChanged: Error {}

  /// Downloads the content of a purchase, or resumes the download.
  ///
  /// - Parameters:
  ///   - content: The content, as App Store Connect currently describes it.
  ///   - purchase: The purchase.
  ///   - client: Sends the requests; the content's host receives no token.
  ///   - isRestarting: Whether files of an earlier run are ignored.
  ///   - progress: Counts the bytes.
  /// - Returns: The complete file.
  /// - Throws: `StoreError`, `IntegrityError` for a file of another size, `FileError`, `Interruption`. Received bytes
  ///   are kept for the next run.
  package func receive(
    _ content: HostedContent, of purchase: HostedPurchase, through client: AppStoreClient,
    restarting isRestarting: Bool = false, progress: WorkProgress
  ) throws -> Received {
    let address = try client.address(of: content, purchase)
    if let size = content.fileSize, !(1...Self.maximumByteCount).contains(size) {
      throw IntegrityError(
        "the content of \(purchase.product)",
        "is announced with \(size) bytes, expected 1 to \(Self.maximumByteCount)")
    }
    let path = folder.childPath(Self.partName(of: purchase))
    var record = record(of: purchase).flatMap { $0.matches(content) && !isRestarting ? $0 : nil }
    record?.imported = nil
    let start = try reusableByteCount(content, of: purchase, record)
    if let known = record?.receivedBytes, known == start { return Received(path: path, isResumed: false) }
    if start == 0 { record = nil }
    do {
      do {
        try receive(content, of: purchase, at: address, from: start, record, client, progress)
        return Received(path: path, isResumed: start > 0)
      } catch  where start > 0 && Self.preventsResuming(error) {
        try receive(content, of: purchase, at: address, from: 0, nil, client, progress)
        return Received(path: path, isResumed: false)
      }
    } catch let error as HTTPError {
      throw StoreError(error, "\(address)")
    }
  }

  /// Returns the number of bytes of an earlier run that can be reused: none of a file with several hard links, because
  /// resuming it would change the others.
  private func reusableByteCount(
    _ content: HostedContent, of purchase: HostedPurchase, _ record: DownloadRecord?
  ) throws -> Int64 {
    guard let record, let found = try folder.status(of: Self.partName(of: purchase)), found.kind == .file,
      found.linkCount == 1, let size = record.receivedBytes ?? content.fileSize, found.size <= size
    else { return 0 }
    // A file of full size may not be recorded as complete. The client then requests its last byte again, to verify that
    // the object is unchanged.
    return record.receivedBytes == nil ? min(found.size, size - 1) : found.size
  }

  /// Returns whether an error means that the partial file cannot be resumed.
  private static func preventsResuming(_ error: any Error) -> Bool {
    switch error {
    case is ObjectChanged: true
    case let error as HTTPError: [.rangeIgnored, .unexpectedResponse, .status(416)].contains(error.reason)
    default: false
    }
  }

  /// Downloads all bytes from `start`, and records that the file is complete.
  private func receive(
    _ content: HostedContent, of purchase: HostedPurchase, at address: HTTPAddress, from start: Int64,
    _ known: DownloadRecord?, _ client: AppStoreClient, _ progress: WorkProgress
  ) throws {
    if let size = content.fileSize,
      let shortage = try folder.freeSpace().shortage(bytes: size - start, files: 2)
    {
      throw FileError(.write, folder.path, .noSpace, detail: shortage)
    }
    let name = Self.partName(of: purchase)
    if start == 0 {
      try removeDownload(of: purchase)
      try folder.createFile(name, permissions: 0o600).close()
    }
    var file = try folder.openFile(name, toWriteAfter: start)
    var record = known ?? DownloadRecord(content)
    try write(record, of: purchase)
    progress.begin(.downloading, purchase.product, totalBytes: content.fileSize ?? 0)
    progress.advance(by: start)
    do {
      try transfer(content, at: address, from: start, client) { head in
        guard known?.tag == nil || head.strongTag == known?.tag else { throw ObjectChanged() }
        guard record.tag != head.strongTag else { return }
        record.tag = head.strongTag
        try write(record, of: purchase)
      } onBytes: { bytes in
        try file.write(bytes)
        progress.advance(by: Int64(bytes.byteCount))
      }
      try file.synchronize()
    } catch {
      try? file.close()  // the first error is more informative
      throw error
    }
    record.receivedBytes = file.byteCount
    try file.close()
    try write(record, of: purchase)
  }

  /// Sends requests until all bytes from `start` have arrived.
  private func transfer(
    _ content: HostedContent, at address: HTTPAddress, from start: Int64, _ client: AppStoreClient,
    onHead: (HTTPHead) throws -> Void, onBytes: (RawSpan) throws -> Void
  ) throws {
    let end = content.fileSize ?? Self.maximumByteCount
    var missing = end - start
    try withoutActuallyEscaping(onHead) { onHead in
      let reader = HTTPObjectReader(
        start > 0 ? start..<end : nil, of: "\(address)", kind: "the content of a purchase", by: client.http
      ) { range in
        var request = HTTPRequest(.get, address, range: range)
        request.bodyLimit = max(end, Int64(HTTPLimits.maximumErrorBodySize))
        let response = try client.http.openFollowing(request)
        guard response.head.isSuccess else { throw response.head.error(address, now: client.now()) }
        try Self.check(response.head, at: address, content)
        try onHead(response.head)
        return response
      }
      var block: [UInt8] = []
      while try reader.next(&block) {
        missing -= Int64(block.count)
        guard missing >= 0 else { throw Self.sizeError("\(address)", nil, content) }
        try onBytes(unsafe block.borrowedSpan.bytes)  // UInt8 has no padding
      }
    }
    guard content.fileSize == nil || missing == 0 else {
      throw Self.sizeError("\(address)", end - missing, content)
    }
  }

  /// Rejects a file whose size differs from the announced one, before its first byte is read.
  private static func check(
    _ head: HTTPHead, at address: HTTPAddress, _ content: HostedContent
  ) throws(IntegrityError) {
    guard let expected = content.fileSize else { return }
    let total = head.status == 206 ? head.contentRange?.total : head.contentLength
    guard total ?? expected == expected else { throw sizeError("\(address)", total, content) }
  }

  private static func sizeError(
    _ address: String, _ found: Int64?, _ content: HostedContent
  ) -> IntegrityError {
    guard let expected = content.fileSize else {
      return IntegrityError(address, "has more than \(maximumByteCount) bytes, the maximum")
    }
    return IntegrityError(
      address, "has \(found.map { "\($0)" } ?? "more") bytes, but App Store Connect announced \(expected)")
  }
}
