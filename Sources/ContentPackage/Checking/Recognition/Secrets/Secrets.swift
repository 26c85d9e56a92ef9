import Support
import ZipArchive

/// Private keys and files of credentials.
enum Secrets {
  // MARK: By bytes

  /// Recognizes a secret by the start of a file.
  static func recognize(_ file: FileExcerpt) -> Recognition? {
    let head = file.head.borrowedSpan
    guard let first = file.head.first else { return nil }
    // ASN.1: a sequence. The byte is also the digit 0, with which a text can begin.
    if first == 0x30, let key = keyInDER(file) { return key }
    // PuTTY's sshpubk.c: "PuTTY-User-Key-File-" and the version.
    if head.has("PuTTY-User-Key-File-", at: 0) {
      let isComplete = head.firstRange(of: "Private-Lines:", anchor: 0) != nil
      return isComplete ? key("a PuTTY private key") : secret("a PuTTY private key")
    }
    // OpenJDK's JavaKeyStore.java and JceKeyStore.java: magic number, version 1 or 2, the number of entries, and the
    // kind of the first entry, which is 2 for a certificate. A keystore of certificates alone has no secret.
    if let magic = head.uint32(at: 0, .big), magic == 0xFEED_FEED || magic == 0xCECE_CECE,
      let version = head.uint32(at: 4, .big), (1...2).contains(version),
      let kind = head.uint32(at: 12, .big), kind == 1 || kind == 3
    {
      return secret("a Java key store")
    }
    if let key = keyInText(file) { return key }
    return hasAWSKey(head) ? secret("an AWS access key") : nil
  }

  /// Returns whether the text assigns a secret access key, as the AWS CLI's `credentials` and environment files do.
  ///
  /// A key has 40 characters of base64, including digits and both letter cases. A name without a value, or with a variable
  /// or function as its value, is ordinary source code.
  private static func hasAWSKey(_ text: Span<UInt8>) -> Bool {
    hasAWSKey(text, named: "aws_secret_access_key") || hasAWSKey(text, named: "AWS_SECRET_ACCESS_KEY")
  }

  private static func hasAWSKey(_ text: Span<UInt8>, named name: StaticString) -> Bool {
    var start = 0
    while let found = text.firstRange(of: name, anchor: 3, from: start) {
      start = found.upperBound
      var position = found.upperBound
      while position < text.count, separators.contains(text[position]) { position += 1 }
      let key = position..<position + awsKeyLength
      guard text.all(key, \.isBase64), key.upperBound == text.count || !text[key.upperBound].isBase64 else {
        continue
      }
      let hasEveryKind =
        !text.all(key) { !$0.isDigit } && !text.all(key) { !$0.isUpperCase }
        && !text.all(key) { !$0.isLowerCase }
      if hasEveryKind, !text.has(exampleEnd, at: key.upperBound - exampleEnd.utf8CodeUnitCount) {
        return true
      }
    }
    return false
  }

  /// The ending of the example key in AWS's documentation.
  private static let exampleEnd: StaticString = "EXAMPLEKEY"

  private static let awsKeyLength = 40

  /// The characters between a name and its value in settings, JSON and source code.
  private static let separators = Array(" \t=:\"'".utf8)

  /// Recognizes a private key in a text, or in a string within other data. Searches the start of every file, and the end
  /// of a document.
  private static func keyInText(_ file: FileExcerpt) -> Recognition? {
    let head = file.head.borrowedSpan
    let isCut = file.size > Int64(head.count)
    let end = isCut && isDocument(file.head) ? file.end : []
    var evidence = PrivateKeyText.evidence(in: head, isCut: isCut)
    // Certificates often come before the key.
    if evidence != .complete {
      evidence = max(evidence, PrivateKeyText.evidence(in: end.borrowedSpan, isCut: false))
    }
    if evidence == .complete { return key("a private key") }
    if JSONWebKey.isPrivate(in: head) || isJSON(head) && JSONWebKey.isPrivate(in: end.borrowedSpan) {
      return key("a private key (JWK)")
    }
    return evidence == .partial ? secret("what looks like a private key") : nil
  }

