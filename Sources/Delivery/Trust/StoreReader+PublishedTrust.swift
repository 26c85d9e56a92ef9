import ContentPackage

/// The trust documents of a store, as its publisher sees them.
extension StoreReader {
  /// Walks through all trust documents of the store, from the first at least to the one that the catalog names, for the
  /// publisher: a document that was lost must not be made again with other keys.
  ///
  /// - Returns: The newest one; nil for a store with a single key.
  /// - Throws: `IntegrityError`, `StoreError`.
  func wholeTrust(of current: CurrentCatalog?) throws -> TrustEnvelope? {
    trustDocuments.forgetMissing()
    let minimum = current?.catalog.trust
    guard let first = try minimum == nil ? trust(1) : requiredTrust(1) else { return nil }
    try TrustStep.check(first.envelope, after: nil, version: 1, at: place(of: .trust(1)))
    try checkVouched(first.envelope, current)
    return try trust(newestTrust(after: first.envelope.document, atLeast: minimum ?? 1).version)?.envelope
  }

  /// Walks through all trust documents of the store, from the first. A web server whose catalog names none is not asked
  /// for any: it may answer every request.
  ///
  /// - Returns: The documents in their order; empty for a store with a single key.
  /// - Throws: `IntegrityError`, `StoreError`.
  func allTrust(of current: CurrentCatalog) throws -> [StoredTrust] {
    guard current.catalog.trust != nil || !store.objectsMayFollow else { return [] }
    guard let newest = try wholeTrust(of: current)?.document.version else { return [] }
    return try (1...newest).map { try requiredTrust($0) }
  }

  /// Walks through the trust documents to the newest one, for a publisher. A web server whose catalog names none is not
  /// asked for any.
  ///
  /// - Returns: The document; nil for a store with a single key.
  /// - Throws: `IntegrityError`, `StoreError`.
  func publishedTrust(of current: CurrentCatalog?) throws -> TrustEnvelope? {
    guard current?.catalog.trust != nil || !store.objectsMayFollow else { return nil }
    return try wholeTrust(of: current)
  }

  /// Returns the catalog, which the newest trust document of the store must accept, if there is one.
  ///
  /// - Throws: `TrustError.catalogUnaccepted`, `PublishingError.noCatalog`, `IntegrityError`, `StoreError`.
  package func acceptedCatalog() throws -> CurrentCatalog {
    let current = try requiredCatalog()
    let trust = try publishedTrust(of: current)?.document
    try SigningRules(store: store.name, trust: trust, current: current, allowsNewKey: false).check(current)
    return current
  }
}
