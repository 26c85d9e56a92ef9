import Support
import ZipArchive

/// Private keys and files of credentials.
enum Secrets {
  // MARK: By bytes

  /// Recognizes a secret by the start of a file.
  static func recognize(_ file: FileExcerpt) -> Recognition? {
    let head = file.head.borrowedSpan
    guard let first = file.head.first else { return nil }
    // ASN.1: a sequence.
    if first == 0x30 { return keyInDER(file) }
    // PuTTY's sshpubk.c: "PuTTY-User-Key-File-" and the version.
    if head.has("PuTTY-User-Key-File-", at: 0) {
      let isWhole = head.firstRange(of: "Private-Lines:", anchor: 0) != nil
      return isWhole ? key("a PuTTY private key") : secret("a PuTTY private key")
    }
    // OpenJDK's JavaKeyStore.java and JceKeyStore.java: magic number, version 1 or 2, the number of entries, and the
    // kind of the first entry, which is 2 for a certificate. A keystore of certificates alone has no secret.
    if let magic = head.uint32(at: 0, .big), magic == 0xFEED_FEED || magic == 0xCECE_CECE,
      let version = head.uint32(at: 4, .big), (1...2).contains(version),
      let kind = head.uint32(at: 12, .big), kind == 1 || kind == 3
    {
      return secret("a Java key store")
    }
    if let key = keyInPEM(file) { return key }
    return hasAWSKey(head) ? secret("an AWS access key") : nil
  }

  /// Returns whether the text assigns a secret access key, as the AWS CLI's `credentials` and environment files do.
  ///
  /// A key has 40 characters of base64, including digits and both letter cases. The name alone, or followed by a
  /// variable or function, is ordinary source code.
  private static func hasAWSKey(_ text: Span<UInt8>) -> Bool {
    hasAWSKey(text, named: "aws_secret_access_key") || hasAWSKey(text, named: "AWS_SECRET_ACCESS_KEY")
  }

