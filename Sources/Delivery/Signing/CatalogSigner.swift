#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles
package import Support

/// Signs catalogs and trust documents with `ssh-keygen -Y sign`. Keys in an agent or behind a passphrase work as usual,
/// and this process never uses a private key.
package struct CatalogSigner: Sendable {
  /// The number of bytes read in search of a public key; no public key is larger.
  private static let maximumKeyFileSize = 1 << 16

  /// The path of a private key, or of a public key whose private key is in an agent.
  private let keyFile: String
  private let cancellation: Cancellation
  /// The memory of the stores that the key signed for.
  let memory: KeyMemory
  /// The public key, from the key file or from the `.pub` file beside it; nil if neither contains the key. The public part
  /// of an OpenSSH private key is not encrypted.
  package let publicKey: SSHPublicKey?

  /// Reads a key file and checks the memory of the key.
  ///
  /// - Throws: `FileError` if the file cannot be opened; `SignatureError` for a key that is not Ed25519 or whose permissions
  ///   OpenSSH rejects, and for an unreadable memory of the key.
  package init(keyFile: String, cancellation: Cancellation) throws {
    self.keyFile = keyFile
    self.cancellation = cancellation
    memory = KeyMemory(keyFile: keyFile)
    try memory.check()
    let file = try InputFile.open(keyFile)
    let text = String(validating: try file.bytes(at: 0, count: Self.maximumKeyFileSize), as: UTF8.self)
    if let text, !text.hasPrefix(Self.privateKeyStart), let key = try Self.publicKey(in: text, of: file) {
      publicKey = key
      return
    }
    try Self.checkPermissions(of: file)
    if let text,
      let key = try Self.reporting(file, { () throws(SignatureError) in try SSHPublicKey(privateKey: text) })
    {
      publicKey = key
    } else if let beside = try? InputFile.open(keyFile + ".pub"),
      let text = String(validating: try beside.bytes(at: 0, count: Self.maximumKeyFileSize), as: UTF8.self)
    {
      publicKey = try Self.publicKey(in: text, of: beside)
    } else {
      publicKey = nil
    }
  }

  /// Rejects a private key that users other than its owner may access. OpenSSH rejects it too (sshkey_perm_ok), but only
  /// when it signs, after the upload.
  private static func checkPermissions(of file: InputFile) throws(SignatureError) {
    let status = file.status
    guard status.owner == FileSystem.effectiveUser, status.permissions & 0o077 != 0 else { return }
    throw SignatureError(
      "the key \(file.path) cannot sign: its permissions are 0\(String(status.permissions, radix: 8)), and "
        + "ssh-keygen refuses a key that others may access; run chmod 600 on it")
  }

  /// The start of every private key.
  private static let privateKeyStart = "-----"

  /// Returns the public key in the text of a file; nil if the text has only empty lines and comments.
  private static func publicKey(in text: String, of file: InputFile) throws(SignatureError) -> SSHPublicKey? {
    let lines = text.split(whereSeparator: \.isNewline)
    guard let line = lines.first(where: { !$0.hasPrefix("#") }) else { return nil }
    return try reporting(file) { () throws(SignatureError) in try SSHPublicKey(line: String(line)) }
  }

  /// Adds the path of a key file to an error.
  private static func reporting<Value>(
    _ file: InputFile, _ parse: () throws(SignatureError) -> Value
  ) throws(SignatureError) -> Value {
    do throws(SignatureError) { return try parse() } catch {
      throw SignatureError("the key \(file.path) cannot sign: \(error.message)")
    }
  }

  /// Signs the payload of a catalog.
  ///
  /// - Returns: The armored signature, and the key that made it.
  /// - Throws: `SignatureError` if `ssh-keygen` cannot sign, or the key is not Ed25519; `FileError`, `Interruption`.
  package func sign(_ payload: [UInt8]) throws -> ArmoredSignature {
    try sign(payload, for: SSHSignature.namespace)
  }

  /// A signature and the key that made it.
  package typealias ArmoredSignature = (armor: String, key: SSHPublicKey)

  /// The namespace of probe signatures, so that none of them is valid for a catalog.
  private static let probeNamespace = "probe@iapkg"

  /// Verifies that the key can sign.
  ///
  /// - Returns: The key.
  /// - Throws: The errors of `sign`.
  func probe() throws -> SSHPublicKey {
    try sign(Array("iapkg tries this key".utf8), for: Self.probeNamespace).key
  }

  /// Signs a payload for a namespace.
  ///
  /// - Throws: The errors of `sign(_:)`.
  func sign(_ payload: [UInt8], for namespace: String) throws -> ArmoredSignature {
    let outcome: ChildProcess.Outcome
    let mayPrompt = StandardStream.error.isTerminal
    do {
      outcome = try ChildProcess.run(
        ["ssh-keygen", "-Y", "sign", "-f", keyFile, "-n", namespace, "-O", "hashalg=sha512"],
        input: payload, mayPrompt: mayPrompt, variables: mayPrompt ? [:] : ["SSH_ASKPASS_REQUIRE": "never"],
        cancellation: cancellation)
    } catch let error as FileError where error.path == "ssh-keygen" {
      throw SignatureError(
        "cannot start ssh-keygen, which signs catalogs: \(error.errno); install OpenSSH")
    }
    let reported =
      String(decoding: outcome.errors, as: UTF8.self).split(whereSeparator: \.isNewline).last ?? ""
    guard outcome.code == 0 else {
      if !mayPrompt, reported.contains("passphrase") {
        throw SignatureError(
          "the key \(keyFile) has a passphrase, and there is no terminal to ask for it; add the key to ssh-agent with "
            + "ssh-add")
      }
      if reported.contains("No user exists for uid") {
        throw SignatureError("ssh-keygen needs an entry for uid \(FileSystem.effectiveUser) in /etc/passwd")
      }
      throw SignatureError("ssh-keygen cannot sign with \(keyFile): \(reported)")
    }
    let armor = String(decoding: outcome.output, as: UTF8.self)
    do throws(SignatureError) {
      let signature = try SSHSignature(armored: armor, namespace: namespace)
      guard signature.isValid(for: payload, namespace: namespace) else {
        throw SignatureError("it is not valid")
      }
      return (armor, signature.key)
    } catch {
      throw SignatureError(
        "the signature that ssh-keygen made with \(keyFile) cannot be used: \(error.message)")
    }
  }
}
#endif
