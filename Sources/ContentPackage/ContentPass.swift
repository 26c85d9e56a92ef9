package import SafeFiles

/// Reads every file of a source once, on several threads: each stream is counted, checked against its record
/// and looked at for code, and handed on to whoever wants it.
struct ContentPass {
  /// How many threads read.
  let jobs: Int
  let cancellation: Cancellation
  /// Counts the bytes of the files that were read, or looked at as far as the rules do.
  let progress: WorkProgress
  /// Where a large archive inside the content is put while it is looked into.
  let spoolFolder: String

  /// Files of this size and more are read first.
  private static let largeSize = 1 << 20

  /// The order in which files are read: large ones first, so that no thread is left alone with one at the end; then
  /// the others as they come, which is folder by folder.
  private static func order(of items: [ContentItem]) -> [Int] {
    let files = items.indices.filter { items[$0].kind == .file }
    let large = files.filter { items[$0].size >= largeSize }.sorted { items[$0].size > items[$1].size }
    return large + files.filter { items[$0].size < largeSize }
  }

  /// Reads the files of `review`, as far as they may be read; `path` is what progress names.
  ///
  /// `makeReceiver` makes what one thread's files are handed on to; nil if nobody wants them, and then files that
  /// need no decoding are read only as far as the rules look.
  ///
  /// - Returns: what was found, in no order.
  /// - Throws: the first failure to read, what a receiver threw, or `Interruption`; no thread is left running.
  func run(
    on review: ContentReview, _ activity: WorkProgress.Activity, _ path: String,
    makeReceiver: (@Sendable () throws -> any ContentReceiver)? = nil
  ) throws -> [Finding] {
    progress.begin(activity, path, totalBytes: review.fileBytes)
    let (source, items) = (review.source, review.readableItems)
    let order = Self.order(of: items)
    return try WorkerPool.collect(count: order.count, jobs: jobs) {
      let reader = source.makeReader()
      let receiver = try makeReceiver?()
      return { try read(items[order[$0]], of: source.kind, with: reader, into: receiver) }
    }
  }

  private func read(
    _ file: ContentItem, of kind: ContentKind, with reader: any ContentReader,
    into receiver: (any ContentReceiver)?
  ) throws -> [Finding] {
    try cancellation.check()
    if receiver == nil, kind == .folder, let data = try reader.data(of: file) {
      defer { progress.advance(by: file.size) }
      return try ContentInspector.findings(for: file, in: data, cancellation)
    }
    var inspector = ContentInspector(file, spoolFolder: spoolFolder, cancellation: cancellation)
    do {
      try receiver?.begin(file)
      try reader.read(file) { block in
        try cancellation.check()
        try inspector.consume(block)
        try receiver?.receive(block)
        progress.advance(by: Int64(block.byteCount))
      }
      try receiver?.end()
      return try inspector.finish()
    } catch let damage as ContentDamage {
      return [damage.finding]
    }
  }
}

/// Takes files as they are read; belongs to one thread.
package protocol ContentReceiver: AnyObject {
  func begin(_ item: ContentItem) throws
  func receive(_ bytes: RawSpan) throws
  func end() throws
}

/// The work was asked to stop, and has taken back what it had begun.
public struct Interruption: Error {}

extension Cancellation {
  package func check() throws(Interruption) { if isCancelled { throw Interruption() } }
}
