import ContentPackage
import Delivery
import Logging
import Support
import Synchronization

/// The list of products that can be fetched from the store, made again when the catalog changes.
///
/// One thread at a time reads the store, however many requests wait for it, and none of them waits longer than its patience:
/// a bucket that hangs does not hold up other requests.
final class ProductList: Sendable {
  /// The document, and its tag.
  struct Document: Sendable {
    let bytes: [UInt8]
    let tag: String
    /// The identifiers of all products of the catalog, also of those that cannot be fetched.
    let products: Set<String>
    /// nil without a catalog.
    fileprivate let catalog: ObjectTag?

    /// Whether anything was ever published.
    var hasCatalog: Bool { catalog != nil }
  }

  private struct State {
    var document: Document?
    /// When the document was found to be current.
    var checked: ContinuousClock.Instant?
    /// When the thread began that reads the store now.
    var reading: ContinuousClock.Instant?
    /// Whether the store answered last.
    var answers = true
    var waiting: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    var lastWaiting: UInt64 = 0
  }

  /// How long a catalog is believed not to have changed.
  private static let freshness = Duration.seconds(2)
  /// How long a request waits for the store, and how long if there is an older list to answer with.
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

  /// The list as it is now, or as it was last while the store does not answer.
  ///
  /// - Throws: `Problem` with `.unavailable` if the store does not answer and never did.
  func current() async throws -> Document {
    let hasList = state.withLock { $0.document != nil }
    _ = await isCurrent(within: hasList ? min(patience, Self.patienceWithList) : patience)
    guard let document = state.withLock(\.document) else {
      throw Problem(.unavailable, Problem.noStore)
    }
    return document
  }

  /// Whether the store answers.
  func isAnswering() async -> Bool { await isCurrent(within: patience) }

  /// Waits until the list is current.
  ///
  /// - Returns: false if the store cannot be read, or not in time.
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
      finish(nil, (error as? StoreError)?.message)
    }
  }

  /// Answers all that wait for the store, with a list or for want of one.
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
      let reason = String(displaying: (reason ?? "it cannot be read").utf8)
      logger?.error("the store does not answer", metadata: ["reason": "\(reason)"])
    }
    for continuation in waiting.values { continuation.resume(returning: document != nil) }
  }

  private func document() throws -> Document {
    guard let current = try reader.catalog() else {
      return Document(bytes: Self.bytes([]), tag: "\"none\"", products: [], catalog: nil)
    }
    if let known = state.withLock(\.document), known.catalog == current.tag { return known }
    let names = current.catalog.products.keys.sorted { $0.text < $1.text }
    let bytes = Self.bytes(try names.compactMap { try reader.releases(of: $0, in: current.catalog) })
    let tag = "\"\(SHA256Digest(of: bytes).hexadecimal.prefix(32))\""
    return Document(bytes: bytes, tag: tag, products: Set(names.map(\.text)), catalog: current.tag)
  }

  /// The products of which the stable channel has a release that was not withdrawn.
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
            $0.member("packageBytes", release.package.byteCount)
            $0.member("contentBytes", release.contentBytes)
            $0.member("files", release.files)
          }
        }
      }
    }
    return writer.line()
  }
}
