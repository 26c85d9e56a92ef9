package import SafeFiles
import Synchronization

/// Reads every file of a source once, on several threads: each stream is counted, checked against its record
/// and looked at for code, and handed on to whoever wants it.
package struct ContentPass {
  package let source: any ContentSource
  /// How many threads read.
  package let jobs: Int
  package let cancellation: Cancellation
  /// Counts the bytes of the files that were read, or looked at as far as the rules do.
  package let progress: WorkProgress
  /// Where a large archive inside the content is put while it is looked into.
  package let spoolFolder: String

  package init(
    source: any ContentSource, jobs: Int, cancellation: Cancellation, progress: WorkProgress,
    spoolFolder: String
  ) {
    self.source = source
    self.jobs = jobs
    self.cancellation = cancellation
    self.progress = progress
    self.spoolFolder = spoolFolder
  }

  private struct State {
    var next = 0
    var findings: [Finding] = []
    var failure: (any Error)?

    /// The next file that nobody has taken; nil at the end, or once something failed.
    mutating func claim(from order: [Int]) -> Int? {
      guard failure == nil, next < order.count else { return nil }
      next += 1
      return order[next - 1]
    }
  }

  /// Files of this size and more are read first.
  private static let largeSize = 1 << 20

  /// The order in which files are read: large ones first, so that no thread is left alone with one at the end; then
  /// the others as they come, which is folder by folder.
  private static func order(of items: [ContentItem]) -> [Int] {
    let files = items.indices.filter { items[$0].kind == .file }
    let large = files.filter { items[$0].size >= largeSize }.sorted { items[$0].size > items[$1].size }
    return large + files.filter { items[$0].size < largeSize }
  }

  /// Reads the files among `items`.
  ///
  /// `makeReceiver` makes what one thread's files are handed on to; nil if nobody wants them, and then files that
  /// need no decoding are read only as far as the rules look.
  ///
  /// - Returns: what was found, in no order.
  /// - Throws: the first failure to read, what a receiver threw, or `Interruption`; no thread is left running.
  package func run(
    _ items: [ContentItem], makeReceiver: (@Sendable () throws -> any ContentReceiver)? = nil
  ) throws -> [Finding] {
    let state = Mutex(State())
    let order = Self.order(of: items)
    WorkerPool.run(count: min(jobs, order.count)) { _ in
      do {
        let reader = source.makeReader()
        let receiver = try makeReceiver?()
        while let index = state.withLock({ $0.claim(from: order) }) {
          let findings = try read(items[index], with: reader, into: receiver)
          if !findings.isEmpty { state.withLock { $0.findings += findings } }
        }
      } catch {
        state.withLock { if $0.failure == nil { $0.failure = error } }
      }
    }
    return try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.findings
    }
  }

  private func read(
    _ file: ContentItem, with reader: any ContentReader, into receiver: (any ContentReceiver)?
  ) throws -> [Finding] {
    try cancellation.check()
    if receiver == nil, source.kind == .folder, let data = try reader.data(of: file) {
      defer { progress.advance(by: file.size) }
      return try ContentInspector.findings(for: file, in: data)
    }
    var inspector = ContentInspector(file, spoolFolder: spoolFolder)
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
