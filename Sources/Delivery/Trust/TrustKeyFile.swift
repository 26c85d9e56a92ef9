import SafeFiles
package import Support

/// A file with public keys, one per line, such as a `.pub` file.
package enum TrustKeyFile {
  /// The maximum size of the file in bytes.
  private static let maximumFileSize = 1 << 20
  private static let fingerprintPrefix = "SHA256:"

  /// Reads the keys of a file. Empty lines and lines that begin with `#` are skipped.
  ///
  /// - Throws: `FileError` if the file cannot be read, `SignatureError` for invalid contents.
  package static func read(_ path: String, cancellation: Cancellation) throws -> [TrustDocument.NamedKey] {
    guard let bytes = try SmallInput.read(path, atMost: maximumFileSize, cancellation: cancellation) else {
      throw SignatureError("\(path) has more than \(maximumFileSize) bytes, the maximum")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SignatureError("\(path): it is not UTF-8")
    }
    guard !text.contains("PRIVATE KEY-----") else {
      throw SignatureError("\(path): it is a private key; specify its public key, the file that ends in .pub")
    }
    let lines = text.split(whereSeparator: \.isNewline).filter {
      !$0.hasPrefix("#") && !$0.allSatisfy(\.isWhitespace)
    }
    guard !lines.isEmpty else { throw SignatureError("\(path): there is no public key in it") }
    do throws(SignatureError) {
      return try lines.map { (line) throws(SignatureError) in
        let key = try TrustDocument.NamedKey(line: String(line))
        guard key.line.utf8.count <= DocumentLimits.maximumTrustKeyBytes else {
          throw SignatureError(
            "a key with its comment has \(key.line.utf8.count) bytes, expected at most "
              + "\(DocumentLimits.maximumTrustKeyBytes)"
          )
        }
        return key
      }
    } catch {
      throw SignatureError("\(path): \(error.message)")
    }
  }

  /// Returns whether a text is a fingerprint and not the path of a file.
  package static func isFingerprint(_ text: String) -> Bool { text.hasPrefix(fingerprintPrefix) }

  /// Returns the fingerprints of keys; each name is a fingerprint or the path of a file.
  ///
  /// - Throws: The errors of `read`.
  package static func fingerprints(in names: [String], cancellation: Cancellation) throws -> [String] {
    try names.flatMap {
      isFingerprint($0) ? [$0] : try read($0, cancellation: cancellation).map(\.key.fingerprint)
    }
  }
}

extension TrustDocument.Role {
  /// Adds the keys that are missing.
  package mutating func add(_ more: [TrustDocument.NamedKey]) {
    for key in more where !contains(key.key) { keys.append(key) }
  }

  /// Removes keys by their fingerprints. `noun` names the role in messages.
  ///
  /// - Throws: `SignatureError` if the role lacks a key.
  package mutating func remove(_ fingerprints: [String], named noun: String) throws(SignatureError) {
    for fingerprint in fingerprints {
      guard keys.contains(where: { $0.key.fingerprint == fingerprint }) else {
        throw SignatureError("the key \(fingerprint) is not a \(noun) key of the draft")
      }
      keys.removeAll { $0.key.fingerprint == fingerprint }
    }
  }
}
