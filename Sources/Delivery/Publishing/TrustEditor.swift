#if COMMAND_LINE_TOOL
import SafeFiles
import StrictJSON
package import Support

/// Changes the keys of a store: makes drafts of trust documents, collects their signatures, and publishes them.
///
/// A store is valid after each write. Clients never read the draft. The current catalog gets the signatures that the
/// draft requires before the document is published, so that clients accept the catalog before and after.
///
/// Another user with write access may have put a draft or a catalog into the store. A change therefore signs neither
/// the draft of another user nor a catalog without the signature of a known key, unless the caller names its digest.
package struct TrustEditor: Sendable {
  /// The result of a change.
  package struct Result: Sendable {
    /// The trust documents after the change.
    package let state: TrustState
    /// The newest document before the change; nil for a store without trust documents.
    package let previous: TrustDocument?
    /// Whether the change published a trust document.
    package let isPublished: Bool
    /// The number of signatures added.
    package let addedSignatures: Int
    /// The keys that had signed the catalog before the change signed it; nil if it did not.
    package let catalogSigners: [SSHPublicKey]?
    /// The number of signatures of an earlier draft that the change made invalid.
    package let droppedSignatures: Int
    /// Whether clients accept the catalog after the change. In a bucket, which has no lock, a publication with the
    /// previous keys can come between the two writes.
    package var isAccepted: Bool { !isPublished || state.acceptsCatalog }
  }

  let change: CatalogChange
  /// The digest of the catalog that may be signed, whichever key signed it before.
  let catalogDigest: SHA256Digest?
  var reader: StoreReader { change.reader }
  var store: any Store { change.store }
  var signers: [CatalogSigner] { change.signers }

  /// Creates an editor of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - signers: The keys that sign.
  ///   - catalogDigest: The SHA-256 of the signed text of a catalog that may be signed although no known key signed it.
  ///   - cancellation: Ends the work.
  package init(
    of store: any Store, signers: [CatalogSigner] = [], catalogDigest: SHA256Digest? = nil,
    cancellation: Cancellation
  ) {
    self.catalogDigest = catalogDigest
    change = CatalogChange(of: store, signers: signers, cancellation: cancellation)
  }

  /// Returns the trust documents of the store.
  ///
  /// - Throws: `IntegrityError` for a document that is damaged or not signed as required, `StoreError`.
  package func state() throws -> TrustState { try documents().state }

  /// Makes the first trust document.
  ///
  /// - Parameter document: Makes the document. It receives the key that signed the catalog.
  /// - Returns: The result.
  /// - Throws: `TrustError.trustPresent`, and the errors of `sign`.
  package func initialize(_ document: (SSHPublicKey?) throws -> TrustDocument) throws -> Result {
    try edit { documents in
      if let newest = documents.newest {
        throw TrustError.trustPresent(store: store.name, version: newest.document.version)
      }
      return try document(documents.catalog?.signer)
    }
  }

  /// Changes the draft, or makes one from the newest document. The keys sign at once only if the draft has no other
  /// changes, or if every given key that may sign the draft signed it before.
  ///
  /// - Parameter change: Changes the document.
  /// - Returns: The result.
  /// - Throws: `TrustError.noTrust`, `.trustUnsuitable`, `.draftUnseen`, and the errors of `sign`.
  package func edit(changing change: (inout TrustDocument) throws -> Void) throws -> Result {
    try edit { documents in
      guard var document = (documents.draft?.envelope ?? documents.newest)?.document else {
        throw TrustError.noTrust(store: store.name)
      }
      document.version = (documents.newest?.document.version ?? 0) + 1
      try change(&document)
      try checkSeen(documents, becoming: document, by: change)
      return document
    }
  }

  /// Signs the draft, and the current catalog if the draft requires it. Without a draft, signs the catalog if the
  /// newest document requires it.
  ///
  /// - Parameters:
  ///   - signatures: Armored signatures of the draft, made by other programs.
  ///   - digest: The SHA-256 of the text of the only draft that may be signed; nil for any.
  /// - Returns: The result.
  /// - Throws: `TrustError.noTrustDraft`, `.uselessKey`, `.otherDraft`, `.catalogUnknown`, `SignatureError`,
  ///   `IntegrityError`, `StoreError`.
  package func sign(adding signatures: [String] = [], only digest: SHA256Digest? = nil) throws -> Result {
    var examined: SHA256Digest?
    return try store.writable().exclusively {
      let documents = try documents()
      try rememberNewest(of: documents)
      // Before a retry, another process may have replaced the draft that the first attempt examined.
      let only = digest ?? examined
      examined = only ?? documents.draft?.envelope.digest
      if let catalogDigest, let current = documents.catalog, current.digest != catalogDigest {
        throw TrustError.catalogUnknown(
          store: store.name, sequence: current.catalog.sequence, reason: "is not the one that was named",
          digest: current.digest.hexadecimal)
      }
      if let only, let draft = documents.draft?.envelope, draft.digest != only {
        throw TrustError.otherDraft(
          store: store.name, found: draft.digest.hexadecimal, expected: only.hexadecimal)
      }
      if let draft = documents.draft {
        return try finish(draft.envelope, documents, adding: signatures, isForSigning: true)
      }
      guard let newest = documents.newest, !documents.state.acceptsCatalog, signatures.isEmpty, digest == nil
      else {
        throw TrustError.noTrustDraft(store: store.name)
      }
      let signed = try signCatalog(for: newest.document, documents, isForSigning: true)
      guard signed > 0 else {
        throw TrustError.keysNeeded(
          store: store.name,
          trust: TrustRequirement(version: newest.document.version, newest.document.catalogs),
          given: signers.compactMap(\.publicKey).map(\.fingerprint))
      }
      return Result(
        state: try self.documents().state, previous: newest.document, isPublished: false,
        addedSignatures: signed, catalogSigners: documents.catalog?.signers, droppedSignatures: 0)
    }
  }

  private func edit(_ document: (StoreDocuments) throws -> TrustDocument) throws -> Result {
    try store.writable().exclusively {
      let documents = try documents()
      try rememberNewest(of: documents)
      let document = try document(documents)
      do throws(DocumentError) { try document.check() } catch {
        throw TrustError.trustUnsuitable(store: store.name, reason: error.message)
      }
      if let expires = document.expires { try checkExpiry(expires, after: documents.catalog) }
      let present = documents.draft?.envelope
      let isSame = present?.document == document
      if !isSame, var unchanged = documents.newest?.document {
        unchanged.version = document.version
        guard unchanged != document else {
          throw TrustError.trustUnsuitable(
            store: store.name, reason: "trust document \(document.version - 1) names the same keys")
        }
      }
      let envelope = isSame ? present ?? TrustEnvelope(document) : TrustEnvelope(document)
      return try finish(
        envelope, documents, dropping: isSame ? 0 : present?.signers.count ?? 0, isForSigning: false)
    }
  }

  /// Verifies that a document has not expired, and does not expire before the date of the catalog.
  private func checkExpiry(_ expires: Timestamp, after current: CurrentCatalog?) throws(TrustError) {
    let reason: String
    if expires <= change.now() {
      reason = "which has passed"
    } else if let published = current?.catalog.published, expires <= published {
      reason = "which is before the catalog of \(published)"
    } else {
      return
    }
    throw .trustUnsuitable(
      store: store.name, reason: "it would expire at \(expires), \(reason); choose another expiry")
  }

  /// Remembers the newest trust document if one of the keys signed it: the run that published it may have been killed
  /// before it updated the memory.
  private func rememberNewest(of documents: StoreDocuments) throws {
    guard let newest = documents.newest, change.hasSigner(among: newest.signers) else { return }
    try change.remember(.init(sequence: documents.catalog?.catalog.sequence ?? 0), under: newest.document)
  }

  /// Signs a draft with the given keys, and publishes it if no signature is missing. Drops signatures of the draft that
  /// do not count.
  private func finish(
    _ draft: TrustEnvelope, _ documents: StoreDocuments, adding signatures: [String] = [],
    dropping dropped: Int = 0,
    isForSigning: Bool
  ) throws -> Result {
    try checkNext(after: draft.document.version)
    // Signatures that do not count must not use up the limit of a document.
    let counted = try draft.keepingSigners { documents.mayUse($0, for: draft) }
    var envelope = counted
    for signature in signatures { envelope = try adding(signature, to: envelope, documents) }
    let previous = documents.newest?.document
    for signer in signers {
      if let key = signer.publicKey, !documents.mayUse(key, for: envelope) {
        try checkUse(of: key, for: envelope.document)
        continue
      }
      let signed = try signer.sign(envelope.payload, for: SSHSignature.trustNamespace)
      guard documents.mayUse(signed.key, for: envelope) else {
        try checkUse(of: signed.key, for: envelope.document)
        continue
      }
      envelope = try envelope.adding(signed.armor)
    }
    let signedCatalog = try signCatalog(for: envelope.document, documents, isForSigning: isForSigning)
    let catalog = signedCatalog > 0 ? try change.currentByAnyKey() : documents.catalog
    let added = envelope.signers.count - counted.signers.count + signedCatalog
    let isComplete = envelope.missing(after: previous, catalog).isEmpty
    let sequence = documents.catalog?.catalog.sequence ?? 0
    if isComplete {
      try checkSequence(of: documents)
      try publish(envelope)
      try change.remember(.init(sequence: sequence), under: envelope.document)
    } else {
      if envelope != documents.draft?.envelope {
        try put(envelope, at: .trustDraft, if: documents.draftTag.map(StoreCondition.unchanged) ?? .absent)
      }
      if added > 0 { try change.remember(.init(sequence: sequence), under: previous, signing: envelope) }
    }
    return Result(
      state: try self.documents().state, previous: previous, isPublished: isComplete, addedSignatures: added,
      catalogSigners: signedCatalog > 0 ? documents.catalog?.signers : nil, droppedSignatures: dropped)
  }

  /// Adds a signature that another program made to a draft whose signatures all count.
  ///
  /// - Throws: `SignatureError`, and `TrustError.uselessKey` for a signature that does not count.
  private func adding(
    _ signature: String, to draft: TrustEnvelope, _ documents: StoreDocuments
  ) throws -> TrustEnvelope {
    let next = try draft.adding(signature)
    if let key = next.signers.first(where: { !documents.mayUse($0, for: draft) }) {
      throw TrustError.uselessKey(
        store: store.name, fingerprint: key.fingerprint, version: draft.document.version)
    }
    return next
  }

  /// Verifies that a key that is not a root key may at least sign catalogs.
  private func checkUse(of key: SSHPublicKey, for document: TrustDocument) throws(TrustError) {
    guard !document.catalogs.contains(key) else { return }
    throw .uselessKey(store: store.name, fingerprint: key.fingerprint, version: document.version)
  }

  /// Publishes a complete document, and removes its draft.
  private func publish(_ envelope: TrustEnvelope) throws {
    try put(envelope, at: .trust(envelope.document.version), if: .absent)
    reader.trustDocuments.forgetMissing()
    try store.writable().delete(.trustDraft)
  }

  private func put(_ envelope: TrustEnvelope, at path: StorePath, if condition: StoreCondition) throws {
    let bytes = envelope.bytes
    guard bytes.count <= DocumentLimits.maximumTrustBytes else {
      throw PublishingError.unreadable(
        place: reader.place(of: path),
        reason: "would have \(bytes.count) bytes, expected at most \(DocumentLimits.maximumTrustBytes)")
    }
    do throws(DocumentError) { _ = try TrustEnvelope(bytes: bytes) } catch {
      throw PublishingError.unreadable(place: reader.place(of: path), reason: error.message)
    }
    try store.writable().put(
      MemoryBytes(bytes), at: path, caching: path.changes ? .revalidated : .immutable, if: condition,
      advance: { _ in })
  }
}
#endif
