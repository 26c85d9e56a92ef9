#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles

/// The trust documents that a copy of a store lacks.
struct TrustCopy: Sendable {
  private let target: CatalogChange
  /// The documents that the copy lacks, in their order.
  let missing: [StoredTrust]
  /// The newest document of the copy; nil for a copy without any.
  private let newest: TrustDocument?
  /// Whether the documents of the source follow those of the copy, or a key of the copy's catalog signed the first one.
  /// Other keys may then sign the next catalog.
  let isContinued: Bool
  /// The numbers of the documents in `missing` that overwrite different or damaged ones.
  private let overwritten: Set<Int64>

  var byteCount: Int64 { missing.reduce(0) { $0 + Int64($1.bytes.count) } }

  /// Compares the trust documents of the source and the copy.
  ///
  /// - Parameters:
  ///   - current: The catalog of the source.
  ///   - source: The reader of the source.
  ///   - target: The copy.
  ///   - signers: The keys that signed the catalog of the copy.
  ///   - allowsNewKey: Whether different documents in the copy are replaced.
  ///   - isDeep: Whether damaged documents in the copy are replaced.
  /// - Throws: `TrustError.catalogUnaccepted` if clients would refuse the catalog, `.copyAhead`, `.copyDiffers` or
  ///   `.copyDamaged`; `IntegrityError`, `StoreError`.
  init(
    for current: CurrentCatalog, from source: StoreReader, to target: CatalogChange,
    after signers: [SSHPublicKey], allowsNewKey: Bool, isDeep: Bool
  ) throws {
    self.target = target
    let sourceDocuments = try source.allTrust(of: current)
    let (store, name) = (target.store, source.store.name)
    try SigningRules(
      store: name, trust: sourceDocuments.last?.envelope.document, current: current, allowsNewKey: false
    )
    .check(current)
    let targetBytes = try sourceDocuments.indices.map { try TrustCopy.bytes(of: Int64($0 + 1), in: store) }
    let common = zip(sourceDocuments, targetBytes).prefix { $0.bytes == $1 }.count
    var (different, damaged): ([Int64], [Int64]) = ([], [])
    for (document, bytes) in zip(sourceDocuments, targetBytes) {
      guard let bytes, bytes != document.bytes else { continue }
      let version = document.envelope.document.version
      let isDamaged = (try? TrustEnvelope(bytes: bytes)) == nil
      if isDamaged { damaged.append(version) } else { different.append(version) }
    }
    if let version = different.first, !allowsNewKey {
      throw TrustError.copyDiffers(store: store.name, version: version, source: name)
    }
    if let version = damaged.first, !isDeep, !allowsNewKey {
      throw TrustError.copyDamaged(store: store.name, version: version, source: name)
    }
    guard try store.status(of: .trust(Int64(sourceDocuments.count + 1))) == nil else {
      throw TrustError.copyAhead(
        store: store.name, version: Int64(sourceDocuments.count + 1), source: name,
        sourceVersion: Int64(sourceDocuments.count))
    }
    overwritten = Set(different + damaged)
    missing = zip(sourceDocuments, targetBytes).filter { $0.bytes != $1 }.map(\.0)
    newest = !different.isEmpty || common == 0 ? nil : sourceDocuments[common - 1].envelope.document
    isContinued =
      different.isEmpty
      && (common > 0 || sourceDocuments.first?.envelope.signers.contains(where: signers.contains) ?? false)
  }

  /// Returns the bytes of a trust document of the copy; nil for a missing document, and none for one that is too large.
  private static func bytes(of version: Int64, in store: any Store) throws(StoreError) -> [UInt8]? {
    do throws(StoreError) {
      return try store.object(at: .trust(version), limit: DocumentLimits.maximumTrustBytes)?.bytes
    } catch {
      guard error.reason == .tooLarge else { throw error }
      return []
    }
  }

  /// Returns whether the newest document of the copy accepts a catalog, which may then be written before the missing
  /// documents.
  func acceptsCatalogBefore(_ current: CurrentCatalog) -> Bool {
    guard let newest else { return false }
    return newest.catalogs.accepts(current.signers) && current.catalog.trust ?? 0 <= newest.version
  }

  /// Copies the missing documents in their order.
  ///
  /// - Throws: `StoreError`.
  func copy() throws {
    for document in missing {
      let version = document.envelope.document.version
      try target.store.writable().put(
        MemoryBytes(document.bytes), at: .trust(version), caching: .immutable,
        if: overwritten.contains(version) ? .none : .absent, advance: { _ in })
    }
  }
}
#endif
