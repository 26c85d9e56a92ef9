#if COMMAND_LINE_TOOL
import Support

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
}
#endif
