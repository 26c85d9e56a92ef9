package import ContentPackage
import HTTPTransport
import SafeFiles
import StrictJSON
import Support
import Synchronization
import ZipArchive

/// Reads the documents of a store, and verifies each against its reference before use.
package struct StoreReader: Sendable {
  package let store: any Store
  /// The keys of which one must have signed the catalog; nil to accept any signature or none.
  let trusted: TrustedKeys?
  /// The meter of the requests and bytes of documents.
  package let meter = TransferMeter()
  /// The last catalog read.
  private let last: LastCatalog
  /// Whether this reader and those derived from it reuse the last catalog.
  private let reusesCatalog: Bool
  /// Verified documents, loaded in advance.
  let preloaded = PreloadedDocuments()
  /// The trust documents read so far.
  let trustDocuments: KnownTrustDocuments
  /// The estimate of request costs, updated by each document request.
  let connection: SharedConnectionEstimate

  /// Whether a trusted key must have signed the catalog.
  var requiresKey: Bool { trusted != nil }

  /// Creates a reader without contacting the store. `trusted` names the keys or the trust document that must accept the
  /// catalog; nil to accept any signature or none.
  package init(_ store: any Store, trusting trusted: TrustedKeys? = nil) {
    self.init(
      store, trusting: trusted, LastCatalog(), KnownTrustDocuments(), reusesCatalog: false,
      SharedConnectionEstimate())
  }

  private init(
    _ store: any Store, trusting trusted: TrustedKeys?, _ last: LastCatalog,
    _ trustDocuments: KnownTrustDocuments, reusesCatalog: Bool, _ connection: SharedConnectionEstimate
  ) {
    self.store = store
    self.trusted = trusted
    self.last = last
    self.trustDocuments = trustDocuments
    self.reusesCatalog = reusesCatalog
    self.connection = connection
  }

  /// Returns a reader of the same store with a new meter.
  package func withFreshMeter() -> StoreReader {
    StoreReader(store, trusting: trusted, last, trustDocuments, reusesCatalog: reusesCatalog, connection)
  }

  /// Returns a reader of the same store with a new meter. This reader and those derived from it read the catalog only
  /// once.
  package func sharingCatalog() -> StoreReader {
    StoreReader(
      store, trusting: trusted, LastCatalog(), KnownTrustDocuments(), reusesCatalog: true, connection)
  }

  /// Discards the cached catalog.
  func forgetCatalog() { last.result.withLock { $0 = nil } }

  /// Reads the catalog again, bypassing caches; readers that share the catalog use the new one.
  ///
  /// - Returns: The catalog; nil if the store has none.
  func catalogBypassingCaches() throws -> CurrentCatalog? {
    let reader = StoreReader(
      store.bypassingCaches ?? store, trusting: trusted, last, trustDocuments, reusesCatalog: false,
      connection)
    defer { meter.add(reader.meter) }
    return try reader.catalog()
  }

  /// Returns a catalog with a higher sequence number than the given one, or than the last catalog read; nil if the store
  /// has none. Reads the catalog again unless the last one read has such a number.
  func newerCatalog(than sequence: Int64? = nil) throws -> CurrentCatalog? {
    guard case .success(let known) = last.result.withLock(\.self) else { return nil }
    let sequence = sequence ?? known.catalog.sequence
    if known.catalog.sequence > sequence { return known }
    return try catalogBypassingCaches().flatMap { $0.catalog.sequence > sequence ? $0 : nil }
  }

  /// Performs `work` with the current catalog. If an object is missing, and the store has a newer catalog, performs
  /// `work` again with it: `prune` deletes objects that only an earlier catalog refers to.
  ///
  /// - Throws: The errors of `requiredCatalog` and of `work`.
  func withCatalog<Result>(_ work: (CurrentCatalog) throws -> Result) throws -> Result {
    let current = try requiredCatalog()
    do {
      return try work(current)
    } catch let error as StoreError where error.reason == .missing {
      guard let newer = try newerCatalog(than: current.catalog.sequence) else { throw error }
      return try work(newer)
    }
  }

  /// Reads the current catalog.
  ///
  /// - Returns: The catalog; nil if the store has none.
  /// - Throws: `IntegrityError`, `StoreError`.
  package func catalog() throws -> CurrentCatalog? { try catalogDocument()?.current }

  /// Reads the current catalog, with the bytes of `catalog.json`.
  ///
  /// - Returns: The catalog and its bytes; nil if the store has none.
  /// - Throws: `IntegrityError`, `StoreError`.
  func catalogDocument() throws -> (current: CurrentCatalog, bytes: [UInt8])? {
    let place = place(of: .catalog)
    trustDocuments.forgetMissing()
    let document: (current: CurrentCatalog, bytes: [UInt8])? = try repeating { store in
      guard let object = try object(at: .catalog, in: store, limit: DocumentLimits.maximumCatalogBytes) else {
        return nil
      }
      do throws(IntegrityError) {
        return (try CurrentCatalog(object, place: place), object.bytes)
      } catch {
        if WebPage.begins(with: object.bytes) {
          throw DamagedDocument(
            StoreError(
              .invalidResponse, place, WebPage.message(at: place, expected: StorePath.kind(ofObjectAt: place))
            ))
        }
        throw DamagedDocument(Self.encodingError(place, object.encoding) ?? error)
      }
    }
    // A valid signature by another key is not damage.
    if let trusted, let document { try check(document.current, by: trusted) }
    if let document { last.result.withLock { $0 = .success(document.current) } }
    return document
  }

  /// Returns the current catalog, which must exist.
  ///
  /// - Throws: `PublishingError.noCatalog`, `IntegrityError`, `StoreError`.
  package func requiredCatalog() throws -> CurrentCatalog {
    if reusesCatalog, let known = last.result.withLock(\.self) { return try known.get() }
    do {
      guard let current = try catalog() else { throw PublishingError.noCatalog(store: store.name) }
      return current
    } catch let error as StoreError where error.reason == .unreachable {
      // Each further reader would wait for the same retries.
      last.result.withLock { $0 = .failure(error) }
      throw error
    }
  }

  /// Reads the releases of a product, and verifies that no rollout begins after the catalog was published.
  ///
  /// - Returns: The releases; nil if the catalog lacks the product.
  /// - Throws: `IntegrityError`, `StoreError`.
  package func releases(of product: ProductIdentifier, in catalog: Catalog) throws -> ProductReleases? {
    guard let entry = catalog.products[product] else { return nil }
    let bytes = try bytes(of: entry.releases)
    return try reading(entry.releases.path) { () throws(DocumentError) in
      let releases = try ProductReleases(bytes: bytes, of: product)
      for release in releases.releases {
        guard let since = release.rollout?.since, since > catalog.published else { continue }
        throw DocumentError(
          "the rollout of version \(release.contentVersion) begins at \(since), after the catalog of \(catalog.published)"
        )
      }
      return releases
    }
  }

  /// Reads an object and verifies it; large objects are spooled to disk.
  func copy(of reference: ObjectReference) throws -> any ByteSource {
    if let known = preloaded.remove(reference) { return known }
    return try repeating { try copy(of: reference, in: $0) }
  }

  private func copy(of reference: ObjectReference, in store: any Store) throws -> any ByteSource {
    let buffer = SpoolBuffer(folder: FileSystem.temporaryFolder)
    meter.addRequest()
    try connection.timing {
      try check(reference, in: store) { block in
        meter.add(block.byteCount)
        try buffer.append(block)
      }
    } bytes: {
      reference.byteCount
    }
    return try buffer.finish()
  }

  /// Reads an object into memory and verifies it.
  ///
  /// - Throws: `IntegrityError`, `StoreError`.
  package func bytes(of reference: ObjectReference) throws -> [UInt8] {
    if let known = preloaded.remove(reference) { return try known.bytes(at: 0, count: Int(known.byteCount)) }
    let place = place(of: reference.path)
    return try repeating { store in
      let limit = Int(clamping: reference.byteCount)
      guard let object = try object(at: reference.path, in: store, limit: limit) else {
        throw Self.missing(place)
      }
      guard object.bytes.count == reference.byteCount, SHA256Digest(of: object.bytes) == reference.digest
      else {
        throw DamagedDocument(Self.encodingError(place, object.encoding) ?? Self.digestMismatch(place))
      }
      return object.bytes
    }
  }

  /// Reads an object and verifies it. The bytes passed to `body` are unverified until the method returns.
  ///
  /// - Throws: `IntegrityError`, `StoreError`, `Interruption`, and the errors of `body`.
  package func check(_ reference: ObjectReference, _ body: (RawSpan) throws -> Void) throws {
    do { try check(reference, in: store, body) } catch let damage as DamagedDocument { throw damage.error }
  }

  /// Reads an object from the given store and verifies it.
  ///
  /// `known` is the number of leading bytes to skip, with a hasher that has already processed them.
  ///
  /// - Throws: `DamagedDocument` if the object does not match the reference.
  func check(
    _ reference: ObjectReference, in store: any Store,
    after known: (byteCount: Int64, hasher: SHA256Hasher)? = nil, _ body: (RawSpan) throws -> Void
  ) throws {
    let place = place(of: reference.path)
    var hasher = known?.hasher ?? SHA256Hasher()
    var count = known?.byteCount ?? 0
    var reader: (any ObjectReader)?
    do {
      let opened = try store.open(
        reference.path, range: count > 0 ? count..<reference.byteCount : nil, byteCount: reference.byteCount)
      reader = opened
      var buffer: [UInt8] = []
      while try opened.next(&buffer) {
        count += Int64(buffer.count)
        guard count <= reference.byteCount else {
          throw DamagedDocument(
            Self.encodingError(place, opened.contentEncoding) ?? Self.tooLarge(place, reference.byteCount))
        }
        let block = unsafe buffer.borrowedSpan.bytes  // UInt8 has no padding
        hasher.update(block)
        try body(block)
      }
    } catch let error as StoreError where error.reason == .missing {
      throw Self.missing(place)
    }
    guard count == reference.byteCount, hasher.finish() == reference.digest else {
      throw DamagedDocument(Self.encodingError(place, reader?.contentEncoding) ?? Self.digestMismatch(place))
    }
  }

  /// Returns the address of an object, for messages.
  package func place(of path: StorePath) -> String { FileSystem.joined(store.name, path.text) }

  func object(at path: StorePath, in store: any Store, limit: Int) throws -> StoredObject? {
    do throws(StoreError) {
      meter.addRequest()
      let object = try connection.timing { () throws(StoreError) in
        try store.object(at: path, limit: limit)
      } bytes: {
        Int64($0?.bytes.count ?? 0)
      }
      meter.add(object?.bytes.count ?? 0)
      return object
    } catch {
      guard error.reason == .tooLarge else { throw error }
      throw DamagedDocument(Self.tooLarge(place(of: path), Int64(limit)))
    }
  }

  func reading<Document>(
    _ path: StorePath, _ body: () throws(DocumentError) -> Document
  ) throws -> Document {
    do throws(DocumentError) {
      return try body()
    } catch {
      if let cause = error.cause { throw cause }
      throw IntegrityError(place(of: path), "is damaged: \(error.message)")
    }
  }
}

/// The last catalog read from a store, or the error of a store that cannot be reached.
private final class LastCatalog: Sendable {
  let result = Mutex<Result<CurrentCatalog, StoreError>?>(nil)
}
