import ContentPackage

/// The trust documents of a store, as its publisher sees them.
extension StoreReader {
  /// Walks through all trust documents of the store for a publisher, from the first to at least the document that the
  /// catalog names: the publisher must not replace a lost document by one with other keys.
  ///
  /// - Returns: The newest document; nil for a store with a single key.
  /// - Throws: `IntegrityError`, `StoreError`.
  func newestTrustFromFirst(of current: CurrentCatalog?) throws -> TrustEnvelope? {
    trustDocuments.forgetMissing()
    let minimum = current?.catalog.trust
    guard let first = try minimum == nil ? trust(1) : requiredTrust(1) else { return nil }
    try TrustStep.check(first.envelope, after: nil, version: 1, at: place(of: .trust(1)))
    try checkVouched(first.envelope, current)
    return try trust(newestTrust(after: first.envelope.document, atLeast: minimum ?? 1).version)?.envelope
  }

  /// Walks through all trust documents of the store, from the first. Requests none from a web server whose catalog names
  /// none: the server may answer every request with a page.
  ///
  /// - Returns: The documents in their order; empty for a store with a single key.
  /// - Throws: `IntegrityError`, `StoreError`.
  func allTrust(of current: CurrentCatalog) throws -> [StoredTrust] {
    guard current.catalog.trust != nil || !store.objectsMayFollow else { return [] }
    guard let newest = try newestTrustFromFirst(of: current)?.document.version else { return [] }
    return try (1...newest).map { try requiredTrust($0) }
  }

  /// Walks through the trust documents to the newest one, for a publisher. Requests none from a web server whose catalog
  /// names none.
  ///
  /// - Returns: The document; nil for a store with a single key.
  /// - Throws: `IntegrityError`, `StoreError`.
  func publishedTrust(of current: CurrentCatalog?) throws -> TrustEnvelope? {
    guard current?.catalog.trust != nil || !store.objectsMayFollow else { return nil }
    return try newestTrustFromFirst(of: current)
  }

  /// Returns the catalog. If the store has trust documents, the newest must accept the catalog.
  ///
  /// - Throws: `TrustError.catalogUnaccepted`, `PublishingError.noCatalog`, `IntegrityError`, `StoreError`.
  package func acceptedCatalog() throws -> CurrentCatalog {
    let current = try requiredCatalog()
    let trust = try publishedTrust(of: current)?.document
    try SigningRules(store: store.name, trust: trust, current: current, allowsNewKey: false).check(current)
    return current
  }
}
