import ContentPackage
import SafeFiles
import StrictJSON
import Support
import ZipArchive

/// The index of a release, and the bytes that were requested for it.
struct ReceivedIndex: Sendable {
  let index: PagedIndex
  /// The number of bytes of the head and of the missing pages. The number does not depend on the connection, unlike
  /// `receivedBytes`, which may count all pages.
  let missingBytes: Int64
  let receivedBytes: Int64
}

// The index of a release: its head, and the pages that are not present locally.
extension StoreReader {
  /// Reads the index of a release, and passes its entries to `body`.
  ///
  /// - Returns: The head of the index.
  /// - Throws: `IntegrityError`, `StoreError`, `FileError` if the disk is full.
  @discardableResult
  func readIndex(
    of release: Release, _ body: (IndexEntry) throws(DocumentError) -> Void
  ) throws -> IndexHead {
    let index = try index(of: release).index
    try read(index, of: release, body)
    return index.head
  }

  /// Passes the entries of an index to `body`.
  func read(
    _ index: PagedIndex, of release: Release, _ body: (IndexEntry) throws(DocumentError) -> Void
  ) throws {
    try reading(release.pages.path) { () throws(DocumentError) in
      try index.read(packageBytes: release.package.byteCount, body)
    }
  }

  /// Reads the index of a release. Requests the pages that `kept` lacks by ranges, or all in one request if that is
  /// faster.
  ///
  /// - Throws: The errors of `readIndex`.
  func index(of release: Release, reusing kept: KeptIndex = .none) throws -> ReceivedIndex {
    let bytes = try copy(of: release.index)
    let head = try reading(release.index.path) { () throws(DocumentError) in
      try IndexHead(
        bytes: bytes, packageBytes: release.package.byteCount, pageBytes: release.pages.byteCount)
    }
    let missing = head.pages.indices.filter { kept.bytes(of: head.pages[$0]) == nil }.map { UInt32($0) }
    let plan = head.plan(of: missing)
    var pages: (source: any ByteSource, receivedBytes: Int64)?
    if missing.count < head.pages.count, !prefersOneRequest(release.pages, to: plan) {
      do {
        pages = (try self.pages(of: head, at: release.pages, plan, reusing: kept), plan.bytes)
      } catch let error as StoreError where error.reason == .rangeIgnored {}
    }
    let (source, receivedBytes) = try pages ?? (copy(of: release.pages), release.pages.byteCount)
    return ReceivedIndex(
      index: PagedIndex(head: head, pages: source), missingBytes: release.index.byteCount + plan.bytes,
      receivedBytes: release.index.byteCount + receivedBytes)
  }

  private func prefersOneRequest(_ pages: ObjectReference, to plan: TransferPlan) -> Bool {
    store.connections.map {
      connection.estimate.prefersOneRequest(
        pages.byteCount, to: plan.bytes, requests: plan.runs.count, connections: $0)
    } ?? false
  }

  /// Returns all pages: those of the plan from the store, the others from `kept`.
  private func pages(
    of head: IndexHead, at reference: ObjectReference, _ plan: TransferPlan, reusing kept: KeptIndex
  ) throws -> any ByteSource {
    let received = try WorkerPool.collect(count: plan.runs.count, jobs: store.connections ?? 1) {
      { index in
        let run = plan.runs[index]
        let bytes = try repeating { try self.bytes(of: run, in: plan, of: head, at: reference, in: $0) }
        return plan.parts[run.parts].map { page in
          let range = page.range
          return (
            page: Int(page.entry),
            bytes: Array(bytes[Int(range.lowerBound - run.range.lowerBound)...].prefix(range.count))
          )
        }
      }
    }
    var next = received.sorted { $0.page < $1.page }[...]
    let buffer = SpoolBuffer(folder: FileSystem.temporaryFolder)
    for (index, page) in head.pages.enumerated() {
      if next.first?.page == index {
        let bytes = next.removeFirst().bytes
        try buffer.append(unsafe bytes.borrowedSpan.bytes)  // UInt8 has no padding
      } else {
        guard let bytes = kept.bytes(of: page) else { throw SourceError.changed(kept.name) }
        try buffer.append(unsafe bytes.borrowedSpan.bytes)
      }
    }
    return try buffer.finish()
  }

  /// Requests a range of the pages, and verifies the wanted ones.
  ///
  /// - Throws: `DamagedDocument` if a page does not match its digest in the head.
  private func bytes(
    of run: TransferPlan.Run, in plan: TransferPlan, of head: IndexHead, at reference: ObjectReference,
    in store: any Store
  ) throws -> [UInt8] {
    let place = place(of: reference.path)
    var bytes: [UInt8] = []
    meter.addRequest()
    let reader = try store.open(reference.path, range: run.range, byteCount: reference.byteCount)
    var block: [UInt8] = []
    do {
      while try reader.next(&block) {
        meter.add(block.count)
        bytes += block
        guard bytes.count <= run.range.count else { break }
      }
    } catch let error as StoreError where error.reason == .missing {
      throw Self.missing(place)
    }
    for page in plan.parts[run.parts] {
      let range = page.range
      let start = Int(range.lowerBound - run.range.lowerBound)
      guard bytes.count == run.range.count,
        SHA256Digest(of: Array(bytes[start..<start + range.count])) == head.pages[Int(page.entry)].digest
      else {
        throw DamagedDocument(Self.encodingError(place, reader.contentEncoding) ?? Self.digestMismatch(place))
      }
    }
    return bytes
  }
}
