import ContentPackage
import SafeFiles
package import Support
import Synchronization

/// How catalogs are changed: who signs, and for how long they are good.
package struct CatalogChange: Sendable {
  package let store: any Store
  let reader: StoreReader
  /// The catalog that was read last, which is not transferred again while it stays.
  private let known = KnownCatalog()
  private let signer: CatalogSigner?
  /// Whether another key may take the place of the one that signed before.
  private let allowsNewKey: Bool
  /// In how many days the catalog expires: never for 0, and after as long as before if nil.
  private let expiryDays: Int64?
  let cancellation: Cancellation

  package init(
    of store: any Store, signer: CatalogSigner?, allowsNewKey: Bool, expiryDays: Int64?,
    cancellation: Cancellation
  ) {
    self.store = store
    self.signer = signer
    self.allowsNewKey = allowsNewKey
    self.expiryDays = expiryDays
    self.cancellation = cancellation
    reader = StoreReader(store)
  }

  /// The catalog, if it may be changed with the key that there is.
  ///
  /// - Returns: nil if the store is empty, or not there yet.
  /// - Throws: `PublishingError`, `Untrustworthy`, `StoreError`.
  func current() throws -> CurrentCatalog? {
    guard let current = try known.update(by: reader) else {
      let foreign = try store.list("").first { StorePath($0.path) == nil }
      if let foreign { throw PublishingError.notAStore(store: store.name, found: foreign.path) }
      return nil
    }
    if let signed = current.signer {
      guard let signer else {
        throw PublishingError.keyNeeded(store: store.name, fingerprint: signed.fingerprint)
      }
      if let key = signer.publicKey { try check(key, against: signed) }
    }
    return current
  }

  /// Makes a change of the catalog in one step, again if another was faster. Without a change the catalog is only
  /// written anew if the key or the expiry asks for it.
  ///
  /// - Parameter change: changes a draft, which each time is a new one; returns what is to be told.
  /// - Returns: what `change` returned last, and the catalog as it is now; nil if there is none, and none was made.
  /// - Throws: what `change` throws; `PublishingError`, `Untrustworthy`, `StoreError`, `SignatureError`.
  func commit<Result>(
    _ change: (inout CatalogDraft) throws -> Result
  ) throws -> (result: Result, catalog: Catalog?) {
    try store.exclusively {
      try cancellation.check()
      let current = try current()
      var draft = CatalogDraft(current, reader: reader)
      let result = try change(&draft)
      guard draft.isChanged || isRenewed(current) else { return (result, current?.catalog) }
      for (reference, bytes) in draft.files { _ = try put(MemoryBytes(bytes), at: reference) { _ in } }
      let catalog = draft.catalog(at: .now, expiringAfter: expiryDays)
      return (result, try replace(current, with: catalog))
    }
  }

  /// Whether a catalog is signed anew although it says the same: it is not signed yet, another key takes over, or it is
  /// to expire at another time.
  private func isRenewed(_ current: CurrentCatalog?) -> Bool {
    guard let current else { return false }
    if let expiryDays, expiryDays > 0 || current.catalog.expires != nil { return true }
    guard let signer else { return false }
    guard let signed = current.signer else { return true }
    return allowsNewKey && signer.publicKey != signed
  }

  /// Signs the catalog, writes it, and looks at what the store has then.
  ///
  /// - Returns: the catalog as it is now.
  private func replace(_ current: CurrentCatalog?, with catalog: Catalog) throws -> Catalog {
    let payload = catalog.payload
    let signature = try signer?.sign(payload)
    if let signed = current?.signer, let key = signature?.key { try check(key, against: signed) }
    let bytes = CatalogEnvelope(payload: payload, signature: signature?.armour).bytes
    guard bytes.count <= DocumentLimits.catalogBytes else {
      throw Untrustworthy(
        reader.place(of: .catalog),
        "would have \(bytes.count) bytes, expected at most \(DocumentLimits.catalogBytes)")
    }
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

  private func check(_ key: SSHPublicKey, against signed: SSHPublicKey) throws(PublishingError) {
    guard key == signed || allowsNewKey else {
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
      item.modified > Timestamp.now.seconds - Self.freshness
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
