import ContentPackage
import Delivery
import Logging
import StrictJSON
import Support
import Synchronization

/// The list of products available in the store, regenerated when the catalog changes.
///
/// A client's request fetches only the catalog from the store, and waits no longer than `maximumWait`. Changed release
/// lists are read in the background. Until they are complete, clients get the last complete list.
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
    /// The last catalog that the store sent.
    var catalog: CurrentCatalog?
    /// The time at which the store sent the catalog.
    var checked: ContinuousClock.Instant?
    /// Whether the store answered the last request for the catalog.
    var isStoreAnswering = true
    /// Whether the last attempt to read the release lists succeeded.
    var isReadable = true

    /// Whether the document belongs to the last catalog.
    var isCurrent: Bool { document.map { $0.catalog == catalog?.tag } ?? false }

    /// Records a failure, and returns whether the failure is the first since the last success.
    mutating func noteFailure(_ flag: WritableKeyPath<State, Bool>) -> Bool {
      defer { self[keyPath: flag] = false }
      return self[keyPath: flag]
    }
  }

  /// The release that the list shows for a product.
  private struct ShownRelease {
    /// The digest of the release list.
    let digest: SHA256Digest
    /// The newest release in the stable channel that is not withdrawn; nil if there is none.
    let release: Release?
  }

  /// The time for which a catalog is assumed to be unchanged.
  private static let freshness = Duration.seconds(2)
  /// The maximum wait for the store if there is no older list.
  static let defaultMaximumWait = Duration.milliseconds(1_800)
  /// The maximum wait for the store if an older list can be served.
  private static let maximumWaitWithList = Duration.milliseconds(500)
  /// The number of release lists that are read at the same time.
  private static let jobCount = 4

  private let reader: StoreReader
  private let logger: Logger?
  private let maximumWait: Duration
  private let state = Mutex(State())
  private let shown = Mutex<[ProductIdentifier: ShownRelease]>([:])
  private let catalogRequests: SharedWork
  private let listReads: SharedWork

  init(_ store: any Store, logger: Logger? = nil, maximumWait: Duration = defaultMaximumWait) {
    reader = StoreReader(store)
    self.logger = logger
    self.maximumWait = maximumWait
    catalogRequests = SharedWork(stallTimeout: maximumWait)
    listReads = SharedWork(stallTimeout: maximumWait)
  }

  /// Returns the current list, or the last known one while the store does not answer or release lists are being read.
  ///
  /// - Throws: `Problem` with `.unavailable` if there is no list yet.
  func current() async throws -> Document {
    let hasList = state.withLock { $0.document != nil }
    let limit = hasList ? min(maximumWait, Self.maximumWaitWithList) : maximumWait
    let began = ContinuousClock.now
    if await isAnswering(within: limit), !state.withLock(\.isCurrent) {
      _ = await listReads.result(within: max(limit - (ContinuousClock.now - began), .zero)) {
        self.read()
      } accept: {
        self.accept($0)
      }
    }
    guard let document = state.withLock(\.document) else {
      throw Problem(.unavailable, Problem.noStore)
    }
    return document
  }

  /// Returns whether the store answers.
  func isAnswering() async -> Bool { await isAnswering(within: maximumWait) }

  private func isAnswering(within limit: Duration) async -> Bool {
    let now = ContinuousClock.now
    if state.withLock({ $0.isStoreAnswering && $0.checked.map { now - $0 < Self.freshness } ?? false }) {
      return true
    }
    let isAnswered = await catalogRequests.result(within: limit) {
      self.requestCatalog()
    } accept: {
      self.accept($0)
    }
    if isAnswered { return state.withLock(\.isStoreAnswering) }
    // Only a wait for the full `maximumWait` shows that the store does not answer.
    if limit >= maximumWait, state.withLock({ $0.noteFailure(\.isStoreAnswering) }) {
      logger?.error("the store does not answer")
    }
    return false
  }

  // MARK: The catalog

  private func requestCatalog() -> Result<CurrentCatalog, any Error> { Result { try catalog() } }

  private func catalog() throws -> CurrentCatalog {
    // A folder without a catalog may be a mount point whose disk is not mounted.
    guard let current = try reader.catalog() else { throw Problem(.unavailable, "it has no catalog") }
    return current
  }

  /// Records the response to a catalog request, and begins to read the release lists of a new catalog.
  private func accept(_ response: Result<CurrentCatalog, any Error>) {
    switch response {
    case .success(let catalog):
      let (wasUnavailable, isCurrent) = state.withLock { state in
        defer { state.isStoreAnswering = true }
        state.catalog = catalog
        state.checked = .now
        return (!state.isStoreAnswering, state.isCurrent)
      }
      if wasUnavailable { logger?.notice("the store answers again") }
      if !isCurrent { listReads.begin({ self.read() }, accept: { self.accept($0) }) }
    case .failure(let error): note(error, \.isStoreAnswering)
    }
  }

  /// Logs an error, unless the previous attempt failed too.
  private func note(_ error: any Error, _ flag: WritableKeyPath<State, Bool>) {
    guard state.withLock({ $0.noteFailure(flag) }) else { return }
    logger?.error("\(Problem.noStore)", metadata: ["reason": "\(CommandFailure(error).description)"])
  }

  // MARK: The release lists

  /// Reads the release lists of the last catalog and returns the list of products.
  private func read() -> Result<Document, any Error> {
    Result { try document(of: try state.withLock(\.catalog) ?? catalog()) }
  }

  private func accept(_ list: Result<Document, any Error>) {
    switch list {
    case .success(let document):
      let wasUnreadable = state.withLock { state in
        defer { state.isReadable = true }
        state.document = document
        return !state.isReadable
      }
      if wasUnreadable { logger?.notice("the products of the store can be read again") }
    case .failure(let error): note(error, \.isReadable)
    }
  }

  /// Reads the catalog and returns its list of products.
  ///
  /// - Throws: `StoreError`, `IntegrityError` or `SourceError` if the catalog or a release list cannot be read;
  ///   `Problem` if the store has no catalog.
  func document() throws -> Document { try document(of: try catalog()) }

  /// Returns the list of products of a catalog. Reads only changed release lists.
  private func document(of current: CurrentCatalog) throws -> Document {
    let products = current.catalog.products
    let names = products.keys.sorted { $0.text < $1.text }
    while true {
      let (changed, releases) = shown.withLock { shown in
        shown = shown.filter { products[$0.key] != nil }
        let changed = names.filter { shown[$0]?.digest != products[$0]?.releases.digest }
        return (changed, names.map { ($0, shown[$0]?.release) })
      }
      guard !changed.isEmpty else {
        let bytes = Self.bytes(releases)
        let tag = "\"\(SHA256Digest(of: bytes).hexadecimal.prefix(32))\""
        return Document(bytes: bytes, tag: tag, products: Set(names.map(\.text)), catalog: current.tag)
      }
      try OrderedWork.run(count: changed.count, jobs: Self.jobCount, capacity: .max) { _ in
        1
      } makeWork: {
        { try self.read(changed[$0], in: current.catalog) }
      } receive: { _, _ in
      }
    }
  }

  private func read(_ product: ProductIdentifier, in catalog: Catalog) throws {
    guard let digest = catalog.products[product]?.releases.digest else { return }
    let release = try reader.releases(of: product, in: catalog)?.newest(in: .stable, withdrawn: false)
    shown.withLock { $0[product] = ShownRelease(digest: digest, release: release) }
    listReads.noteProgress()
  }

  /// Serializes the products that have a release.
  private static func bytes(_ products: [(ProductIdentifier, Release?)]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.key("products")
      $0.array { list in
        for (product, release) in products {
          guard let release else { continue }
          list.object {
            $0.member("productId", product.text)
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

  /// Writes the languages of the notes, and the paths of their texts below `/v1/store/`.
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
