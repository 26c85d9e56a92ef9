import Support

/// The keys that may sign the catalogs and the trust documents of a store, and how many of them must.
package struct TrustDocument: Sendable, Equatable {
  /// A set of keys, and the minimum number of them that must sign.
  package struct Role: Sendable, Equatable {
    /// The keys, at most `DocumentLimits.maximumTrustKeyCount`.
    package var keys: [NamedKey]
    /// The minimum number of keys that must sign: from 1 to the number of keys.
    package var threshold: Int

    package init(keys: [NamedKey], threshold: Int) {
      self.keys = keys
      self.threshold = threshold
    }

    /// Returns the number of signers that have a key of this role. A key that signed twice counts once.
    package func count(_ signers: [SSHPublicKey]) -> Int {
      Set(signers).intersection(keys.map(\.key)).count
    }

    /// Returns whether enough signers have a key of this role.
    package func accepts(_ signers: [SSHPublicKey]) -> Bool { count(signers) >= threshold }

    /// Returns whether the role has a key.
    package func contains(_ key: SSHPublicKey) -> Bool { keys.contains { $0.key == key } }
  }

  /// A key with the comment of its `.pub` file.
  package struct NamedKey: Sendable, Equatable {
    package let key: SSHPublicKey
    /// The comment; empty for none. Not safe to print.
    package let comment: String

    package init(_ key: SSHPublicKey, comment: String = "") {
      self.key = key
      self.comment = comment
    }
  }

  /// The number of the document: 1 for the first, and one more for each further one.
  package var version: Int64
  /// The time after which clients refuse new installations; nil for no expiry.
  package var expires: Timestamp?
  /// The keys that sign catalogs.
  package var catalogs: Role
  /// The root keys, which sign this document and the next.
  package var roots: Role

  /// Creates a document; `check` verifies its keys and thresholds.
  package init(version: Int64, expires: Timestamp? = nil, catalogs: Role, roots: Role) {
    self.version = version
    self.expires = expires
    self.catalogs = catalogs
    self.roots = roots
  }
}
