import Support
import Testing
import ZipArchive

@testable import ContentPackage

@Suite struct SecretTests {
  private static let base64 = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7"

  @Test(arguments: [
    "-----BEGIN PRIVATE KEY-----\n\(base64)\n", "-----BEGIN RSA PRIVATE KEY-----\r\n\(base64)\r\n",
    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n",
    "-----BEGIN EC PRIVATE KEY-----\n\(base64)\n", "-----BEGIN ENCRYPTED PRIVATE KEY-----\n\(base64)\n",
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAA\n",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n\(base64)\n",
    "Bag Attributes\n  friendlyName: x\n-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
      + "-----BEGIN PRIVATE KEY-----\n\(base64)\n",
    "{\"type\": \"service_account\", \"private_key\": \"-----BEGIN PRIVATE KEY-----\\n\(base64)\\n\"}",
    "PuTTY-User-Key-File-3: ssh-ed25519\n",
    "[default]\naws_secret_access_key = 9hT3vQ0Lr2/XkZp7+WmYc5NsB1uEaGd8oJfKi4Rq\n",
    "export AWS_SECRET_ACCESS_KEY='9hT3vQ0Lr2/XkZp7+WmYc5NsB1uEaGd8oJfKi4Rq'",
    "{\"aws_secret_access_key\": \"9hT3vQ0Lr2/XkZp7+WmYc5NsB1uEaGd8oJfKi4Rq\"}",
  ])
  func `a private key is recognized by its text`(_ text: String) {
    #expect([[.secret], [.privateKey]].contains(recognize(Array(text.utf8))))
  }

  @Test(
    arguments: [
      // PKCS#12 twice, PKCS#8, PKCS#1 (RSA), SEC 1 (elliptic curves).
      sequence([2, 1, 3] + sequence([6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1])),
      [0x30, 0x80, 2, 1, 3, 0x30, 0x80, 6, 9, 0x2A],
      sequence([2, 1, 0] + sequence([6, 3, 0x2B, 0x65, 0x70]) + [4, 2, 4, 0]),
      sequence([2, 1, 0, 2, 0x81, 0x80] + [UInt8](repeating: 9, count: 128)),
      sequence([2, 1, 1, 4, 32] + [UInt8](repeating: 9, count: 32)),
      // PKCS#8 encrypted with PBES2 (PKCS#5), and Java keystores (JKS, JCEKS).
      sequence(sequence([6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 13]) + [4, 3, 9, 9, 9]),
      [0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1],
      [0xCE, 0xCE, 0xCE, 0xCE, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3],
    ] as [[UInt8]])
  func `a private key is recognized in its binary forms`(_ bytes: [UInt8]) {
    #expect([[.secret], [.privateKey]].contains(recognize(bytes)))
  }

  private static let whole = String(repeating: "\(base64)/+Q1\n", count: 6)
  private static let pem = "-----BEGIN PRIVATE KEY-----\n\(whole)-----END PRIVATE KEY-----\n"

  @Test(arguments: [
    "# ", "> ", "// ", "* ", " * ", "+ ", "+", "\t", "-- ", "; ", "rem ", "| 12 | ", "\"", "//\u{A0}",
  ])
  func `a whole key is found after the same prefix on each line`(_ prefix: String) {
    let lines = Self.pem.split(separator: "\n").map { prefix + $0 }
    #expect(recognize(lines.joined(separator: "\n")) == [.privateKey])
    #expect(recognize("first line\r\n\r\n" + lines.joined(separator: "\r\n") + "\r\n") == [.privateKey])
    #expect(recognize("{\"text\": \"a\\n" + lines.joined(separator: "\\n") + "\"}") == [.privateKey])
  }

  @Test(arguments: ["key: # ", "/* # ", "a text of more than thirty-two characters before it # "])
  func `the first line may have more before the prefix`(_ start: String) {
    #expect(recognize(start + Self.pem.replacing("\n", with: "\n# ")) == [.privateKey])
  }

  @Test func `an empty line may lack the trailing spaces of the prefix`() {
    let text = "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n\(Self.whole)-----END PGP PRIVATE KEY BLOCK-----"
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(recognize(lines.map { $0.isEmpty ? "#" : "# \($0)" }.joined(separator: "\n")) == [.privateKey])
  }

  @Test(arguments: [
    ("\"", "\\n\""), ("\"", "\\n\" +"), ("\"", "\\n\" \\"), ("\"", "\","), ("'", "\\n' ."),
  ])
  func `a whole key is found as strings in source code`(_ quote: String, _ end: String) {
    let lines = Self.pem.split(separator: "\n").map { "\(quote)\($0)\(end)" }
    let text = "static const char *key = \(lines.joined(separator: "\n"));\n"
    #expect(recognize(text) == [.privateKey])
    #expect(recognize("key = [\n" + lines.map { "    \($0)" }.joined(separator: "\n") + "]") == [.privateKey])
  }

