#if COMMAND_LINE_TOOL
import StrictJSON
import Support

/// The documents on which a change of the keys is based.
extension TrustEditor {
  /// The documents of a store.
  struct StoreDocuments {
    let newest: TrustEnvelope?
    let firstDigest: SHA256Digest?
    let draft: (envelope: TrustEnvelope, tag: ObjectTag)?
    /// The tag of the draft, even if the draft is not the next document.
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

    /// Returns whether the signature of a key counts for a draft.
    func mayUse(_ key: SSHPublicKey, for draft: TrustEnvelope) -> Bool {
      if draft.document.roots.contains(key) { return true }
      return newest?.document.roots.contains(key) ?? catalog?.signers.contains(key) ?? false
    }
  }

  /// Reads the documents of the store.
  ///
  /// - Throws: `PublishingError.catalogMissing` or `.catalogLost` if the store has no catalog and one of the keys
  ///   remembers one; `TrustError`, `IntegrityError`, `StoreError`.
  func documents() throws -> StoreDocuments {
    change.readMemories()
    let catalog = try change.currentByAnyKey()
    let newest = try reader.newestTrustFromFirst(of: catalog)
    if catalog == nil { try change.checkAbsence() }
    try change.checkRemembered(newest?.document)
    let draft = try draft()
    let next = (newest?.document.version ?? 0) + 1
    return StoreDocuments(
      newest: newest, firstDigest: newest == nil ? nil : try reader.trust(1)?.digest,
      draft: draft.flatMap { $0.envelope.document.version == next ? $0 : nil }, draftTag: draft?.tag,
      catalog: catalog)
  }

  /// Reads the draft; nil if there is none.
  private func draft() throws -> (envelope: TrustEnvelope, tag: ObjectTag)? {
    let place = reader.place(of: .trustDraft)
    let found: StoredObject?
    do throws(StoreError) {
      found = try store.object(at: .trustDraft, limit: DocumentLimits.maximumTrustBytes)
    } catch {
      guard error.reason == .missing else { throw error }
      found = nil
    }
    guard let object = found else { return nil }
    do throws(DocumentError) {
      return (try TrustEnvelope(bytes: object.bytes), object.tag)
    } catch {
      throw IntegrityError(place, "cannot be read: \(error.message); delete it, and make the draft again")
    }
  }
}
#endif
