package import SafeFiles
import Support
import Synchronization
import ZipArchive

/// Reads every file of a source once, on several threads. Compares each stream with its header, checks it for code, and
/// passes it to a receiver.
package struct ContentScan {
  /// The threads, cancellation and progress. The progress counts the full size of each file, even if the rules need only a
  /// part of it.
  private let context: WorkContext
  /// The folder for the temporary file of a large archive inside the content.
  private let spoolFolder: String

  /// Creates a scan, which writes temporary files to `spoolFolder`.
  package init(_ context: WorkContext, spoolFolder: String) {
    self.context = context
    self.spoolFolder = spoolFolder
  }

  /// Reads the readable files of `review`. `path` is the path that the progress shows.
  ///
  /// `makeReceiver` creates a receiver for the files of one thread. Without a receiver, files that need no decoding are
  /// read only as far as the rules need.
  ///
  /// - Returns: The findings in the files.
  /// - Throws: The first read error, an error of a receiver, `SourceError` if the source was written since it was opened,
  ///   or `Interruption`. After an error, no thread is still running.
  package func run(
    on review: ContentReview, _ activity: WorkProgress.Activity, _ path: String,
    makeReceiver: (@Sendable () throws -> any ContentReceiver)? = nil
  ) throws -> ScanResult {
    context.progress.begin(activity, path, totalBytes: review.fileBytes)
    let (source, items) = (review.source, review.readableItems)
    let order = source.readingOrder(of: items)
    let found = ScanFindings(BundleRules.evidence(in: items), ignoring: source.ignores)
    let hasFailed = Atomic(false)
    let jobs = order.jobs ?? context.jobs
    let helpers = source.makeHelpers(passParts: order.count)
    // Threads process the indices in order. A thread whose index is beyond the parts helps the threads that still read.
    try WorkerPool.forEach(count: order.count + (helpers == nil ? 0 : jobs - 1), jobs: jobs) {
      let reader = source.makeReader(with: helpers)
      let receiver = try makeReceiver?()
      return { index in
        guard index < order.count else {
          helpers?.help()
          return
        }
        defer { helpers?.passPartEnded() }
        for position in order[index] where !hasFailed.load(ordering: .relaxed) {
          do {
            let file = items[position]
            found.add(try read(file, of: source, with: reader, into: receiver), in: file, at: position)
          } catch {
            hasFailed.store(true, ordering: .relaxed)
            throw error
          }
        }
      }
    }
    if try source.hasChanged() { throw SourceError.changed(source.path) }
    return found.result
  }

  /// The findings of all threads.
  private final class ScanFindings: Sendable {
    private let state: Mutex<(list: FindingList, bundles: BundleEvidence, namedFiles: [UInt32])>

    init(_ bundles: BundleEvidence, ignoring ignores: @escaping @Sendable (Finding) -> Bool) {
      state = Mutex((FindingList(ignoring: ignores), bundles, []))
    }

    func add(_ inspection: FileInspection, in file: ContentItem, at position: Int) {
      if inspection.isEmpty { return }
      let isNamed = inspection.confirmsName(of: file)
      state.withLock { state in
        state.list.add(inspection.findings)
        BundleRules.add(inspection, to: &state.bundles)
        if isNamed { state.namedFiles.append(UInt32(position)) }
      }
    }

    var result: ScanResult {
      state.withLock { state in
        let bundles = BundleRules.findings(of: state.bundles)
        state.list.add(bundles)
        return ScanResult(
          findings: state.list.findings, namedFiles: state.namedFiles.sorted(),
          bundles: bundles.compactMap(\.path))
      }
    }
  }

  private func read(
    _ file: ContentItem, of source: any ContentSource, with reader: any ContentReader,
    into receiver: (any ContentReceiver)?
  ) throws -> FileInspection {
    try context.cancellation.check()
    let inspector = ContentInspector(cancellation: context.cancellation)
    // Without a recorded checksum, only the bytes that the rules require must be read.
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
          unsafe excerpt.update($0.assumingMemoryBound(to: UInt8.self).span)
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

/// The findings of a scan.
package struct ScanResult: Sendable {
  /// The findings in the files, in report order.
  let findings: [Finding]
  /// The indices of the readable files whose content breaks the rule that their name breaks, sorted.
  let namedFiles: [UInt32]
  /// The outermost bundles, sorted by path.
  let bundles: [EntryPath]
}

/// Receives files as they are read; confined to one thread.
package protocol ContentReceiver: AnyObject {
  /// Begins a file. The bytes of the file follow in calls of `receive`.
  func begin(_ item: ContentItem) throws
  /// Receives the next bytes of the file.
  func receive(_ bytes: RawSpan) throws
  /// Ends the file, whose bytes all match its record.
  func end() throws

  /// Reuses a local file with leading bytes of the current file. The receiver still receives these bytes, for checking,
  /// but need not write them.
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