  @Test(arguments: ["", " ", "\\n", "\\r\\n", "\\\\n"])
  func `a whole key is found without line ends`(_ separator: String) {
    let text = Self.pem.replacing("\n", with: separator)
    #expect(recognize("KEY=\"\(text)\"") == [.privateKey])
    #expect(recognize(text.replacing("PRIVATE", with: "RSA PRIVATE")) == [.privateKey])
  }

  @Test(arguments: 0..<4, [0, 1])
  func `a whole key in UTF-16 is found at any offset of binary data`(_ offset: Int, _ zero: Int) {
    for text in [
      Self.pem, Self.pem.replacing("\n", with: ""), "# " + Self.pem.replacing("\n", with: "\n# "),
      Self.curveKey,
    ] {
      let wide = Self.wide(text, zero)
      for start in [0, 60, 2_000] {
        let head = Array("bplist00".utf8) + [UInt8](repeating: 0xD1, count: start + offset)
        #expect(recognize(head + wide + [0x08, 0x00, 0x01]) == [.privateKey])
        #expect(recognize(head + wide) == [.privateKey])
        // A first line without a key does not end the search.
        let first = Self.wide("-----BEGIN PRIVATE KEY-----", 1) + [0xFF]
        #expect(recognize(head + first + wide) == [.privateKey])
      }
    }
  }

  /// Returns ASCII text in UTF-16 with zeros as the bytes at even positions (0) or at odd ones (1).
  private static func wide(_ text: String, _ zero: Int) -> [UInt8] {
    text.utf8.flatMap { (byte: UInt8) -> [UInt8] in zero == 0 ? [0, byte] : [byte, 0] }
  }

  @Test func `the end of a text in UTF-16 and of a property list is searched`() {
    let filler = String(repeating: "some text ", count: 1_000)
    for zero in [0, 1] {
      let wide = Self.wide(filler + Self.pem, zero)
      #expect(recognizeWhole(wide) == [.privateKey])
      #expect(recognizeWhole([zero == 0 ? 0xFE : 0xFF, zero == 0 ? 0xFF : 0xFE] + wide) == [.privateKey])
    }
    let list = Array("bplist00".utf8) + [UInt8](repeating: 0, count: 9_000) + Array(Self.pem.utf8) + [0, 0]
    #expect(recognizeWhole(list) == [.privateKey])
  }

  @Test func `a text that begins with the digit 0 is searched`() {
    #expect(recognize("0001: a key\n" + Self.pem) == [.privateKey])
  }

  @Test func `the prefixes do not count as bytes of the key`() {
    let short = "-----BEGIN PRIVATE KEY-----\n\(Self.base64)\n-----END PRIVATE KEY-----"
    let lines = short.split(separator: "\n").map { "abcdefghijklmnopqrstuvwxyz: \($0)" }
    #expect(recognize(lines.joined(separator: "\n")) == [.secret])
  }

  private static func characters(_ count: Int) -> String {
    String(String(repeating: "aB3-_xYz", count: count / 8 + 1).prefix(count))
  }

  private static let curveKey =
    #"{"kty":"EC","crv":"P-256","x":"\#(characters(43))","y":"\#(characters(43))","d":"\#(characters(43))"}"#

