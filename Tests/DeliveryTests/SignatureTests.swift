import Crypto
import Foundation
import PackageForge
import Testing

@testable import Delivery

@Suite("Signatures of catalogs")
struct SignatureTests {
  private static let message = Array("a catalog".utf8)

  @Test func `a private key in place of a public one is reported`() {
    let text = "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n"
    #expect(throws: SignatureError("it is a private key; specify its public key, the file that ends in .pub"))
    {
      try TrustedKeys(text: Array(text.utf8))
    }
  }

  @Test func `a signature is valid for its message only`() throws {
    let signer = TestSigner()
    let signature = try SSHSignature(armored: try signer.sign(Self.message))
    #expect(signature.isValid(for: Self.message))
    #expect(!signature.isValid(for: Array("another catalog".utf8)))
    #expect(signature.key == (try signer.publicKey()))
  }

  @Test func `a signature by OpenSSH is valid`() throws {
    let signature = try SSHSignature(armored: KnownSignature.armor)
    #expect(signature.isValid(for: Array(KnownSignature.message.utf8)))
    #expect(!signature.isValid(for: Self.message))
    #expect(signature.key.fingerprint == KnownSignature.fingerprint)
  }

  @Test func `a signature by a security token is valid for its message and counter only`() throws {
    var signer = TestSigner()
    signer.algorithm = "sk-ssh-ed25519@openssh.com"
    let armor = try signer.sign(Self.message)
    let signature = try SSHSignature(armored: armor)
    #expect(signature.isValid(for: Self.message))
    #expect(!signature.isValid(for: Array("another catalog".utf8)))
    #expect(try TrustedKeys(text: Array(signer.line.utf8)).error(of: signature.key, at: .now) == nil)

    let base64 = armor.split(separator: "\n")[1]
    var blob = Array(try #require(Data(base64Encoded: String(base64))))
    blob[blob.count - 1] += 1
    let counted =
      "-----BEGIN SSH SIGNATURE-----\n\(Data(blob).base64EncodedString())\n-----END SSH SIGNATURE-----\n"
    #expect(!(try SSHSignature(armored: counted)).isValid(for: Self.message))
    signer.tokenState = [1]
    #expect(throws: SignatureError("it is truncated")) {
      try SSHSignature(armored: try signer.sign(Self.message))
    }
  }

  @Test func `a signature with another namespace, hash, version or algorithm is refused with the reason`()
    throws
  {
    func error(_ change: (inout TestSigner) -> Void) throws -> String {
      var signer = TestSigner()
      change(&signer)
      let text = try signer.sign(Self.message)
      do throws(SignatureError) {
        _ = try SSHSignature(armored: text)
        return ""
      } catch {
        return error.message
      }
    }
    #expect(try error { $0.namespace = "file" }.contains("was made for 'file'"))
    #expect(try error { $0.namespace = "" }.contains("was made for ''"))
    #expect(try error { $0.hash = "sha256" }.contains("its hash is 'sha256'"))
    #expect(try error { $0.version = 2 }.contains("its version is 2"))
    #expect(try error { $0.magic = "SSHSIC" }.contains("SSHSIG"))
    #expect(try error { $0.trailing = [0] }.contains("trailing bytes"))
    #expect(try error { $0.algorithm = "ssh-rsa" }.contains("an RSA key"))
    #expect(try error { $0.algorithm = "ecdsa-sha2-nistp256" }.contains("an ECDSA key"))
    #expect(try error { $0.algorithm = "ssh-ed25519-cert-v01@openssh.com" }.contains("a certificate"))
    #expect(try error { $0.algorithm = "sk-ecdsa-sha2-nistp256@openssh.com" }.contains("an ECDSA key"))
  }

  @Test func `a truncated signature, or one with a flipped bit, is not valid`() throws {
    let armor = try TestSigner().sign(Self.message)
    let lines = armor.split(separator: "\n")
    let blob = Array(try #require(Data(base64Encoded: String(lines[1]))))
    func isValid(_ bytes: [UInt8]) -> Bool {
      let text = "\(lines[0])\n\(Data(bytes).base64EncodedString())\n\(lines[2])\n"
      return (try? SSHSignature(armored: text))?.isValid(for: Self.message) ?? false
    }
    #expect(isValid(blob))
    for count in blob.indices { #expect(!isValid(Array(blob[..<count]))) }
    // The content of the reserved string is not signed; it is empty here.
    for bit in 0..<blob.count * 8 {
      var bytes = blob
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!isValid(bytes), "bit \(bit)")
    }
  }

  @Test(arguments: [
    "", "-----BEGIN SSH SIGNATURE-----", "-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----",
    "-----BEGIN SSH SIGNATURE-----\n????\n-----END SSH SIGNATURE-----", String(repeating: "x", count: 5000),
  ])
  func `incomplete armor is refused`(text: String) {
    #expect(throws: SignatureError.self) { try SSHSignature(armored: text) }
  }

  @Test func `a file of trusted keys has the formats of .pub files and allowed_signers`() throws {
    let (signer, other) = (TestSigner(), TestSigner())
    let key = try signer.publicKey()
    func error(_ text: String, at time: String = "2026-06-01T00:00:00Z") throws -> String? {
      let keys = try TrustedKeys(text: Array(text.utf8))
      return keys.error(of: key, at: try #require(Timestamp(time)))?.message
    }
    let words = "\(signer.line)\n"
    #expect(try error(words) == nil)
    #expect(try error("# a comment\n\n  me,you@example.com \(words)") == nil)
    #expect(try error("\"me and you\" \(words)") == nil)
    #expect(try error(other.line)?.contains("is not trusted") == true)
    #expect(try error("me namespaces=\"git,catalog@*\" \(words)") == nil)
    #expect(try error("me namespaces=\"git\" \(words)")?.contains("namespace") == true)
    #expect(try error("me namespaces=\"catalog@*,!catalog@iapkg\" \(words)")?.contains("namespace") == true)
    #expect(try error("me valid-after=\"20260101Z\",valid-before=\"20261231Z\" \(words)") == nil)
    #expect(try error("me valid-after=\"20260601000001Z\" \(words)")?.contains("not valid yet") == true)
    #expect(try error("me valid-before=\"202605312359Z\" \(words)")?.contains("no longer valid") == true)
    #expect(try error("me valid-before=\"20260101Z\" \(words)me valid-after=\"20260101Z\" \(words)") == nil)
  }

  @Test(arguments: [
    "", "# nothing", "me", "me cert-authority KEY", "me namespaces=\"a KEY", "me unknown KEY",
    "me valid-after=\"soon\" KEY", "me valid-after=\"20261301Z\" KEY", "KEY\nssh-rsa AAAA",
    "me ssh-ed25519 ????",
    "me ssh-ed25519 AAAA", "KEY\n\u{0}",
  ])
  func `an invalid file of trusted keys is refused as a whole`(text: String) {
    let line = TestSigner().line
    #expect(throws: SignatureError.self) {
      try TrustedKeys(text: Array(text.replacingOccurrences(of: "KEY", with: line).utf8))
    }
  }
}