  private static func hasAWSKey(_ text: Span<UInt8>, named name: StaticString) -> Bool {
    var start = 0
    while let found = text.firstRange(of: name, anchor: 3, from: start) {
      start = found.upperBound
      var place = found.upperBound
      while place < text.count, between.contains(text[place]) { place += 1 }
      let key = place..<place + awsKeyLength
      guard text.all(key, isBase64), key.upperBound == text.count || !isBase64(text[key.upperBound]) else {
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
  private static let between = Array(" \t=:\"'".utf8)

  private static func isBase64(_ byte: UInt8) -> Bool {
    byte.isDigit || byte.isLetter || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
  }

  /// Recognizes a key in textual encoding (RFC 7468, and RFC 4880, 6.2), also as a string in JSON. It searches the
  /// start of a file, and the end of a text file.
  private static func keyInPEM(_ file: FileExcerpt) -> Recognition? {
    let head = withoutZeros(file.head) ?? file.head
    let isCut = file.size > Int64(file.head.count)
    var evidence = pemEvidence(head.borrowedSpan, isCut: isCut)
    // Certificates often come before the key.
    if evidence != .whole, isCut, file.head.borrowedSpan.firstRange(of: "\0", anchor: 0) == nil {
      evidence = max(evidence, pemEvidence(file.end.borrowedSpan, isCut: false))
    }
    switch evidence {
    case .none: return nil
    case .partial: return secret("what looks like a private key")
    case .whole: return key("a private key")
    }
  }

  /// The number of characters by which UTF-16 is recognized.
  private static let wideCharacters = 32

  /// Returns ASCII in UTF-16, which Windows PowerShell writes, as single bytes; nil for another encoding.
  private static func withoutZeros(_ bytes: [UInt8]) -> [UInt8]? {
    let start = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) ? 2 : 0
    guard bytes.count >= start + 2 * wideCharacters else { return nil }
    for zero in [1, 0] {
      let isWide = (0..<wideCharacters).allSatisfy {
        bytes[start + 2 * $0 + zero] == 0 && bytes[start + 2 * $0 + 1 - zero] != 0
      }
      guard isWide else { continue }
      return stride(from: start + 1 - zero, to: bytes.count, by: 2).map { bytes[$0] }
    }
    return nil
  }

  /// The evidence of a key, in ascending order.
  private enum KeyEvidence: Int, Comparable {
    case none, partial, whole

    static func < (left: KeyEvidence, right: KeyEvidence) -> Bool { left.rawValue < right.rawValue }
  }

  /// Returns the strongest evidence of a key. The first line of a key is not enough, because programs contain it too.
  private static func pemEvidence(_ text: Span<UInt8>, isCut: Bool) -> KeyEvidence {
    var start = 0
    var evidence = KeyEvidence.none
    while let begin = text.firstRange(of: "-----BEGIN ", anchor: 5, from: start) {
      start = begin.upperBound
      let end = min(text.count, start + maximumLabelLength)
      guard let dashes = text.extracting(start..<end).firstRange(of: "-----", anchor: 0) else { continue }
      let label = text.extracting(start..<start + dashes.lowerBound)
      let isKey = label.firstRange(of: "PRIVATE KEY", anchor: 0) != nil
      start += dashes.upperBound
      guard isKey, hasKeyData(text.extracting(start...)) else { continue }
      if isWhole(text.extracting(start...), isCut: isCut) { return .whole }
      evidence = .partial
    }
    return evidence
  }

  /// The minimum number of characters of a complete key, which is that of an Ed25519 key.
  private static let minimumKeyLength = 64
  /// The minimum number of characters of a key whose end was not read.
  private static let minimumCutKeyLength = 512

  /// Returns whether a complete key follows its first line: enough base64 and the last line, or, in a cut text, even
  /// more base64.
  private static func isWhole(_ text: Span<UInt8>, isCut: Bool) -> Bool {
    let end = text.firstRange(of: "-----END ", anchor: 5)
    guard end != nil || isCut else { return false }
    if let end {
      let label = text.extracting(end.upperBound..<min(text.count, end.upperBound + maximumLabelLength))
      guard label.firstRange(of: "PRIVATE KEY", anchor: 0) != nil else { return false }
    }
    var count = 0
    for place in 0..<(end?.lowerBound ?? text.count) where isBase64(text[place]) { count += 1 }
    return count >= (end == nil ? minimumCutKeyLength : minimumKeyLength)
  }

  /// The maximum length of a label with its dashes, in bytes. "ENCRYPTED PRIVATE KEY" and others are shorter.
  private static let maximumLabelLength = 40

  /// Returns whether the lines after the first line of a key are headers or base64.
  private static func hasKeyData(_ text: Span<UInt8>) -> Bool {
    var place = 0
    // Line ends, unescaped or escaped as in JSON.
    while place < text.count,
      [0x0D, 0x0A, 0x20, UInt8(ascii: "\\"), UInt8(ascii: "n"), UInt8(ascii: "r")]
        .contains(text[place])
    {
      place += 1
    }
    guard place > 0 else { return false }
    if text.has("Proc-Type:", at: place) || text.has("Version:", at: place) || text.has("Comment:", at: place)
    {
      return true
    }
    return text.all(place..<place + 24, isBase64)
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

  /// Recognizes a secret by the names of a file and its folder.
  static func recognize(_ path: EntryPath) -> Recognition? {
    let name = path.name
    // Most names need no further check.
    guard let first = name.first, "._iacm".utf8.contains(first), name.count < 48 else { return nil }
    let text = String(decoding: name, as: UTF8.self)
    if let what = names[text] { return secret(what) }
    if text.hasPrefix(".env."), !templates.contains(text.dropFirst(5)) {
      return secret("environment settings")
    }
    let folder = path.parent.map { String(decoding: $0.name, as: UTF8.self) } ?? ""
    return places["\(folder)/\(text)"].map(secret)
  }

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

  /// File names that indicate a secret only in a certain folder.
  private static let places = [
    ".aws/credentials": "AWS access keys", ".docker/config.json": "Docker passwords",
    ".azure/accessTokens.json": "Azure tokens", ".azure/msal_token_cache.json": "Azure tokens",
    "gcloud/credentials.db": "Google Cloud credentials",
    "gcloud/access_tokens.db": "Google Cloud tokens",
    ".cargo/credentials.toml": "a crates.io token", ".kube/config": "Kubernetes credentials",
    ".gem/credentials": "a RubyGems token",
  ]

  /// The extensions of `.env` files that are templates without secrets.
  private static let templates: Set<Substring> = [
    "example", "sample", "template", "dist", "defaults", "schema",
  ]

  private static func secret(_ what: String) -> Recognition { Recognition(.secret, what) }

  private static func key(_ what: String) -> Recognition { Recognition(.privateKey, what) }
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

  static func element(_ bytes: Span<UInt8>, at place: Int) -> Element? {
    guard place >= 0, place <= bytes.count - 2 else { return nil }
    let (tag, length) = (bytes[place], bytes[place + 1])
    if length < 0x80 {
      return Element(tag: tag, content: place + 2, end: Int64(place + 2) + Int64(length), isIndefinite: false)
    }
    let count = Int(length & 0x7F)
    if count == 0 { return Element(tag: tag, content: place + 2, end: .max, isIndefinite: true) }
    guard count <= 4, let long = bytes.number(at: place + 2, bytes: count, .big) else { return nil }
    let content = place + 2 + count
    return Element(tag: tag, content: content, end: Int64(content) + Int64(long), isIndefinite: false)
  }
}
