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
  private let replaces: Bool

  var byteCount: Int64 { missing.reduce(0) { $0 + Int64($1.bytes.count) } }

  /// Compares the trust documents of the source and the copy.
  ///
  /// - Parameters:
  ///   - current: The catalog of the source.
  ///   - source: The reader of the source.
  ///   - target: The copy.
  ///   - signers: The keys that signed the catalog of the copy.
  ///   - allowsNewKey: Whether different documents in the copy are replaced.
  /// - Throws: `TrustError.catalogUnaccepted` if clients would refuse the catalog, `.copyAhead` or `.copyDiffers`;
  ///   `IntegrityError`, `StoreError`.
  init(
    for current: CurrentCatalog, from source: StoreReader, to target: CatalogChange,
    after signers: [SSHPublicKey], _ allowsNewKey: Bool
  ) throws {
    self.target = target
    let sourceDocuments = try source.allTrust(of: current)
    let (store, name) = (target.store, source.store.name)
    try SigningRules(
      store: name, trust: sourceDocuments.last?.envelope.document, current: current, allowsNewKey: false
    )
    .check(current)
    let targetBytes = try sourceDocuments.indices.map {
      try store.object(at: .trust(Int64($0 + 1)), limit: DocumentLimits.maximumTrustBytes)?.bytes
    }
    let common = zip(sourceDocuments, targetBytes).prefix { $0.bytes == $1 }.count
    let differing = zip(sourceDocuments, targetBytes).enumerated().first {
      $0.element.1 != nil && $0.element.0.bytes != $0.element.1
    }
    if let differing, !allowsNewKey {
      throw TrustError.copyDiffers(store: store.name, version: Int64(differing.offset + 1), source: name)
    }
    guard try store.status(of: .trust(Int64(sourceDocuments.count + 1))) == nil else {
      throw TrustError.copyAhead(
        store: store.name, version: Int64(sourceDocuments.count + 1), source: name,
        sourceVersion: Int64(sourceDocuments.count))
    }
    replaces = differing != nil
    missing = zip(sourceDocuments, targetBytes).filter { $0.bytes != $1 }.map(\.0)
    newest = replaces || common == 0 ? nil : sourceDocuments[common - 1].envelope.document
    isContinued =
      !replaces
      && (common > 0 || sourceDocuments.first?.envelope.signers.contains(where: signers.contains) ?? false)
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
      try target.store.writable().put(
        MemoryBytes(document.bytes), at: .trust(document.envelope.document.version), caching: .immutable,
        if: replaces ? .none : .absent, advance: { _ in })
    }
  }
}
#endif
