#if COMMAND_LINE_TOOL
import ContentPackage

/// The signatures of catalogs.
extension CatalogChange {
  /// Returns the last sequence number that one of the keys had seen in this store under its newest trust document
  /// before the catalog was read; nil if it is unknown.
  func rememberedSequence(under newest: TrustDocument?) -> Int64? {
    memories.compactMap { $0.sequence(under: newest?.version ?? 0) }.max()
  }

  /// The sequence number of a store that is behind the last one that a key remembers, and the latter; nil for any other
  /// store. `found` is nil for a store without a catalog.
  package var restoredSequences: (found: Int64?, remembered: Int64)? { observed.restored }

  /// The time at which the newest trust document of the store expires; nil for no document or no expiry.
  package var trustExpiry: Timestamp? { observed.trustExpiry }

  /// Returns the rules for the signatures of the next catalog.
  func signingRules(after current: CurrentCatalog?) throws -> SigningRules {
    SigningRules(
      store: store.name, trust: try reader.publishedTrust(of: current)?.document, current: current,
      allowsNewKey: options.allowsNewKey)
  }

  /// Verifies that the newest trust document accepts a catalog, and that the given keys may sign the next one.
  ///
  /// - Parameters:
  ///   - current: The catalog, read after the memories of the keys; nil for a store without one.
  ///   - isDryRun: Whether nothing is signed, which requires no key.
  /// - Throws: `TrustError`, `PublishingError`, `IntegrityError`, `StoreError`.
  func check(_ current: CurrentCatalog?, isDryRun: Bool) throws {
    let rules = try signingRules(after: current)
    let remembered = rememberedSequence(under: rules.trust)
    observed.record(current?.catalog.sequence, after: remembered, under: rules.trust)
    if current != nil || !options.startsNewCatalog { try checkRemembered(rules.trust) }
    // A key that is unknown until it signs may be the one that signed the catalog.
    if let current, let remembered, rules.trust == nil, !options.allowsNewKey,
      !signers.contains(where: { $0.publicKey.map(current.signers.contains) ?? !current.signers.isEmpty })
    {
      throw PublishingError.signatureLost(
        store: store.name, sequence: remembered, found: current.signer?.fingerprint)
    }
    try rules.check(current)
    if !isDryRun || !signers.isEmpty { try rules.checkKnown(signers.map(\.publicKey)) }
  }

  /// Verifies in a dry run that the next catalog can be dated and numbered, if the draft has changes.
  ///
  /// - Throws: `PublishingError`.
  func checkNext(_ draft: CatalogDraft) throws {
    guard draft.isChanged else { return }
    _ = try draft.catalog(
      at: time(after: draft.current), expiringAfter: options.expiryDays, store: store.name)
  }

  /// Returns whether one of the given keys is among the keys that signed a document.
  func hasSigner(among keys: [SSHPublicKey]) -> Bool {
    keys.contains(where: signers.compactMap(\.publicKey).contains)
  }

  /// Returns whether an unchanged catalog must be replaced: it is unsigned, another key replaces its key, its expiry is
  /// to change, or it has expired.
  func mustRenew(_ current: CurrentCatalog?, _ rules: SigningRules) -> Bool {
    guard let current else { return false }
    if let days = options.expiryDays {
      if days > 0 || current.catalog.expires != nil { return true }
    } else if let expires = current.catalog.expires, expires <= now() {
      return true
    }
    guard let signer = signers.first else { return false }
    if let trust = rules.trust { return current.catalog.trust != trust.version }
    guard let signed = current.signer else { return true }
    return options.allowsNewKey && signer.publicKey != signed
  }

  /// Signs a catalog.
  ///
  /// - Returns: The bytes of `catalog.json`.
  func envelope(of catalog: Catalog, _ rules: SigningRules) throws -> [UInt8] {
    let payload = catalog.payload
    let signatures = try signers.map { try $0.sign(payload) }
    try rules.check(signatures.map(\.key))
    let armors = signatures.map(\.armor)
    let envelope =
      rules.trust == nil
      ? CatalogEnvelope(payload: payload, signature: armors.first)
      : CatalogEnvelope(payload: payload, signatures: armors)
    let bytes = envelope.bytes
    guard catalog.products.count <= DocumentLimits.maximumProductCount else {
      throw PublishingError.unreadable(
        place: reader.place(of: .catalog),
        reason:
          "would have \(catalog.products.count) products, expected at most \(DocumentLimits.maximumProductCount)"
      )
    }
    guard bytes.count <= DocumentLimits.maximumCatalogBytes else {
      throw PublishingError.unreadable(
        place: reader.place(of: .catalog),
        reason: "would have \(bytes.count) bytes, expected at most \(DocumentLimits.maximumCatalogBytes)")
    }
    return bytes
  }
}
#endif
