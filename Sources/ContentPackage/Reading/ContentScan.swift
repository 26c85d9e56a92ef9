package import SafeFiles
import Support
import Synchronization
import ZipArchive

/// Reads every file of a source once, on several threads. Each stream is compared with its header, checked
/// for code, and passed on to a receiver.
package struct ContentScan {
  /// Its progress counts the bytes of the files that were read, or checked as far as the rules need.
  private let context: WorkContext
  /// The folder of the file that holds a large archive inside the content while it is checked.
  private let spoolFolder: String

  package init(_ context: WorkContext, spoolFolder: String) {
    self.context = context
    self.spoolFolder = spoolFolder
  }

  /// Reads the readable files of `review`. `path` is the path for the progress.
  ///
  /// `makeReceiver` makes a receiver for the files of one thread, or returns nil. Without a receiver, files
  /// that need no decoding are read only as far as the rules need.
  ///
  /// - Returns: The findings, in no particular order.
  /// - Throws: The first read error, an error of a receiver, `SourceError` if the source was written meanwhile, or
  ///   `Interruption`; all threads have ended.
  package func run(
    on review: ContentReview, _ activity: WorkProgress.Activity, _ path: String,
    makeReceiver: (@Sendable () throws -> any ContentReceiver)? = nil
  ) throws -> [Finding] {
    context.progress.begin(activity, path, totalBytes: review.fileBytes)
    let (source, items) = (review.source, review.readableItems)
    let order = source.readingOrder(of: items)
    let found = ScanFindings(BundleRules.evidence(in: items), ignoring: source.ignores)
    let hasFailed = Atomic(false)
    let jobs = order.jobs ?? context.jobs
    let helpers = source.makeHelpers(passParts: order.count)
    // Threads take the numbers in order, so a thread without a part helps the others, which have all parts.
    try WorkerPool.forEach(count: order.count + (helpers == nil ? 0 : jobs - 1), jobs: jobs) {
      let reader = source.makeReader(with: helpers)
      let receiver = try makeReceiver?()
      return { number in
        guard number < order.count else {
          helpers?.help()
          return
        }
        defer { helpers?.passPartEnded() }
        for position in order[number] where !hasFailed.load(ordering: .relaxed) {
          do {
            found.add(try read(items[position], of: source, with: reader, into: receiver))
          } catch {
            hasFailed.store(true, ordering: .relaxed)
            throw error
          }
        }
      }
    }
    if try source.hasChanged() { throw SourceError.changed(source.path) }
    return found.all
  }

  /// The findings of all threads of a pass.
  private final class ScanFindings: Sendable {
    private let state: Mutex<(list: FindingList, bundles: BundleEvidence)>

    init(_ bundles: BundleEvidence, ignoring ignores: @escaping @Sendable (Finding) -> Bool) {
      state = Mutex((FindingList(ignoring: ignores), bundles))
    }

    func add(_ inspection: FileInspection) {
      if inspection.isEmpty { return }
      state.withLock { state in
        state.list.add(inspection.findings)
        BundleRules.note(inspection, in: &state.bundles)
      }
    }

    var all: [Finding] {
      state.withLock { state in
        state.list.add(BundleRules.findings(of: state.bundles))
        return state.list.findings
      }
    }
  }

  private func read(
    _ file: ContentItem, of source: any ContentSource, with reader: any ContentReader,
    into receiver: (any ContentReceiver)?
  ) throws -> FileInspection {
    try context.cancellation.check()
    let inspector = ContentInspector(cancellation: context.cancellation)
    // A file without a recorded checksum needs to be read only as far as the rules look.
    if receiver == nil, source.recordedChecksum(of: file) == nil, let data = try reader.data(of: file) {
      defer { context.progress.advance(by: file.size) }
      return try inspector.inspect(file, try FileExcerpt.read(data, context.cancellation)) { data }
    }
    var excerpt = FileExcerpt(size: file.size)
    do {
      try receiver?.begin(file)
      try reader.read(file) {
        try receiver?.place($0)
      } _: { block in
        try context.cancellation.check()
        unsafe block.withUnsafeBytes {
          unsafe excerpt.take($0.assumingMemoryBound(to: UInt8.self).span)
        }
        try receiver?.receive(block)
        context.progress.advance(by: Int64(block.byteCount))
      }
      try receiver?.end()
      return try inspector.inspect(file, excerpt) {
        try receiver?.received() ?? allBytes(of: file, with: reader)
      }
    } catch let wrong as any WrongContent {
      try receiver?.discard()
      guard let error = wrong as? ContentError else { throw wrong }
      return FileInspection(findings: [error.finding])
    }
  }

  /// Returns random access to the bytes of a file: a deflated file is decoded again and spooled.
  private func allBytes(of file: ContentItem, with reader: any ContentReader) throws -> any ByteSource {
    if let data = try reader.data(of: file) { return data }
    let buffer = SpoolBuffer(folder: spoolFolder)
    try reader.read(file) { block in
      try context.cancellation.check()
      try buffer.append(block)
    }
    return try buffer.finish()
  }
}

/// Receives files as they are read; confined to one thread.
package protocol ContentReceiver: AnyObject {
  func begin(_ item: ContentItem) throws
  func receive(_ bytes: RawSpan) throws
  func end() throws

  /// Reuses a file that has the first bytes of the current file, or all. Those bytes are received again for checking,
  /// but need not be written.
  ///
  /// - Returns: The reused file; nil if the receiver keeps none.
  func place(_ file: PresentFile) throws -> InputFile?

  /// Discards the received bytes of the current file.
  func discard() throws

  /// Returns the bytes of the file that ended last, if the receiver keeps them.
  func received() throws -> (any ByteSource)?
}

extension ContentReceiver {
  package func place(_ file: PresentFile) throws -> InputFile? { nil }
  package func discard() throws {}
  package func received() throws -> (any ByteSource)? { nil }
}
