import Testing
import ZipArchive

@testable import ContentPackage

@Suite struct SecretTests {
  private static let base64 = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7"

  @Test(
    "a private key is recognised by what it holds",
    arguments: [
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
  func text(_ text: String) { #expect([[.secret], [.privateKey]].contains(recognize(Array(text.utf8)))) }

  @Test(
    "a private key is recognised in its binary forms",
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
  func binary(_ bytes: [UInt8]) { #expect([[.secret], [.privateKey]].contains(recognize(bytes))) }

  @Test(
    "what only speaks of keys is none",
    arguments: [
      "-----BEGIN CERTIFICATE-----\n\(base64)\n", "-----BEGIN PUBLIC KEY-----\n\(base64)\n",
      "if line == \"-----BEGIN PRIVATE KEY-----\": read()", "-----BEGIN PRIVATE KEY-----\n...\n",
      "-----BEGIN ",
      "-----BEGIN RSA PRIVATE KEY-----", "aws_secret_access_key=None", "f(aws_secret_access_key=\(base64))",
      "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n",
      "aws_secret_access_key = theSecretAccessKeyFromTheEnvironment2Use\(base64)\n",
      "aws_secret_access_key = theSecretAccessKeyFromTheEnvironmentTooX\n",
      "key = client(aws_secret_access_key=settings.aws_secret_access_key)",
      "-----BEGIN PRIVATE KEY-----\nMIIE...\n", "ssh-rsa AAAAB3NzaC1yc2E",
      "0\u{2}",
    ])
  func harmless(_ text: String) { #expect(recognize(Array(text.utf8)) == []) }

  @Test(
    "a file that only begins like a key or key store is none",
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
  func otherSequence(_ bytes: [UInt8]) { #expect(recognize(bytes) == []) }

  @Test(
    "files that tools keep credentials in are known by their names",
    arguments: [
      ".env", ".env.production", ".netrc", ".npmrc", ".pypirc", "id_rsa", "id_ed25519", ".aws/credentials",
      ".docker/config.json", ".git-credentials", "application_default_credentials.json", "x/.kube/config",
    ])
  func name(_ name: String) { #expect(rules(name, isFolder: false) == [.fileSecret]) }

  @Test(
    "other names are no secret",
    arguments: [
      "env", ".env.example", "id_rsa.pub", "credentials", "config.json", ".environment", "a.env", "config",
    ])
  func otherName(_ name: String) { #expect(rules(name, isFolder: false) == []) }

  @Test func `a folder is no secret`() { #expect(rules(".env", isFolder: true) == []) }

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
