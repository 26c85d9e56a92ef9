import ContentPackage
import SafeFiles
package import Support

/// Signs catalogs by `ssh-keygen -Y sign`, so that keys in an agent or behind a passphrase work as people know them,
/// and no private key is ever read here.
package struct CatalogSigner: Sendable {
  /// More is no public key.
  private static let maximumKeyFileSize = 1 << 16

  /// A private key, or a public one whose private key an agent has.
  private let keyFile: String
  private let cancellation: Cancellation
  /// The key, where that is known before anything is signed: from the file itself, or the `.pub` beside it.
  package let publicKey: SSHPublicKey?

  /// - Throws: `FileError` if the file cannot be opened, `SignatureError` for a key that is not Ed25519, or that
  ///   OpenSSH refuses because of its permissions.
  package init(keyFile: String, cancellation: Cancellation) throws {
    self.keyFile = keyFile
    self.cancellation = cancellation
    let file = try InputFile.open(keyFile)
    var publicKey = try Self.publicKey(in: file)
    if publicKey == nil {
      try Self.checkPermissions(of: file)
      if let beside = try? InputFile.open(keyFile + ".pub") { publicKey = try Self.publicKey(in: beside) }
    }
    self.publicKey = publicKey
  }

  /// OpenSSH uses no private key of its user's that anybody else may read (`sshkey_perm_ok`), which is better known before
  /// an upload than behind it.
  private static func checkPermissions(of file: InputFile) throws(SignatureError) {
    let status = file.status
    guard status.owner == FileSystem.effectiveUser, status.permissions & 0o077 != 0 else { return }
    throw SignatureError(
      "the key \(file.path) cannot sign: its permissions are 0\(String(status.permissions, radix: 8)), and "
        + "ssh-keygen refuses a key that others may access; run chmod 600 on it")
  }

  /// The public key that a file holds; nil if it holds something else.
  private static func publicKey(in file: InputFile) throws -> SSHPublicKey? {
    let bytes = try file.bytes(at: 0, count: maximumKeyFileSize)
    guard let text = String(validating: bytes, as: UTF8.self), !text.hasPrefix("-----") else { return nil }
    let lines = text.split(whereSeparator: \.isNewline)
    guard let line = lines.first(where: { !$0.hasPrefix("#") }) else { return nil }
    do throws(SignatureError) {
      return try SSHPublicKey(line: String(line))
    } catch {
      throw SignatureError("the key \(file.path) cannot sign: \(error.message)")
    }
  }

  /// Signs the payload of a catalog.
  ///
  /// - Returns: the armoured signature, and the key that made it.
  /// - Throws: `SignatureError` if `ssh-keygen` cannot sign, or with another kind of key; `FileError`,
  ///   `Interruption`.
  package func sign(_ payload: [UInt8]) throws -> (armour: String, key: SSHPublicKey) {
    try sign(payload, for: SSHSignature.namespace)
  }

  /// The namespace of signatures that only try a key, so that none of them can ever stand for a catalog.
  private static let probeNamespace = "probe@iapkg"

  /// Tries whether the key can sign.
  ///
  /// - Returns: the key.
  /// - Throws: as `sign`.
  func probe() throws -> SSHPublicKey {
    try sign(Array("iapkg tries this key".utf8), for: Self.probeNamespace).key
  }

  private func sign(
    _ payload: [UInt8], for namespace: String
  ) throws -> (armour: String, key: SSHPublicKey) {
    let outcome: ChildProcess.Outcome
    let mayAsk = StandardStream.error.isTerminal
    do {
      outcome = try ChildProcess.run(
        ["ssh-keygen", "-Y", "sign", "-f", keyFile, "-n", namespace, "-O", "hashalg=sha512"],
        input: payload, mayAsk: mayAsk, variables: mayAsk ? [:] : ["SSH_ASKPASS_REQUIRE": "never"],
        cancellation: cancellation)
    } catch let error as FileError where error.path == "ssh-keygen" {
      throw SignatureError(
        "ssh-keygen cannot be started, which signs catalogs: \(error.errno); install OpenSSH")
    }
    let said = String(decoding: outcome.errors, as: UTF8.self).split(whereSeparator: \.isNewline).last ?? ""
    guard outcome.code == 0 else {
      throw SignatureError("ssh-keygen cannot sign with \(keyFile): \(said)")
    }
    let armour = String(decoding: outcome.output, as: UTF8.self)
    do throws(SignatureError) {
      let signature = try SSHSignature(armoured: armour, namespace: namespace)
      guard signature.isValid(for: payload, namespace: namespace) else {
        throw SignatureError("it is not valid")
      }
      return (armour, signature.key)
    } catch {
      throw SignatureError(
        "the signature that ssh-keygen made with \(keyFile) cannot be used: \(error.message)")
    }
  }
}
