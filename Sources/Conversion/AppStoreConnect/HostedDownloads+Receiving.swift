package import ContentPackage
import Delivery
import SafeFiles
import Support
import SystemPackage

extension HostedDownloads {
  /// The most bytes of a file that is received: a payload, which is compressed, has at most as many.
  private static let maximumByteCount = Int64(UInt32.max)

  /// A file that was received.
  package struct Received {
    package let path: String
    /// Whether it was begun by an earlier run, of which nobody knows how it ended.
    package let isContinued: Bool
  }

  /// What an earlier run received is not of the same object.
  private struct Changed: Error {}

  /// Receives the content of a purchase, or what is missing of it.
  ///
  /// - Parameters:
  ///   - content: the content, as App Store Connect has just told it.
  ///   - purchase: the purchase.
  ///   - client: sends the requests; the content's host gets no token.
  ///   - isAfresh: whether nothing of an earlier run is used.
  ///   - progress: counts the bytes.
  /// - Returns: the file, which is whole.
  /// - Throws: `StoreError`, `Untrustworthy` for a file of another size, `FileError`, `Interruption`; what was received
  ///   stays for the next time.
  package func receive(
    _ content: HostedContent, of purchase: HostedPurchase, through client: AppStoreClient,
    isAfresh: Bool = false, progress: WorkProgress
  ) throws -> Received {
    let address = try client.address(of: content, purchase)
    if let size = content.fileSize, !(1...Self.maximumByteCount).contains(size) {
      throw Untrustworthy(
        "the content of \(purchase.product)",
        "is announced with \(size) bytes, expected 1 to \(Self.maximumByteCount)")
    }
    let path = folder.childPath(Self.partName(of: purchase))
    var record = record(of: purchase).flatMap { $0.isOf(content) && !isAfresh ? $0 : nil }
    record?.imported = nil
    let start = try self.start(content, of: purchase, record)
    if let known = record?.receivedBytes, known == start { return Received(path: path, isContinued: false) }
    if start == 0 { record = nil }
    do {
      do {
        try receive(content, of: purchase, at: address, from: start, record, client, progress)
        return Received(path: path, isContinued: start > 0)
      } catch  where start > 0 && Self.isOfAnother(error) {
        try receive(content, of: purchase, at: address, from: 0, nil, client, progress)
        return Received(path: path, isContinued: false)
      }
    } catch let error as HTTPError {
      throw StoreError(error, "\(address)")
    }
  }

  /// How many bytes of an earlier run can be used.
  private func start(
    _ content: HostedContent, of purchase: HostedPurchase, _ record: DownloadRecord?
  ) throws -> Int64 {
    guard let record, let found = try folder.status(of: Self.partName(of: purchase)), found.kind == .file,
      let size = record.receivedBytes ?? content.fileSize, found.size <= size
    else { return 0 }
    // Where it was not noted that these are all, the last byte is asked for once more, and shows whether they still are.
    return record.receivedBytes == nil ? min(found.size, size - 1) : found.size
  }

  /// Whether an error says that what there is cannot be continued.
  private static func isOfAnother(_ error: any Error) -> Bool {
    switch error {
    case is Changed: true
    case let error as HTTPError: [.rangeIgnored, .wrongAnswer, .status(416)].contains(error.reason)
    default: false
    }
  }

  /// Receives all bytes from `start` on, and notes that all are there.
  private func receive(
    _ content: HostedContent, of purchase: HostedPurchase, at address: HTTPAddress, from start: Int64,
    _ known: DownloadRecord?, _ client: AppStoreClient, _ progress: WorkProgress
  ) throws {
    if let size = content.fileSize, let shortage = try folder.room().shortage(bytes: size - start, files: 2) {
      throw FileError(.write, folder.path, .noSpace, detail: shortage)
    }
    let name = Self.partName(of: purchase)
    if try folder.status(of: name) == nil { try folder.createFile(name, permissions: 0o600).close() }
    var file = try folder.openFile(name, toWriteBehind: start)
    var record = known ?? DownloadRecord(content)
    try keep(record, of: purchase)
    progress.begin(.downloading, purchase.product, totalBytes: content.fileSize ?? 0)
    progress.advance(by: start)
    do {
      try transfer(content, at: address, from: start, client) { head in
        guard known?.tag == nil || head.strongTag == known?.tag else { throw Changed() }
        guard record.tag != head.strongTag else { return }
        record.tag = head.strongTag
        try keep(record, of: purchase)
      } onBytes: { bytes in
        try file.write(bytes)
        progress.advance(by: Int64(bytes.byteCount))
      }
      try file.synchronize()
    } catch {
      try? file.close()  // the error tells more
      throw error
    }
    record.receivedBytes = file.byteCount
    try file.close()
    try keep(record, of: purchase)
  }

  /// Sends requests until all bytes from `start` on have come.
  private func transfer(
    _ content: HostedContent, at address: HTTPAddress, from start: Int64, _ client: AppStoreClient,
    onHead: (HTTPHead) throws -> Void, onBytes: (RawSpan) throws -> Void
  ) throws {
    let most = content.fileSize ?? Self.maximumByteCount
    var missing = most - start
    try withoutActuallyEscaping(onHead) { onHead in
      let reader = HTTPObjectReader(
        start > 0 ? start..<most : nil, of: "\(address)", by: client.http
      ) { range in
        var request = HTTPRequest(.get, address, range: range)
        request.bodyLimit = max(most, Int64(HTTPLimits.errorBytes))
        let answer = try client.http.openFollowing(request)
        guard answer.head.isSuccess else { throw answer.head.error(address, now: client.now()) }
        try Self.check(answer.head, at: address, content)
        try onHead(answer.head)
        return answer
      }
      var block: [UInt8] = []
      while try reader.next(&block) {
        missing -= Int64(block.count)
        guard missing >= 0 else { throw Self.isOfOtherSize("\(address)", nil, content) }
        try onBytes(unsafe block.span.bytes)  // any UInt8 is a byte
      }
    }
    guard content.fileSize == nil || missing == 0 else {
      throw Self.isOfOtherSize("\(address)", most - missing, content)
    }
  }

  /// Refuses a file of another size than was promised before its first byte.
  private static func check(
    _ head: HTTPHead, at address: HTTPAddress, _ content: HostedContent
  ) throws(Untrustworthy) {
    guard let expected = content.fileSize else { return }
    let total = head.status == 206 ? head.contentRange?.total : head.contentLength
    guard total ?? expected == expected else { throw isOfOtherSize("\(address)", total, content) }
  }

  private static func isOfOtherSize(
    _ place: String, _ found: Int64?, _ content: HostedContent
  ) -> Untrustworthy {
    let expected = content.fileSize ?? maximumByteCount
    return Untrustworthy(
      place, "has \(found.map { "\($0)" } ?? "more") bytes, and App Store Connect says \(expected)")
  }
}
