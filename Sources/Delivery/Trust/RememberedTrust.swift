#if COMMAND_LINE_TOOL
package import SafeFiles

extension CatalogChange {
  /// The errors of the memories of keys that could not be written.
  package var unwrittenMemories: [FileError] { observed.unwritten }

  /// Verifies that the store has the trust documents that the keys had seen there before the catalog was read.
  ///
  /// - Throws: `TrustError.trustForgotten`, `StoreError`.
  func checkRemembered(_ newest: TrustDocument?) throws {
    for note in memories.compactMap(\.trust) {
      guard let newest, newest.version >= note.version, try reader.trust(1)?.digest == note.first else {
        throw TrustError.trustForgotten(store: store.name, version: note.version)
      }
    }
    let signed = memories.compactMap(\.signedFirst)
    guard newest != nil, !signed.isEmpty, let first = try reader.trust(1)?.envelope.digest else { return }
    guard signed.allSatisfy({ $0 == first }) else {
      throw TrustError.trustForgotten(store: store.name, version: 1)
    }
  }

  /// Remembers a change of the catalog and the trust documents in the memories of the keys, and the draft that they signed
  /// if it is the first document. A memory that cannot be written is only noted, because the store has already changed.
  func remember(
    _ change: KeyMemory.Change, under newest: TrustDocument?, signing draft: TrustEnvelope? = nil
  ) throws {
    var change = change
    change.known = Set(memories.map(\.catalog))
    let first = try newest == nil ? nil : reader.trust(1)?.digest
    change.trust = newest.flatMap { newest in
      first.map { KeyMemory.Trust(version: newest.version, first: $0) }
    }
    change.signedFirst = draft.flatMap { $0.document.version == 1 ? $0.digest : nil }
    for signer in signers {
      do throws(FileError) { try signer.memory.remember(change, of: store.name) } catch {
        observed.record(FileError(.write, signer.memory.path, error.errno, detail: error.detail))
      }
    }
  }
}
#endif
