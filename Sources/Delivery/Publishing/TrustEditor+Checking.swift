#if COMMAND_LINE_TOOL
package import SafeFiles
import Support

/// Checks of documents that other users may have put into the store, before a key signs them.
extension TrustEditor {
  /// The errors of the memories of keys that could not be written.
  package var unwrittenMemories: [FileError] { change.unwrittenMemories }

  /// Returns whether a key is one of the given keys.
  package func signs(with key: SSHPublicKey) -> Bool { signers.contains { $0.publicKey == key } }

  /// Verifies that the given keys sign no changes of other users. A draft in the store must have only the present
  /// change, or the signature of every given key that may sign it.
  ///
  /// - Throws: `TrustError.draftUnseen`.
  func checkSeen(
    _ documents: StoreDocuments, becoming document: TrustDocument,
    by change: (inout TrustDocument) throws -> Void
  ) throws {
    guard let draft = documents.draft?.envelope else { return }
    let isUnseen = signers.contains { signer in
      guard let key = signer.publicKey else { return true }
      return documents.mayUse(key, for: draft) && !draft.signers.contains(key)
    }
    guard isUnseen else { return }
    var unchanged = documents.newest?.document
    unchanged?.version = document.version
    let hasOnlyThisChange =
      if var changed = unchanged { (try? change(&changed)) != nil && changed == document } else { false }
    guard !hasOnlyThisChange else { return }
    throw TrustError.draftUnseen(store: store.name, version: document.version)
  }

  /// Verifies that the store has no trust document after the one that is to be published: clients that reached such a
  /// document would refuse the store.
  ///
  /// - Throws: `IntegrityError`, `StoreError`.
  func checkNext(after version: Int64) throws {
    let path = StorePath.trust(version + 1)
    guard try store.status(of: path) != nil else { return }
    throw IntegrityError(
      reader.place(of: path),
      "exists, although there is no trust document \(version) yet, so another user may have put it there; delete it"
    )
  }

  /// Verifies that the catalog is not behind the last one that the keys have seen, and has the releases that they
  /// remember. Clients would not detect an older catalog: under a new trust document, they accept any sequence number.
  ///
  /// - Throws: `TrustError.catalogUnknown`, `StoreError`.
  func checkSequence(of documents: StoreDocuments) throws {
    guard catalogDigest == nil, let current = documents.catalog else { return }
    let last = change.rememberedSequence(under: documents.newest?.document) ?? 0
    let reason =
      last > current.catalog.sequence
      ? "is behind catalog \(last), which one of the keys given has seen"
      : try missingReleaseReason(in: current)
    guard let reason else { return }
    throw TrustError.catalogUnknown(
      store: store.name, sequence: current.catalog.sequence, reason: reason,
      digest: current.digest.hexadecimal)
  }

  /// Returns a reason with the first remembered release that a catalog lacks; nil if it has all.
  private func missingReleaseReason(in current: CurrentCatalog) throws -> String? {
    guard let first = try change.missingReleases(in: current).entries.first else { return nil }
    return "lacks \(first), which is in a catalog that one of the keys given signed"
  }

  /// Adds the signatures of the given keys to the current catalog, if a document does not accept it yet.
  ///
  /// Leaves a catalog that no known key signed unchanged; if `isForSigning`, throws instead.
  ///
  /// - Returns: The number of signatures added.
  /// - Throws: `TrustError.catalogUnknown`, `SignatureError`, `StoreError`.
  func signCatalog(for document: TrustDocument, _ documents: StoreDocuments, isForSigning: Bool) throws -> Int
  {
    guard let current = documents.catalog, !document.catalogs.accepts(current.signers) else { return 0 }
    var added: [CatalogSigner.ArmoredSignature] = []
    for signer in signers {
      if let key = signer.publicKey, !document.catalogs.contains(key) { continue }
      let signed = try signer.sign(current.envelope.payload)
      guard document.catalogs.contains(signed.key), !current.signers.contains(signed.key) else { continue }
      added.append(signed)
    }
    guard !added.isEmpty else { return 0 }
    if let reason = try reasonForUnknownCatalog(current, after: documents.newest?.document) {
      guard isForSigning else { return 0 }
      throw TrustError.catalogUnknown(
        store: store.name, sequence: current.catalog.sequence, reason: reason,
        digest: current.digest.hexadecimal)
    }
    let envelope = CatalogEnvelope(
      payload: current.envelope.payload, signatures: current.envelope.signatures + added.map(\.armor))
    let missing = try change.missingReleases(in: current)
    _ = try change.replace(current.tag, with: current.catalog, in: envelope.bytes)
    var signed = KeyMemory.Change(sequence: current.catalog.sequence)
    // The caller may have named a catalog that lacks releases: the keys then require them in the next one.
    if missing.isEmpty {
      signed.releases = missing.listed
      signed.catalog = KeyMemory.SignedCatalog(current.catalog, current.digest, unread: missing.unread)
    }
    try change.remember(signed, under: documents.newest?.document)
    return added.count
  }

  /// Returns a reason why a catalog may not be the publisher's; nil for a known one, and if the caller named a digest,
  /// which `sign` has compared.
  private func reasonForUnknownCatalog(_ current: CurrentCatalog, after newest: TrustDocument?) throws
    -> String?
  {
    guard catalogDigest == nil else { return nil }
    let found = current.signers.map(\.fingerprint).joined(separator: " and ")
    let signed = found.isEmpty ? "is not signed" : "is signed by \(found)"
    if let newest {
      guard newest.catalogs.accepts(current.signers) else {
        return "\(signed), and trust document \(newest.version) does not accept it"
      }
    } else if !signers.compactMap(\.publicKey).contains(where: current.signers.contains) {
      return found.isEmpty ? signed : "\(signed), which is none of the keys given"
    }
    if let last = change.rememberedSequence(under: newest), last > current.catalog.sequence {
      return "\(signed), and one of the keys signed catalog \(last) of this store"
    }
    return try missingReleaseReason(in: current)
  }
}
#endif