  /// Returns whether a file starts like a text or a property list.
  private static func isDocument(_ head: [UInt8]) -> Bool {
    if head.borrowedSpan.firstRange(of: "\0", anchor: 0) == nil { return true }
    return documentStarts.contains { head.borrowedSpan.isPrefixed(by: $0) } || isUTF16(head)
  }

  /// Returns whether the first character of a file begins a JSON object or array.
  private static func isJSON(_ head: Span<UInt8>) -> Bool {
    var position = 0
    while position < head.count, bytesBeforeJSON.contains(head[position]) { position += 1 }
    return position < head.count
      && (head[position] == UInt8(ascii: "{") || head[position] == UInt8(ascii: "["))
  }

  /// White space, and the bytes of byte order marks and of UTF-16.
  private static let bytesBeforeJSON: [UInt8] = [0x20, 0x0A, 0x0D, 0x09, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x00]

  /// The byte order marks of UTF-16, and the start of a binary property list.
  private static let documentStarts: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF], Array("bplist".utf8)]

  /// The number of leading ASCII characters that identify UTF-16 without a byte order mark.
  private static let utf16CharacterCount = 32

  /// Returns whether bytes begin with ASCII characters in UTF-16.
  private static func isUTF16(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 2 * utf16CharacterCount else { return false }
    return [1, 0].contains { zero in
      (0..<utf16CharacterCount).allSatisfy { bytes[2 * $0 + zero] == 0 && bytes[2 * $0 + 1 - zero] != 0 }
    }
  }

  /// Recognizes PKCS#12 (RFC 7292, 4) and private keys (RFC 5958, RFC 8017 A.1.2, RFC 5915) in DER.
  private static func keyInDER(_ file: FileExcerpt) -> Recognition? {
    let head = file.head.borrowedSpan
    guard let outer = DER.element(head, at: 0), outer.end == file.size || outer.isIndefinite else {
      return nil
    }
    if isEncryptedKey(head, outer) { return key("an encrypted private key") }
    guard let version = DER.element(head, at: outer.content), version.tag == 0x02,
      version.end == version.content + 1,
      let next = DER.element(head, at: Int(version.end))
    else { return nil }
    let isData = DER.element(head, at: next.content).map { $0.tag == 0x06 } ?? false
    switch (head[version.content], next.tag) {
    case (3, 0x30) where isData: return secret("a PKCS#12 file, which has a private key")
    case (0, 0x30) where isData, (1, 0x30) where isData: return key("a private key")
    case (0, 0x02) where next.end - Int64(next.content) >= 64: return key("a private key (RSA)")
    case (1, 0x04) where outer.end - next.end < 200: return key("a private key (elliptic curve)")
    default: return nil
    }
  }

  /// Returns whether the element is EncryptedPrivateKeyInfo (RFC 5958, 3): an algorithm of PKCS#5 (RFC 8018) or
  /// PKCS#12, and the data.
  private static func isEncryptedKey(_ head: Span<UInt8>, _ outer: DER.Element) -> Bool {
    guard let algorithm = DER.element(head, at: outer.content), algorithm.tag == 0x30,
      let identifier = DER.element(head, at: algorithm.content), identifier.tag == 0x06,
      algorithm.end < head.count, let data = DER.element(head, at: Int(algorithm.end)), data.tag == 0x04
    else { return false }
    let name = head.extracting(identifier.content..<min(head.count, Int(identifier.end)))
    return data.end == outer.end && encryptionNames.contains { name.isPrefixed(by: $0) }
  }

  /// The encoded prefixes of encryption algorithms: 1.2.840.113549.1.5 and 1.2.840.113549.1.12.1.
  private static let encryptionNames: [[UInt8]] = [
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5], [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 12, 1],
  ]

  // MARK: By name

  /// Recognizes a secret by the names of a file and its folder, ignoring letter case.
  static func recognize(_ path: EntryPath) -> Recognition? {
    let name = path.name
    // Most names need no further check.
    guard let first = name.first, "._iacmIACM".utf8.contains(first), name.count < 48 else { return nil }
    let text = folded(name)
    if let formatName = names[text] { return secret(formatName) }
    if text.hasPrefix(".env."), !templates.contains(text.dropFirst(5)) {
      return secret("environment settings")
    }
    let folder = path.parent.map { folded($0.name) } ?? ""
    return namesInFolders["\(folder)/\(text)"].map(secret)
  }

  private static func folded(_ name: ArraySlice<UInt8>) -> String {
    String(decoding: name, as: UTF8.self).lowercased()
  }

  /// The names of files that indicate a secret, in lower case.
  private static let names = [
    ".env": "environment settings", ".netrc": "passwords of network clients",
    "_netrc": "passwords of network clients", ".npmrc": "npm settings, which may have a token",
    ".yarnrc.yml": "Yarn settings, which may have a token", ".pypirc": "PyPI passwords",
    ".git-credentials": "Git passwords", ".pgpass": "PostgreSQL passwords",
    ".my.cnf": "MySQL passwords",
    ".s3cfg": "S3 access keys", ".boto": "AWS access keys", ".dockercfg": "Docker passwords",
    ".htpasswd": "web server passwords", ".terraformrc": "Terraform settings, which may have a token",
    "id_rsa": "an SSH private key", "id_dsa": "an SSH private key", "id_ecdsa": "an SSH private key",
    "id_ecdsa_sk": "an SSH private key", "id_ed25519": "an SSH private key",
    "id_ed25519_sk": "an SSH private key", "id_xmss": "an SSH private key",
    "application_default_credentials.json": "Google Cloud credentials",
  ]

  /// File names that indicate a secret only in a certain folder, in lower case.
  private static let namesInFolders = [
    ".aws/credentials": "AWS access keys", ".docker/config.json": "Docker passwords",
    ".azure/accesstokens.json": "Azure tokens", ".azure/msal_token_cache.json": "Azure tokens",
    "gcloud/credentials.db": "Google Cloud credentials",
    "gcloud/access_tokens.db": "Google Cloud tokens",
    ".cargo/credentials.toml": "a crates.io token", ".kube/config": "Kubernetes credentials",
    ".gem/credentials": "a RubyGems token",
  ]

  /// The extensions of `.env` files that are templates without secrets.
  private static let templates: Set<Substring> = [
    "example", "sample", "template", "dist", "defaults", "schema",
  ]

  private static func secret(_ formatName: String) -> Recognition { Recognition(.secret, formatName) }

  private static func key(_ formatName: String) -> Recognition { Recognition(.privateKey, formatName) }
}

/// A reader of ASN.1 tags and lengths (X.690, 8.1).
private enum DER {
  struct Element {
    let tag: UInt8
    /// The start of the content.
    let content: Int
    /// The end of the content; the maximum integer if the length is indefinite.
    let end: Int64
    let isIndefinite: Bool
  }

  static func element(_ bytes: Span<UInt8>, at position: Int) -> Element? {
    guard position >= 0, position <= bytes.count - 2 else { return nil }
    let (tag, length) = (bytes[position], bytes[position + 1])
    if length < 0x80 {
      return Element(
        tag: tag, content: position + 2, end: Int64(position + 2) + Int64(length), isIndefinite: false)
    }
    let count = Int(length & 0x7F)
    if count == 0 { return Element(tag: tag, content: position + 2, end: .max, isIndefinite: true) }
    guard count <= 4, let long = bytes.number(at: position + 2, bytes: count, .big) else { return nil }
    let content = position + 2 + count
    return Element(tag: tag, content: content, end: Int64(content) + Int64(long), isIndefinite: false)
  }
}
