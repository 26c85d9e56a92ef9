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
  private let trusted: TrustedKeys?
  /// Counts the requests and bytes of documents.
  package let meter = TransferMeter()
  /// The cached catalog of readers that share one; nil for a reader that does not cache it.
  private let catalogInUse: KeptCatalog?
  /// Verified documents, loaded in advance.
  let known = KnownDocuments()
  /// The estimate of request costs, updated by each document request.
  let link: StoreLink

  package init(_ store: any Store, trusting trusted: TrustedKeys? = nil) {
    self.init(store, trusting: trusted, sharing: nil, StoreLink())
  }

  private init(
    _ store: any Store, trusting trusted: TrustedKeys?, sharing catalog: KeptCatalog?, _ link: StoreLink
  ) {
    self.store = store
    self.trusted = trusted
    catalogInUse = catalog
    self.link = link
  }

  /// Returns a reader of the same store with a new meter.
  package func countingAnew() -> StoreReader {
    StoreReader(store, trusting: trusted, sharing: catalogInUse, link)
  }

  /// Returns a reader of the same store with a new meter, which reads the catalog once for itself and all readers
  /// derived from it.
  package func sharingCatalog() -> StoreReader {
    StoreReader(store, trusting: trusted, sharing: KeptCatalog(), link)
  }

  /// Discards the cached catalog.
  func forgetCatalog() { catalogInUse?.catalog.withLock { $0 = nil } }

  /// Reads the current catalog.
  ///
  /// - Returns: The catalog; nil if the store has none.
  /// - Throws: `Untrustworthy`, `StoreError`.
  package func catalog() throws -> CurrentCatalog? { try catalogDocument()?.current }

  /// Reads the current catalog, with the bytes of `catalog.json`.
  ///
  /// - Returns: The catalog and its bytes; nil if the store has none.
  /// - Throws: `Untrustworthy`, `StoreError`.
  func catalogDocument() throws -> (current: CurrentCatalog, bytes: [UInt8])? {
    let place = place(of: .catalog)
    let document: (current: CurrentCatalog, bytes: [UInt8])? = try repeating { store in
      guard let object = try object(at: .catalog, in: store, limit: DocumentLimits.catalogBytes) else {
        return nil
      }
      do throws(Untrustworthy) {
        return (try CurrentCatalog(object, place: place), object.bytes)
      } catch {
        if WebPage.begins(with: object.bytes) {
          throw DamagedDocument(
            StoreError(
              .invalidAnswer, place, WebPage.message(at: place, expected: StorePath.kind(ofObjectAt: place))))
        }
        throw DamagedDocument(Self.encoded(place, object.encoding) ?? error)
      }
    }
    // A valid signature by another key is not damage.
    if let trusted { try document?.current.check(trusted, place: place) }
    return document
  }

  /// Returns the current catalog, which must exist.
  ///
  /// - Throws: `PublishingError.noCatalog`, `Untrustworthy`, `StoreError`.
  package func requiredCatalog() throws -> CurrentCatalog {
    if let known = catalogInUse?.catalog.withLock(\.self) { return known }
    guard let current = try catalog() else { throw PublishingError.noCatalog(store: store.name) }
    catalogInUse?.catalog.withLock { $0 = current }
    return current
  }

  /// Reads the releases of a product; nil if the catalog lacks the product.
  ///
  /// - Throws: `Untrustworthy`, `StoreError`.
  package func releases(of product: ProductIdentifier, in catalog: Catalog) throws -> ProductReleases? {
    guard let entry = catalog.products[product] else { return nil }
    let bytes = try bytes(of: entry.releases)
    return try reading(entry.releases.path) { () throws(DocumentError) in
      try ProductReleases(bytes: bytes, of: product)
    }
  }

  /// Reads the index of a release entry by entry, after verifying the whole document.
  ///
  /// - Returns: The bytes of `ContentInfo.plist`.
  /// - Throws: `Untrustworthy`, `StoreError`, `FileError` if the disk is full.
  @discardableResult
  func readIndex(
    of release: Release, _ body: (IndexEntry) throws(DocumentError) -> Void
  ) throws -> [UInt8] {
    let index = try copy(of: release.index)
    return try reading(release.index.path) { () throws(DocumentError) in
      try ReleaseIndex.read(index, packageBytes: release.package.byteCount, body)
    }
  }

  /// Reads an object and verifies it; large objects are spooled to disk.
  func copy(of reference: ObjectReference) throws -> any ByteSource {
    if let known = known.take(reference) { return known }
    return try repeating { try copy(of: reference, in: $0) }
  }

  private func copy(of reference: ObjectReference, in store: any Store) throws -> any ByteSource {
    let buffer = SpoolBuffer(folder: FileSystem.temporaryFolder)
    meter.addRequest()
    try link.timing {
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
  package func bytes(of reference: ObjectReference) throws -> [UInt8] {
    if let known = known.take(reference) { return try known.bytes(at: 0, count: Int(known.byteCount)) }
    let place = place(of: reference.path)
    return try repeating { store in
      let limit = Int(clamping: reference.byteCount)
      guard let object = try object(at: reference.path, in: store, limit: limit) else {
        throw StoreError(.missing, place, Self.missingMessage(at: place))
      }
      guard object.bytes.count == reference.byteCount, SHA256Digest(of: object.bytes) == reference.digest
      else {
        throw DamagedDocument(Self.encoded(place, object.encoding) ?? Self.other(place))
      }
      return object.bytes
    }
  }

  /// Reads an object and verifies it. The bytes passed to `body` are unverified until the method returns.
  ///
  /// - Throws: `Untrustworthy`, `StoreError`, `Interruption`, and the errors of `body`.
  package func check(_ reference: ObjectReference, _ body: (RawSpan) throws -> Void) throws {
    do { try check(reference, in: store, body) } catch let damage as DamagedDocument { throw damage.error }
  }

  /// Reads an object from the given store and verifies it, like `check`.
  ///
  /// - Throws: `DamagedDocument` if the object does not match the reference.
  func check(
    _ reference: ObjectReference, in store: any Store, _ body: (RawSpan) throws -> Void
  ) throws {
    let place = place(of: reference.path)
    var hasher = SHA256Hasher()
    var count: Int64 = 0
    var reader: (any ObjectReader)?
    do {
      let opened = try store.open(reference.path, range: nil)
      reader = opened
      var buffer: [UInt8] = []
      while try opened.next(&buffer) {
        count += Int64(buffer.count)
        guard count <= reference.byteCount else {
          throw DamagedDocument(
            Self.encoded(place, opened.contentEncoding) ?? Self.tooLarge(place, reference.byteCount))
        }
        let block = unsafe buffer.span.bytes  // any UInt8 is a byte
        hasher.update(block)
        try body(block)
      }
    } catch let error as StoreError where error.reason == .missing {
      throw StoreError(.missing, place, Self.missingMessage(at: place))
    }
    guard count == reference.byteCount, hasher.finish() == reference.digest else {
      throw DamagedDocument(Self.encoded(place, reader?.contentEncoding) ?? Self.other(place))
    }
  }

  /// Returns the address of an object, for messages.
  package func place(of path: StorePath) -> String { FileSystem.joined(store.name, path.text) }

  private func object(at path: StorePath, in store: any Store, limit: Int) throws -> StoredObject? {
    do throws(StoreError) {
      meter.addRequest()
      let object = try link.timing { () throws(StoreError) in
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

  static func missing(_ place: String) -> Untrustworthy {
    Untrustworthy(place, "is missing, although the catalog refers to it")
  }

  static func missingMessage(at place: String) -> String {
    "\(place) is missing, although the catalog refers to it: this copy of the store has a newer catalog than objects; try "
      + "again later"
  }

  /// Returns the error for an object that was compressed in transit; nil if there was no content encoding.
  static func encoded(_ place: String, _ encoding: String?) -> StoreError? {
    encoding.map { StoreError(.invalidAnswer, place, encodedMessage(at: place, $0)) }
  }

  static func encodedMessage(at place: String, _ encoding: String) -> String {
    "\(place) came with Content-Encoding: \(encoding), which was not asked for; the server or a proxy must not compress it"
  }

  private static func other(_ place: String) -> Untrustworthy {
    Untrustworthy(place, "is not what the catalog refers to: its SHA-256 differs")
  }

  private static func tooLarge(_ place: String, _ limit: Int64) -> Untrustworthy {
    Untrustworthy(place, "has more than the \(limit) bytes that it may have")
  }

  private func reading<Document>(
    _ path: StorePath, _ body: () throws(DocumentError) -> Document
  ) throws -> Document {
    do throws(DocumentError) {
      return try body()
    } catch {
      if let cause = error.cause { throw cause }
      throw Untrustworthy(place(of: path), "is damaged: \(error.message)")
    }
  }
}

/// A catalog that several readers share.
private final class KeptCatalog: Sendable {
  let catalog = Mutex<CurrentCatalog?>(nil)
}

/// The current catalog of a store.
package struct CurrentCatalog: Sendable {
  package let catalog: Catalog
  /// The key that signed the catalog; nil for an unsigned one.
  package let signer: SSHPublicKey?
  /// The tag of this state of `catalog.json`.
  package let tag: ObjectTag
  /// The digest of the payload.
  let digest: SHA256Digest

  /// Parses `catalog.json`, and verifies its signature if there is one.
  ///
  /// - Throws: `Untrustworthy` if the document is damaged or its signature is invalid.
  fileprivate init(_ object: StoredObject, place: String) throws(Untrustworthy) {
    tag = object.tag
    let envelope: CatalogEnvelope
    do throws(DocumentError) {
      envelope = try CatalogEnvelope(bytes: object.bytes)
      catalog = try Catalog(payload: envelope.payload)
      digest = SHA256Digest(of: envelope.payload)
    } catch {
      throw Untrustworthy(place, "cannot be read: \(error.message)")
    }
    guard let armour = envelope.signature else {
      signer = nil
      return
    }
    do throws(SignatureError) {
      let signature = try SSHSignature(armoured: armour)
      guard signature.isValid(for: envelope.payload) else {
        throw SignatureError("it does not belong to this catalog; the catalog may have been changed")
      }
      signer = signature.key
    } catch {
      throw Self.badSignature(place, error)
    }
  }

  /// Verifies that one of the trusted keys signed the catalog.
  func check(_ trusted: TrustedKeys, place: String) throws(Untrustworthy) {
    guard let signer else {
      throw Untrustworthy(place, "is not signed, expected a signature by a trusted key")
    }
    if let error = trusted.error(of: signer, at: .now) { throw Self.badSignature(place, error) }
  }

  private static func badSignature(_ place: String, _ error: SignatureError) -> Untrustworthy {
    Untrustworthy(place, "has an invalid signature: \(error.message)")
  }
}
