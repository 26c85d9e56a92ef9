import ContentPackage
import SafeFiles
package import Support
import Synchronization

/// How catalogs are changed: who signs, and for how long they are good.
package struct CatalogChange: Sendable {
  /// How catalogs are signed and dated.
  package struct Options: Sendable {
    /// Whether another key may replace the one that signed the catalog before.
    package let allowsNewKey: Bool
    /// The days until the catalog expires: never for 0, and as many as before if nil.
    package let expiryDays: Int64?
    /// Whether the clock of this machine may be behind the time of the last catalog.
    package let ignoresClock: Bool

    package init(allowsNewKey: Bool = false, expiryDays: Int64? = nil, ignoresClock: Bool = false) {
      self.allowsNewKey = allowsNewKey
      self.expiryDays = expiryDays
      self.ignoresClock = ignoresClock
    }
  }

  package let store: any Store
  let reader: StoreReader
  /// The catalog that was read last, which is not transferred again while it stays.
  private let known = KnownCatalog()
  private let signer: CatalogSigner?
  private let options: Options
  let cancellation: Cancellation
  /// The clock of this machine.
  let now: @Sendable () -> Timestamp

  package init(
    of store: any Store, signer: CatalogSigner?, options: Options = Options(), cancellation: Cancellation,
    now: @escaping @Sendable () -> Timestamp = { .now }
  ) {
    self.store = store
    self.signer = signer
    self.options = options
    self.cancellation = cancellation
    self.now = now
    reader = StoreReader(store)
  }

  /// The catalog, if it may be changed with the given key.
  ///
  /// - Parameter isRehearsal: whether nothing is changed, which needs no key.
  /// - Returns: nil if the store is empty or missing.
  /// - Throws: `PublishingError`, `Untrustworthy`, `StoreError`.
  func current(isRehearsal: Bool = false) throws -> CurrentCatalog? {
    guard let current = try present(isRehearsal: isRehearsal) else { return nil }
    guard let signed = current.signer else { return current }
    if let signer {
      if let key = signer.publicKey { try check(key, against: signed) }
    } else if !isRehearsal {
      throw PublishingError.keyNeeded(store: store.name, fingerprint: signed.fingerprint)
    }
    return current
  }

  /// The catalog, whatever key signed it.
  ///
  /// - Returns: nil if the store is empty or missing.
  /// - Throws: `PublishingError.notAStore`, `Untrustworthy`, `StoreError`.
  func present(isRehearsal: Bool = false) throws -> CurrentCatalog? {
    if let current = try known.update(by: reader) { return current }
    // A web server lists nothing, and cannot be written to either.
    let foreign = isRehearsal ? nil : try store.list("").first { StorePath($0.path) == nil }
    if let foreign { throw PublishingError.notAStore(store: store.name, found: foreign.path) }
    return nil
  }

  /// Checks before an upload that a changed catalog can be signed, dated and numbered. The key signs a text that is no
  /// catalog.
  ///
  /// - Throws: `PublishingError`, `SignatureError`, `Untrustworthy`, `StoreError`, `Interruption`.
  package func checkWritable() throws {
    let current = try current()
    _ = try CatalogDraft(current, reader: reader).catalog(
      at: time(after: current), expiringAfter: options.expiryDays, store: store.name)
    guard let key = try signer?.probe(), let signed = current?.signer else { return }
    try check(key, against: signed)
  }

  /// The time of a catalog that follows the current one.
  ///
  /// - Throws: `PublishingError` for a clock that is wrong.
  private func time(after current: CurrentCatalog?) throws(PublishingError) -> Timestamp {
    let now = now()
    guard now.isDocumented else { throw .clockUnusable(year: now.approximateYear) }
    guard let published = current?.catalog.published, !options.ignoresClock,
      now < Timestamp(seconds: published.seconds - Self.toleratedDelay)
    else { return now }
    throw .clockBehind(store: store.name, published: published, now: now)
  }

  /// The clock by which the store dates its objects, in seconds since 1970.
  var storeTime: Int64 { now().seconds + (store.clockDifference ?? 0) }

  /// The seconds by which the clocks of two publishers may differ.
  private static let toleratedDelay: Int64 = 300

  /// Makes a change of the catalog in one step, again if another was faster. Without a change the catalog is only
  /// replaced if the key, or an expiry that has passed or is to change, asks for it.
  ///
  /// - Parameters:
  ///   - isForced: whether the catalog is replaced without a change too.
  ///   - minimumSequence: the lowest sequence number of the next catalog.
  ///   - change: changes a draft, which each time is a new one; returns what is to be told.
  /// - Returns: what `change` returned last, and the catalog as it is now; nil if there is none, and none was made.
  /// - Throws: what `change` throws; `PublishingError`, `Untrustworthy`, `StoreError`, `SignatureError`.
  func commit<Result>(
    isForced: Bool = false, minimumSequence: Int64 = 1, _ change: (inout CatalogDraft) throws -> Result
  ) throws -> (result: Result, catalog: Catalog?) {
    try store.exclusively {
      try cancellation.check()
      let current = try current()
      var draft = CatalogDraft(current, reader: reader)
      let result = try change(&draft)
      guard isForced || draft.isChanged || isRenewed(current) else { return (result, current?.catalog) }
      let catalog = try draft.catalog(
        at: time(after: current), expiringAfter: options.expiryDays, atLeast: minimumSequence,
        store: store.name)
      try draft.checkReadable()
      // The key may fail, so it signs before anything is written.
      let envelope = try envelope(of: catalog, after: current)
      for (reference, bytes) in draft.files { _ = try put(MemoryBytes(bytes), at: reference) { _ in } }
      return (result, try replace(current, with: catalog, in: envelope))
    }
  }

  /// Whether a catalog is signed anew although it says the same: it is not signed yet, another key takes over, or it is
  /// to expire at another time, or has expired.
  private func isRenewed(_ current: CurrentCatalog?) -> Bool {
    guard let current else { return false }
    if let days = options.expiryDays {
      if days > 0 || current.catalog.expires != nil { return true }
    } else if let expires = current.catalog.expires, expires <= now() {
      return true
    }
    guard let signer else { return false }
    guard let signed = current.signer else { return true }
    return options.allowsNewKey && signer.publicKey != signed
  }

  /// Signs a catalog.
  ///
  /// - Returns: the bytes of `catalog.json`.
  private func envelope(of catalog: Catalog, after current: CurrentCatalog?) throws -> [UInt8] {
    let payload = catalog.payload
    let signature = try signer?.sign(payload)
    if let signed = current?.signer, let key = signature?.key { try check(key, against: signed) }
    let bytes = CatalogEnvelope(payload: payload, signature: signature?.armour).bytes
    guard bytes.count <= DocumentLimits.catalogBytes else {
      throw PublishingError.unreadable(
        place: reader.place(of: .catalog),
        reason: "would have \(bytes.count) bytes, expected at most \(DocumentLimits.catalogBytes)")
    }
    return bytes
  }

  /// Writes a catalog, and looks at what the store has then.
  ///
  /// - Returns: the catalog as it is now.
  func replace(
    _ current: CurrentCatalog?, with catalog: Catalog, in bytes: [UInt8]
  ) throws -> Catalog {
    // From here on the change may be made, so that a wish to stop comes too late.
    let condition = current.map { StoreCondition.unchanged($0.tag) } ?? .absent
    let written = try store.put(
      MemoryBytes(bytes), at: .catalog, caching: .revalidated, if: condition, advance: { _ in })
    if written.tag.isDigest(of: bytes), try store.status(of: .catalog) == written { return catalog }
    guard let now = try reader.catalog() else {
      throw Untrustworthy(reader.place(of: .catalog), "is missing as soon as it was written")
    }
    // Another may have replaced it already; then what was published is looked for in theirs.
    guard now.catalog == catalog || now.catalog.sequence > catalog.sequence else {
      throw Untrustworthy(reader.place(of: .catalog), "is not what was written there")
    }
    return now.catalog
  }

  /// Replaces the catalog by one of the same releases: at the present time, with the next sequence number or a higher
  /// one.
  ///
  /// - Throws: `PublishingError`, `Untrustworthy`, `StoreError`, `SignatureError`.
  package func renew(atLeast minimumSequence: Int64) throws -> Catalog {
    guard try current() != nil else { throw PublishingError.noCatalog(store: store.name) }
    let (_, catalog) = try commit(isForced: true, minimumSequence: minimumSequence) { draft in
      guard draft.current != nil else { throw PublishingError.noCatalog(store: store.name) }
    }
    guard let catalog else { throw PublishingError.noCatalog(store: store.name) }
    return catalog
  }

  private func check(_ key: SSHPublicKey, against signed: SSHPublicKey) throws(PublishingError) {
    guard key == signed || options.allowsNewKey else {
      throw .otherKey(
        store: store.name, fingerprint: signed.fingerprint, given: key.fingerprint)
    }
  }

  /// How old an object that nobody refers to may be to be relied on: `prune` deletes none below a day.
  private static let freshness: Int64 = 12 * 3600

  /// Writes an object that never changes, unless it lies there already, and reads it back.
  ///
  /// `advance` hears of the bytes that are written, `isWritten` is called before any is read back, and `advanceBack`
  /// hears of these.
  /// - Returns: the bytes that went to the store.
  /// - Throws: `Untrustworthy` if the store does not give back what it was given; `StoreError`.
  func put(
    _ content: any ByteSource, at reference: ObjectReference, advance: @escaping @Sendable (Int64) -> Void,
    isWritten: () -> Void = {}, advanceBack: (Int64) -> Void = { _ in }
  ) throws -> Int64 {
    if try isPresent(reference) {
      advance(reference.byteCount)
      return 0
    }
    // What lies there is old or not whole: it is written anew, which also makes it young.
    try store.put(content, at: reference.path, caching: .immutable, if: .none, advance: advance)
    isWritten()
    try reader.check(reference) { advanceBack(Int64($0.byteCount)) }
    return reference.byteCount
  }

  /// Whether an object lies in the store, whole, and is not about to be pruned.
  private func isPresent(_ reference: ObjectReference) throws -> Bool {
    guard try store.status(of: reference.path)?.byteCount == reference.byteCount,
      let item = try store.list(reference.path.text).first(where: { $0.path == reference.path.text }),
      item.modified > storeTime - Self.freshness
    else { return false }
    do {
      try reader.check(reference) { _ in }
      return true
    } catch is Untrustworthy {
      return false
    }
  }
}

/// The catalog that was read last.
private final class KnownCatalog: Sendable {
  private let last = Mutex<CurrentCatalog?>(nil)

  /// The catalog as it is now, which is read only if it is another than the last.
  func update(by reader: StoreReader) throws -> CurrentCatalog? {
    if let last = last.withLock(\.self), try reader.store.status(of: .catalog)?.tag == last.tag {
      return last
    }
    let current = try reader.catalog()
    last.withLock { $0 = current }
    return current
  }
}