  @Test(arguments: [
    curveKey, curveKey.replacing("P-256", with: "secp256k1"), "[\(curveKey)]",
    curveKey.replacing("\"", with: "\\\""),
    curveKey.replacing(":", with: " : ").replacing(",", with: ",\n  "),
    #"{"d": "\#(characters(64))", "crv": "P-384", "kty": "EC"}"#,
    #"{"d": "\#(characters(88))", "crv": "P-521", "kty": "EC"}"#,
    #"{"kty":"OKP","crv":"Ed25519","d":"\#(characters(43))=","x":""}"#,
    #"{"kty":"OKP","crv":"X25519","d":"\#(characters(43))"}"#,
    #"{"kty":"OKP","crv":"Ed448","d":"\#(characters(76))"}"#,
    #"{"kty":"OKP","crv":"X448","d":"\#(characters(75))"}"#,
    #"{"kty":"RSA","n":"\#(characters(342))","e":"AQAB","d":"\#(characters(342))"}"#,
    #"{"kty":"RSA","n":"\#(characters(342))","d":"\#(characters(340))","oth":[{"r":"a","d":"b","t":"c"}]}"#,
    #"{"keys":[{"kty":"EC","crv":"P-256","x":"a"},{"use":"sig"},\#(curveKey)]}"#,
    #"log: {"kty":"EC", and then \#(curveKey)"#,
    #"{"d": 5, "issuer": {"jwk": \#(curveKey), "kid": "1"}}"#,
  ])
  func `a private JWK is found`(_ text: String) { #expect(recognize(text) == [.privateKey]) }

  @Test(arguments: [
    #"{"kty":"EC","crv":"P-256","x":"\#(characters(43))","y":"\#(characters(43))"}"#,
    #"{"kty":"EC","crv":"P-256","d":"\#(characters(42))"}"#, #"{"kty":"EC","d":"\#(characters(43))"}"#,
    #"{"kty":"EC","crv":"P-384","d":"\#(characters(43))"}"#, #"{"kty":"EC","crv":"P-256","d":"…"}"#,
    #"{"kty":"EC","crv":"P-256","d":"\#(characters(42)) "}"#,
    #"{"kty":"RSA","n":"\#(characters(342))","d":"\#(characters(86))"}"#,
    #"{"kty":"RSA","n":"\#(characters(20))","d":"\#(characters(20))"}"#,
    #"{"kty":"RSA","d":"\#(characters(342))"}"#, #"{"kty":"oct","k":"\#(characters(43))"}"#,
    #"{"a":{"kty":"EC","crv":"P-256"},"d":"\#(characters(43))"}"#,
    #"{"kty":"EC","crv":"P-256"},{"d":"\#(characters(43))"}"#,
    #"{"kty":"EC","crv":"P-256","d":"\#(characters(43))""#, #""kty"}{"kty"#, #"kty"kty""kty":"#,
  ])
  func `JSON without a private JWK is not a key`(_ text: String) { #expect(recognize(text) == []) }

  @Test(arguments: [
    "-----BEGIN CERTIFICATE-----\n\(base64)\n", "-----BEGIN PUBLIC KEY-----\n\(base64)\n",
    "if line == \"-----BEGIN PRIVATE KEY-----\": read()", "-----BEGIN PRIVATE KEY-----\n...\n",
    "-----BEGIN ",
    "-----BEGIN RSA PRIVATE KEY-----", "aws_secret_access_key=None", "f(aws_secret_access_key=\(base64))",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n",
    "aws_secret_access_key = theSecretAccessKeyFromTheEnvironment2Use\(base64)\n",
    "aws_secret_access_key = theSecretAccessKeyFromTheEnvironmentTooX\n",
    "key = client(aws_secret_access_key=settings.aws_secret_access_key)",
    "-----BEGIN PRIVATE KEY-----\nMIIE...\n", "ssh-rsa AAAAB3NzaC1yc2E",
    "pem = \"-----BEGIN PRIVATE KEY-----\" + base64EncodedStringOfTheKey + \"-----END PRIVATE KEY-----\"",
    "pem = \"-----BEGIN PRIVATE KEY-----\"\nunsafeFunctionWithAVeryLongName(pem)\n",
    "-----BEGIN PRIVATE KEY-----$KEY-----END PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----",
    "0\u{2}",
  ])
  func `text that only mentions keys is not a key`(_ text: String) {
    #expect(recognize(Array(text.utf8)) == [])
  }

  @Test(
    arguments: [
      [0x30], [0x30, 0x80], [0x30, 5, 2, 1, 3], sequence([2, 1, 3]), sequence([2, 1, 0, 2, 1, 5]),
      sequence([2, 1, 2] + sequence([6, 1, 1])),
      sequence(sequence([6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]) + [4, 3, 9, 9, 9]),
      sequence(sequence([6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 13]) + [4, 9, 9, 9, 9]),
      sequence(sequence([6, 0x81, 0xFF])),

      [0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 2],
      [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 2, 1, 0],
      Array("00000000".utf8),
    ] as [[UInt8]])
  func `a file that only begins like a key or key store is not a key`(_ bytes: [UInt8]) {
    #expect(recognize(bytes) == [])
  }

  @Test(arguments: [
    ".env", ".env.production", ".netrc", ".npmrc", ".pypirc", "id_rsa", "id_ed25519", ".aws/credentials",
    ".docker/config.json", ".git-credentials", "application_default_credentials.json", "x/.kube/config",
    ".ENV", ".Env.Production", "_NETRC", "ID_RSA", ".AWS/Credentials", ".azure/accessTokens.json",
    "GCloud/Credentials.db",
  ])
  func `credential files of tools are recognized by their names`(_ name: String) {
    #expect(rules(name, isFolder: false) == [.fileSecret])
  }

  @Test(arguments: [
    "env", ".env.example", ".ENV.Example", "id_rsa.pub", "credentials", "config.json", ".environment",
    "a.env", "config",
  ])
  func `other names are not secrets`(_ name: String) { #expect(rules(name, isFolder: false) == []) }

  @Test func `a folder is not a secret`() { #expect(rules(".env", isFolder: true) == []) }

  private func recognize(_ text: String) -> [Recognition.Kind] { recognize(Array(text.utf8)) }

  private func recognizeWhole(_ bytes: [UInt8]) -> [Recognition.Kind] {
    var file = FileExcerpt(size: Int64(bytes.count))
    file.update(bytes.borrowedSpan)
    return ContentRecognizer.recognize(file).map(\.kind)
  }

  private func recognize(_ bytes: [UInt8]) -> [Recognition.Kind] {
    ContentRecognizer.recognize(FileExcerpt(head: bytes, size: Int64(bytes.count))).map(\.kind)
  }

  private func rules(_ name: String, isFolder: Bool) -> [Rule] {
    NameRecognizer.findings(for: [(EntryPath("Contents/\(name)"), isFolder)]).map(\.rule)
  }
}

/// A DER sequence.
private func sequence(_ content: [UInt8]) -> [UInt8] {
  content.count < 0x80
    ? [0x30, UInt8(content.count)] + content : [0x30, 0x81, UInt8(content.count)] + content
}
