import Support

/// The keys that may sign the catalogs and the trust documents of a store, and how many of them must.
package struct TrustDocument: Sendable, Equatable {
  /// A set of keys, and the number of them that must sign.
  package struct Role: Sendable, Equatable {
    package var keys: [NamedKey]
    package var threshold: Int

    package init(keys: [NamedKey], threshold: Int) {
      self.keys = keys
      self.threshold = threshold
    }

    /// Returns the number of keys that are of this role. A key that signed twice counts once.
    package func count(_ signers: [SSHPublicKey]) -> Int {
      Set(signers).intersection(keys.map(\.key)).count
    }

    /// Returns whether enough of the keys are of this role.
    package func accepts(_ signers: [SSHPublicKey]) -> Bool { count(signers) >= threshold }

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

  /// Increases by one with each document, from 1.
  package var version: Int64
  /// The end of the period in which new installations may use the document; nil for no expiry.
  package var expires: Timestamp?
  package var catalogs: Role
  package var roots: Role

  package init(version: Int64, expires: Timestamp? = nil, catalogs: Role, roots: Role) {
    self.version = version
    self.expires = expires
    self.catalogs = catalogs
    self.roots = roots
  }
}
