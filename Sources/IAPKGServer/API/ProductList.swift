import ContentPackage
import Delivery
import Logging
import StrictJSON
import Support
import Synchronization

/// The list of products available in the store, regenerated when the catalog changes.
///
/// Only one thread at a time reads the store, however many requests wait. Each request waits for at most its patience,
/// so that an unresponsive bucket does not block other requests.
final class ProductList: Sendable {
  /// The document and its tag.
  struct Document: Sendable {
    let bytes: [UInt8]
    let tag: String
    /// The identifiers of all products in the catalog, including those without an available release.
    let products: Set<String>
    /// The tag of the catalog.
    fileprivate let catalog: ObjectTag?
  }

  private struct State {
    var document: Document?
    /// The time of the last successful check of the document.
    var checked: ContinuousClock.Instant?
    /// The time at which the current read of the store began.
    var reading: ContinuousClock.Instant?
    /// Whether the last read of the store succeeded.
    var answers = true
    var waiting: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    var lastWaiting: UInt64 = 0
  }

  /// The time for which a catalog is assumed to be unchanged.
  private static let freshness = Duration.seconds(2)
  /// The maximum wait for the store, without and with an older list to fall back on.
  static let defaultPatience = Duration.milliseconds(1_800)
  private static let patienceWithList = Duration.milliseconds(500)

  private let reader: StoreReader
  private let logger: Logger?
  private let patience: Duration
  private let state = Mutex(State())

  init(_ store: any Store, logger: Logger? = nil, patience: Duration = defaultPatience) {
    reader = StoreReader(store)
    self.logger = logger
    self.patience = patience
  }

  /// Returns the current list, or the last known one while the store does not answer.
  ///
  /// - Throws: `Problem` with `.unavailable` if the store has never answered.
  func current() async throws -> Document {
    let hasList = state.withLock { $0.document != nil }
    _ = await isCurrent(within: hasList ? min(patience, Self.patienceWithList) : patience)
    guard let document = state.withLock(\.document) else {
      throw Problem(.unavailable, Problem.noStore)
    }
    return document
  }

  /// Returns whether the store answers.
  func isAnswering() async -> Bool { await isCurrent(within: patience) }

  /// Waits until the list is current.
  ///
  /// - Returns: Whether the list is current; false if the store cannot be read in time.
  private func isCurrent(within patience: Duration) async -> Bool {
    let now = ContinuousClock.now
    if state.withLock({ $0.answers && $0.checked.map { now - $0 < Self.freshness } ?? false }) { return true }
    return await withCheckedContinuation { continuation in
      let (waiter, begins, left) = state.withLock { state in
        state.lastWaiting += 1
        state.waiting[state.lastWaiting] = continuation
        let begins = state.reading == nil
        if begins { state.reading = now }
        return (state.lastWaiting, begins, patience - (now - (state.reading ?? now)))
      }
      if begins, BackgroundThread.start({ self.read() }) == nil { finish(nil) }
      Task {
        try? await Task.sleep(for: max(left, .zero))
        self.giveUp(waiter)
      }
    }
  }

  private func giveUp(_ waiter: UInt64) {
    let (continuation, isNews) = state.withLock { state in
      let continuation = state.waiting.removeValue(forKey: waiter)
      let isNews = continuation != nil && state.answers
      if isNews { state.answers = false }
      return (continuation, isNews)
    }
    if isNews { logger?.error("the store does not answer") }
    continuation?.resume(returning: false)
  }

  private func read() {
    do {
      finish(try self.document())
    } catch {
      finish(nil, CommandFailure(error).description)
    }
  }

  /// Resumes all requests that wait for the store, with or without a list.
  private func finish(_ document: Document?, _ reason: String? = nil) {
    let (waiting, hasChanged) = state.withLock { state in
      let hasChanged = state.answers != (document != nil)
      state.answers = document != nil
      state.reading = nil
      if let document {
        state.document = document
        state.checked = .now
      }
      defer { state.waiting = [:] }
      return (state.waiting, hasChanged)
    }
    if hasChanged, document != nil { logger?.notice("the store answers again") }
    if hasChanged, document == nil {
      logger?.error("\(Problem.noStore)", metadata: ["reason": "\(reason ?? "the system grants no thread")"])
    }
    for continuation in waiting.values { continuation.resume(returning: document != nil) }
  }

  /// Returns the list of the current catalog; the last one if the catalog has not changed.
  ///
  /// - Throws: `StoreError`, `IntegrityError`, `SourceError`; `Problem` if the store has no catalog.
  func document() throws -> Document {
    // A folder without a catalog may be one where a disk is not mounted.
    guard let current = try reader.catalog() else { throw Problem(.unavailable, "it has no catalog") }
    if let known = state.withLock(\.document), known.catalog == current.tag { return known }
    let names = current.catalog.products.keys.sorted { $0.text < $1.text }
    let bytes = Self.bytes(try names.compactMap { try reader.releases(of: $0, in: current.catalog) })
    let tag = "\"\(SHA256Digest(of: bytes).hexadecimal.prefix(32))\""
    return Document(bytes: bytes, tag: tag, products: Set(names.map(\.text)), catalog: current.tag)
  }

  /// Serializes the products that have a release in the stable channel that is not withdrawn.
  private static func bytes(_ products: [ProductReleases]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.key("products")
      $0.array { list in
        for product in products {
          guard let release = product.newest(in: .stable, withdrawn: false) else { continue }
          list.object {
            $0.member("productId", product.productIdentifier.text)
            $0.member("contentVersion", release.contentVersion.text)
            $0.member("minimumAppVersion", release.minimumAppVersion?.text)
            $0.member("maximumAppVersion", release.maximumAppVersion?.text)
            $0.member("packageBytes", release.package.byteCount)
            $0.member("contentBytes", release.contentBytes)
            $0.member("files", release.files)
            if let rollout = release.rollout {
              $0.key("rollout")
              rollout.write(to: &$0)
            }
            write(release.notes, to: &$0)
            write(release.metadata, to: &$0)
          }
        }
      }
    }
    return writer.line()
  }

  /// Writes the languages of the notes, and the paths under `/v1/store/` of their texts.
  private static func write(_ notes: [ReleaseNote], to writer: inout JSONWriter) {
    writer.key("notes")
    writer.array { list in
      for note in notes {
        list.object {
          $0.member("language", note.language.text)
          $0.member("type", note.format.rawValue)
          $0.member("bytes", note.object.byteCount)
          $0.member("path", note.object.path.text)
        }
      }
    }
  }

  private static func write(_ metadata: ReleaseMetadata, to writer: inout JSONWriter) {
    writer.key("metadata")
    writer.object {
      for (key, value) in metadata.values.sorted(by: { $0.key < $1.key }) { $0.member(key, value) }
    }
  }
}
