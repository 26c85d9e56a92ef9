import SafeFiles
import StrictJSON
package import Support

/// Changes the keys of a store: makes drafts of trust documents, collects their signatures, and publishes them.
///
/// A store is valid after each write. The draft is no document for clients. The current catalog gets the signatures that
/// the draft demands before the document is published, so that clients accept it before and after.
package struct TrustEditor: Sendable {
  /// The result of a change.
  package struct Result: Sendable {
    /// The trust documents after the change.
    package let state: TrustState
    /// Whether the change published a trust document.
    package let isPublished: Bool
    /// The number of signatures added.
    package let addedSignatures: Int
    /// The number of signatures of an earlier draft that the change made invalid.
    package let droppedSignatures: Int
  }

  private let change: CatalogChange
  private let signers: [CatalogSigner]
  private var reader: StoreReader { change.reader }
  private var store: any Store { change.store }

  package init(of store: any Store, signers: [CatalogSigner] = [], cancellation: Cancellation) {
    change = CatalogChange(of: store, cancellation: cancellation)
    self.signers = signers
  }

  /// Returns the trust documents of the store.
  ///
  /// - Throws: `IntegrityError` for a document that is damaged or not signed as demanded, `StoreError`.
  package func state() throws -> TrustState { try loaded().state }

  /// Makes the first trust document.
  ///
  /// - Parameter document: Makes the document. It receives the key that signed the catalog.
  /// - Returns: The result.
  /// - Throws: `TrustError.trustPresent`, and the errors of `sign`.
  package func initialize(_ document: (SSHPublicKey?) throws -> TrustDocument) throws -> Result {
    try edit { loaded in
      if let newest = loaded.newest {
        throw TrustError.trustPresent(store: store.name, version: newest.document.version)
      }
      return try document(loaded.catalog?.signer)
    }
  }

  /// Changes the draft, or makes one from the newest document.
  ///
  /// - Parameter change: Changes the document.
  /// - Returns: The result.
  /// - Throws: `TrustError.noTrust`, `.trustUnsuitable`, and the errors of `sign`.
  package func edit(changing change: (inout TrustDocument) throws -> Void) throws -> Result {
    try edit { loaded in
      guard var document = (loaded.draft?.envelope ?? loaded.newest)?.document else {
        throw TrustError.noTrust(store: store.name)
      }
      document.version = (loaded.newest?.document.version ?? 0) + 1
      try change(&document)
      return document
    }
  }

  /// Signs the draft, and the current catalog if the draft, or without one the newest document, demands it.
  ///
  /// - Parameter signatures: Armored signatures of the draft that were made elsewhere.
  /// - Returns: The result.
  /// - Throws: `TrustError.noTrustDraft`, `.uselessKey`, `SignatureError`, `IntegrityError`, `StoreError`.
  package func sign(adding signatures: [String] = []) throws -> Result {
    try store.exclusively {
      let loaded = try loaded()
      if let draft = loaded.draft { return try finish(draft.envelope, loaded, adding: signatures) }
      guard let newest = loaded.newest, !loaded.state.acceptsCatalog, signatures.isEmpty else {
        throw TrustError.noTrustDraft(store: store.name)
      }
      let signed = try signCatalog(for: newest.document, loaded, isRequired: true)
      return Result(
        state: try self.loaded().state, isPublished: false, addedSignatures: signed, droppedSignatures: 0)
    }
  }

  /// The documents of a store.
  private struct Loaded {
    let newest: TrustEnvelope?
    let firstDigest: SHA256Digest?
    let draft: (envelope: TrustEnvelope, tag: ObjectTag)?
    /// The tag of the draft, also of one that is not the next document.
    let draftTag: ObjectTag?
    let catalog: CurrentCatalog?

    var state: TrustState {
      TrustState(
        newest: newest?.document, firstDigest: firstDigest,
        draft: draft.map {
          TrustState.Draft(
            document: $0.envelope.document, payload: $0.envelope.payload, signers: $0.envelope.signers,
            missing: $0.envelope.missing(after: newest?.document, catalog))
        }, catalog: catalog)
    }
  }

  private func loaded() throws -> Loaded {
    let catalog = try change.present()
    let newest = try reader.wholeTrust(of: catalog)
    let draft = try draft()
    let next = (newest?.document.version ?? 0) + 1
    return Loaded(
      newest: newest, firstDigest: newest == nil ? nil : try reader.trust(1)?.digest,
      draft: draft.flatMap { $0.envelope.document.version == next ? $0 : nil }, draftTag: draft?.tag,
      catalog: catalog)
  }

  /// Reads the draft; nil if there is none.
  private func draft() throws -> (envelope: TrustEnvelope, tag: ObjectTag)? {
    let place = reader.place(of: .trustDraft)
    let found: StoredObject?
    do throws(StoreError) {
      found = try store.object(at: .trustDraft, limit: DocumentLimits.trustBytes)
    } catch {
      guard error.reason == .missing else { throw error }
      found = nil
    }
    guard let object = found else { return nil }
    do throws(DocumentError) {
      return (try TrustEnvelope(bytes: object.bytes), object.tag)
    } catch {
      throw IntegrityError(place, "cannot be read: \(error.message)")
    }
  }

  private func edit(_ document: (Loaded) throws -> TrustDocument) throws -> Result {
    try store.exclusively {
      let loaded = try loaded()
      let document = try document(loaded)
      do throws(DocumentError) { try document.check() } catch {
        throw TrustError.trustUnsuitable(store: store.name, reason: error.message)
      }
      if let expires = document.expires, expires <= change.now() {
        throw TrustError.trustUnsuitable(
          store: store.name, reason: "it would expire at \(expires), which has passed; choose another expiry")
      }
      let present = loaded.draft?.envelope
      let isSame = present?.document == document
      if !isSame, var unchanged = loaded.newest?.document {
        unchanged.version = document.version
        guard unchanged != document else {
          throw TrustError.trustUnsuitable(
            store: store.name, reason: "trust document \(document.version - 1) names the same keys")
        }
      }
      let envelope = isSame ? present ?? TrustEnvelope(document) : TrustEnvelope(document)
      return try finish(
        envelope, loaded, dropping: isSame ? 0 : present?.signers.count ?? 0, requiresUse: false)
    }
  }

  /// Signs a draft by the given keys, and publishes it if no signature is missing.
  private func finish(
    _ draft: TrustEnvelope, _ loaded: Loaded, adding signatures: [String] = [], dropping dropped: Int = 0,
    requiresUse: Bool = true
  ) throws -> Result {
    var envelope = draft
    for signature in signatures { envelope = try envelope.adding(signature) }
    let previous = loaded.newest?.document
    let single = previous == nil ? loaded.catalog?.signers ?? [] : []
    for signer in signers {
      if let key = signer.publicKey, !mayUse(key, for: envelope, previous, single) {
        try checkUse(of: key, for: envelope.document)
        continue
      }
      let signed = try signer.sign(envelope.payload, for: SSHSignature.trustNamespace)
      guard mayUse(signed.key, for: envelope, previous, single) else {
        try checkUse(of: signed.key, for: envelope.document)
        continue
      }
      envelope = try envelope.adding(signed.armour)
    }
    let signedCatalog = try signCatalog(for: envelope.document, loaded, isRequired: false)
    let catalog = signedCatalog > 0 ? try change.present() : loaded.catalog
    let added = envelope.signers.count - draft.signers.count + signedCatalog
    let isComplete = envelope.missing(after: previous, catalog).isEmpty
    if isComplete {
      try publish(envelope)
    } else if envelope != loaded.draft?.envelope {
      try put(envelope, at: .trustDraft, if: loaded.draftTag.map(StoreCondition.unchanged) ?? .absent)
    }
    return Result(
      state: try self.loaded().state, isPublished: isComplete, addedSignatures: added,
      droppedSignatures: dropped)
  }

  /// Returns whether the signature of a key counts for a draft.
  private func mayUse(
    _ key: SSHPublicKey, for draft: TrustEnvelope, _ previous: TrustDocument?, _ single: [SSHPublicKey]
  ) -> Bool {
    draft.document.roots.contains(key) || previous?.roots.contains(key) ?? false || single.contains(key)
  }

  /// Verifies that a key that is no root key may at least sign catalogs.
  private func checkUse(of key: SSHPublicKey, for document: TrustDocument) throws(TrustError) {
    guard !document.catalogs.contains(key) else { return }
    throw .uselessKey(store: store.name, fingerprint: key.fingerprint, version: document.version)
  }

  /// Publishes a complete document, and removes its draft.
  private func publish(_ envelope: TrustEnvelope) throws {
    try put(envelope, at: .trust(envelope.document.version), if: .absent)
    try store.delete(.trustDraft)
  }

  private func put(_ envelope: TrustEnvelope, at path: StorePath, if condition: StoreCondition) throws {
    let bytes = envelope.bytes
    guard bytes.count <= DocumentLimits.trustBytes else {
      throw PublishingError.unreadable(
        place: reader.place(of: path),
        reason: "would have \(bytes.count) bytes, expected at most \(DocumentLimits.trustBytes)")
    }
    do throws(DocumentError) { _ = try TrustEnvelope(bytes: bytes) } catch {
      throw PublishingError.unreadable(place: reader.place(of: path), reason: error.message)
    }
    try store.put(
      MemoryBytes(bytes), at: path, caching: path.changes ? .revalidated : .immutable, if: condition,
      advance: { _ in })
  }

  /// Adds the signatures of the given keys to the current catalog, if a document does not accept it yet.
  ///
  /// - Returns: The number of signatures added.
  private func signCatalog(
    for document: TrustDocument, _ loaded: Loaded, isRequired: Bool
  ) throws -> Int {
    guard let current = loaded.catalog, !document.catalogs.accepts(current.signers) else { return 0 }
    var added: [String] = []
    for signer in signers {
      if let key = signer.publicKey, !document.catalogs.contains(key) { continue }
      let signed = try signer.sign(current.envelope.payload)
      guard document.catalogs.contains(signed.key), !current.signers.contains(signed.key) else { continue }
      added.append(signed.armour)
    }
    guard !added.isEmpty else {
      guard isRequired else { return 0 }
      throw TrustError.keysNeeded(
        store: store.name, trust: TrustDemand(version: document.version, document.catalogs),
        given: signers.compactMap(\.publicKey).map(\.fingerprint))
    }
    let envelope = CatalogEnvelope(
      payload: current.envelope.payload, signatures: current.envelope.signatures + added)
    _ = try change.replace(current.tag, with: current.catalog, in: envelope.bytes)
    return added.count
  }
}

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
    return try trust(newestTrust(after: first.envelope.document, atLeast: minimum ?? 1).version)?.envelope
  }

  /// Walks through all trust documents of the store, from the first. A web server whose catalog names none is not asked
  /// for any.
  ///
  /// - Returns: The documents in their order; empty for a store with a single key.
  /// - Throws: `IntegrityError`, `StoreError`.
  func allTrust(of current: CurrentCatalog) throws -> [StoredTrust] {
    guard current.catalog.trust != nil || store.isListable else { return [] }
    guard let newest = try wholeTrust(of: current)?.document.version else { return [] }
    return try (1...newest).map { try requiredTrust($0) }
  }
}
