import SafeFiles
import StrictJSON
package import Support

/// The keys that may sign catalogs, read from a `.pub` or an allowed_signers file (ssh-keygen(1), ALLOWED SIGNERS), or
/// the trust document that names them.
public struct TrustedKeys: Sendable {
  /// The maximum size of the file in bytes.
  private static let maximumFileSize = 1 << 20

  /// A key with its validity period and namespaces.
  struct Entry: Sendable {
    let key: SSHPublicKey
    /// Patterns of namespaces; nil for every namespace.
    var namespaces: String?
    var validAfter: Timestamp?
    var validBefore: Timestamp?
  }

  let entries: [Entry]
  /// The number and the digest of the trust document that leads a client to the newest one; nil for keys.
  let root: (version: Int64, digest: SHA256Digest)?

  /// Reads the keys or the trust document that a user names; a file may have at most 1 MiB.
  ///
  /// - Parameter path: A `.pub` file with one key, an allowed_signers file, whose principals are ignored, a trust
  ///   document of a store such as `trust/1.json`, or the SHA-256 digest of `trust/1.json` in hexadecimal.
  /// - Returns: The keys, or the trust document that names them.
  /// - Throws: `FileError` if the file cannot be read, `SignatureError` for invalid contents.
  public static func read(_ path: String) throws -> TrustedKeys {
    try read(path, cancellation: Cancellation())
  }

  /// Reads the keys or the trust document that a user names, as `read(_:)` does, possibly from a pipe.
  ///
  /// - Throws: The errors of `read(_:)`; `FileError` with code `.canceled` for cancelled work.
  package static func read(_ path: String, cancellation: Cancellation) throws -> TrustedKeys {
    if let digest = try SHA256Digest(named: path) { return TrustedKeys(root: (1, digest)) }
    guard let text = try SmallInput.read(path, atMost: maximumFileSize, cancellation: cancellation) else {
      throw SignatureError("\(path) has more than \(maximumFileSize) bytes, the maximum")
    }
    if text.first == UInt8(ascii: "{") {
      do throws(DocumentError) {
        let document = try TrustEnvelope(bytes: text).document
        return TrustedKeys(root: (document.version, SHA256Digest(of: text)))
      } catch {
        throw SignatureError("\(path): \(error.message)")
      }
    }
    do throws(SignatureError) {
      return try TrustedKeys(text: text)
    } catch {
      throw SignatureError("\(path): \(error.message)")
    }
  }

  private init(root: (version: Int64, digest: SHA256Digest)) {
    entries = []
    self.root = root
  }

  /// The point from which the trust documents of a store are read.
  var anchor: TrustAnchor {
    if let root { return .digest(root.digest, version: root.version) }
    return .keys([], or: self)
  }

  /// Returns whether the signature of a key makes the first trust document of a store trusted.
  func mayVouch(_ key: SSHPublicKey) -> Bool {
    entries.contains { entry in
      entry.key == key && entry.isValid(at: .now)
        && [SSHSignature.namespace, SSHSignature.trustNamespace].contains(where: entry.allows)
    }
  }

  /// Parses the lines of a `.pub` or allowed_signers file. Every invalid line is an error, since ignoring a restriction
  /// would trust too much.
  package init(text: [UInt8]) throws(SignatureError) {
    guard let text = String(validating: text, as: UTF8.self) else {
      throw SignatureError("it is not UTF-8")
    }
    guard !text.contains("PRIVATE KEY-----") else {
      throw SignatureError("it is a private key; specify its public key, the file that ends in .pub")
    }
    var entries: [Entry] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
    for (index, line) in lines.enumerated() {
      var words = SignerTokens(line)
      guard let first = try words.next(), !first.hasPrefix("#") else { continue }
      do throws(SignatureError) {
        entries.append(try Entry(first, &words))
      } catch {
        throw SignatureError("line \(index + 1): \(error.message)")
      }
    }
    guard !entries.isEmpty else { throw SignatureError("there is no public key in it") }
    self.entries = entries
    root = nil
  }

  /// Returns why a key may not sign catalogs at a given time; nil if it may.
  package func error(of key: SSHPublicKey, at time: Timestamp) -> SignatureError? {
    let named = entries.filter { $0.key == key }
    guard !named.isEmpty else { return SignatureError("the key \(key.fingerprint) is not trusted") }
    guard let forCatalogs = named.first(where: { $0.allows(SSHSignature.namespace) }) else {
      return SignatureError(
        "the key \(key.fingerprint) is not trusted for the namespace \(SSHSignature.namespace)")
    }
    guard !named.contains(where: { $0.allows(SSHSignature.namespace) && $0.isValid(at: time) }) else {
      return nil
    }
    let isEarly = forCatalogs.validAfter.map { time < $0 } ?? false
    return SignatureError(
      "the key \(key.fingerprint) is \(isEarly ? "not valid yet" : "no longer valid") at \(time)")
  }
}

extension TrustedKeys.Entry {
  /// Parses a line: the words of a public key, optionally preceded by principals and options.
  fileprivate init(_ first: String, _ words: inout SignerTokens) throws(SignatureError) {
    if Self.isAlgorithm(first) {
      self.init(key: try SSHPublicKey(line: "\(first) \(words.remaining)"))
      return
    }
    var options: String?
    guard var word = try words.next() else { throw SignatureError("there is no public key") }
    if !Self.isAlgorithm(word) {
      options = word
      guard let next = try words.next() else { throw SignatureError("there is no public key") }
      word = next
    }
    self.init(key: try SSHPublicKey(line: "\(word) \(words.remaining)"))
    try read(options: options ?? "")
  }

  private static func isAlgorithm(_ word: String) -> Bool {
    ["ssh-", "ecdsa-", "sk-"].contains { word.hasPrefix($0) }
  }

  private mutating func read(options: String) throws(SignatureError) {
    for option in SignerTokens.options(options) {
      let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
      var value = parts.count > 1 ? parts[1] : nil
      if let quoted = value, quoted.hasPrefix("\""), quoted.hasSuffix("\""), quoted.utf8.count >= 2 {
        value = String(quoted.dropFirst().dropLast())
      }
      switch (parts.first?.lowercased(), value) {
      case ("namespaces", let value?): namespaces = value
      case ("valid-after", let value?): validAfter = try Self.time(value)
      case ("valid-before", let value?): validBefore = try Self.time(value)
      case ("cert-authority", _): throw .unsupportedKey("-cert-v01@openssh.com")
      default: throw SignatureError("the option '\(option)' is not known")
      }
    }
  }

  private static func time(_ text: String) throws(SignatureError) -> Timestamp {
    guard let time = SignerTime.parse(text) else {
      throw SignatureError("'\(text)' is not a time, expected YYYYMMDD or YYYYMMDDHHMM[SS], with a Z for UTC")
    }
    return time
  }

  func allows(_ namespace: String) -> Bool {
    guard let namespaces else { return true }
    return SignerPattern.list(namespaces, matches: namespace)
  }

  func isValid(at time: Timestamp) -> Bool {
    // Both bounds are inclusive, as in ssh-keygen.
    (validAfter.map { $0 <= time } ?? true) && (validBefore.map { time <= $0 } ?? true)
  }
}
