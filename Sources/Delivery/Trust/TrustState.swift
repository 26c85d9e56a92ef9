package import Support

/// The trust documents of a store: the newest one, and the draft of the next.
package struct TrustState: Sendable {
  /// A draft, and the signatures that it lacks.
  package struct Draft: Sendable {
    package let document: TrustDocument
    /// The text that keys sign.
    package let payload: [UInt8]
    /// The keys that signed the draft, each once.
    package let signers: [SSHPublicKey]
    /// The signatures that the draft lacks; empty for a complete draft.
    package let missing: [Missing]
    /// The SHA-256 of the text that keys sign.
    package var digest: SHA256Digest { SHA256Digest(of: payload) }
    /// Whether the draft lacks signatures of the current catalog.
    package var requiresCatalogSignatures: Bool {
      missing.contains { if case .catalog = $0.kind { true } else { false } }
    }
  }

  /// Signatures that a draft lacks.
  package struct Missing: Sendable, Equatable {
    /// The keys that must sign the draft or, in the case of `catalog`, the current catalog.
    package enum Kind: Sendable, Equatable {
      /// By the root keys of the preceding document.
      case previousRoots(version: Int64)
      /// By the key of a store that had no trust documents.
      case singleKey
      /// By the root keys of the draft.
      case roots
      /// By the catalog keys of the draft, on the current catalog.
      case catalog(sequence: Int64)
    }

    package let kind: Kind
    /// The number of missing signatures.
    package let count: Int
    /// The keys that have not signed, of which `count` must.
    package let keys: [TrustDocument.NamedKey]
  }

  /// The newest document; nil for a store with a single key.
  package let newest: TrustDocument?
  /// The SHA-256 of the first document, which clients can name; nil for a store with a single key.
  package let firstDigest: SHA256Digest?
  /// The draft of the next document; nil if there is none.
  package let draft: Draft?
  /// The current catalog; nil for a store without one.
  package let catalog: CurrentCatalog?
  /// Whether the newest document accepts the current catalog.
  package var acceptsCatalog: Bool {
    guard let newest, let catalog else { return true }
    return newest.catalogs.accepts(catalog.signers)
  }
}

extension TrustEnvelope {
  /// Returns the signatures that a draft lacks.
  ///
  /// - Parameters:
  ///   - previous: The newest document; nil for a store with a single key.
  ///   - catalog: The current catalog.
  /// - Returns: The missing signatures; empty for a complete draft.
  func missing(after previous: TrustDocument?, _ catalog: CurrentCatalog?) -> [TrustState.Missing] {
    var missing: [TrustState.Missing] = []
    func addMissing(_ kind: TrustState.Missing.Kind, _ role: TrustDocument.Role, by signers: [SSHPublicKey]) {
      guard !role.accepts(signers) else { return }
      missing.append(
        .init(
          kind: kind, count: role.threshold - role.count(signers),
          keys: role.keys.filter { !signers.contains($0.key) }))
    }
    if let previous {
      addMissing(.previousRoots(version: previous.version), previous.roots, by: signers)
    } else if let catalog, !catalog.signers.isEmpty {
      addMissing(.singleKey, .init(keys: catalog.signers.map { .init($0) }, threshold: 1), by: signers)
    }
    addMissing(.roots, document.roots, by: signers)
    if let catalog {
      addMissing(.catalog(sequence: catalog.catalog.sequence), document.catalogs, by: catalog.signers)
    }
    return missing
  }
}
