import Crypto
import Foundation
import PackageForge
import Testing

@testable import Delivery

@Suite("Signatures of catalogs")
struct SignatureTests {
  private static let message = Array("a catalog".utf8)

  @Test func aPrivateKeyInPlaceOfAPublicOneIsNamed() {
    let text = "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n"
    #expect(throws: SignatureError("it is a private key; name its public one, the file that ends in .pub")) {
      try TrustedKeys(text: Array(text.utf8))
    }
  }

  @Test func `a good one is valid for its message alone`() throws {
    let signer = TestSigner()
    let signature = try SSHSignature(armoured: try signer.sign(Self.message))
    #expect(signature.isValid(for: Self.message))
    #expect(!signature.isValid(for: Array("another catalog".utf8)))
    #expect(signature.key == (try signer.publicKey()))
  }

  @Test func `one that OpenSSH made is valid`() throws {
    let signature = try SSHSignature(armoured: KnownSignature.armour)
    #expect(signature.isValid(for: Array(KnownSignature.message.utf8)))
    #expect(!signature.isValid(for: Self.message))
    #expect(signature.key.fingerprint == KnownSignature.fingerprint)
  }

  @Test func `one that a security token made is valid for its message and counter alone`() throws {
    var signer = TestSigner()
    signer.algorithm = "sk-ssh-ed25519@openssh.com"
    let armour = try signer.sign(Self.message)
    let signature = try SSHSignature(armoured: armour)
    #expect(signature.isValid(for: Self.message))
    #expect(!signature.isValid(for: Array("another catalog".utf8)))
    #expect(try TrustedKeys(text: Array(signer.line.utf8)).error(of: signature.key, at: .now) == nil)

    let base64 = armour.split(separator: "\n")[1]
    var blob = Array(try #require(Data(base64Encoded: String(base64))))
    blob[blob.count - 1] += 1
    let counted =
      "-----BEGIN SSH SIGNATURE-----\n\(Data(blob).base64EncodedString())\n-----END SSH SIGNATURE-----\n"
    #expect(!(try SSHSignature(armoured: counted)).isValid(for: Self.message))
    signer.tokenState = [1]
    #expect(throws: SignatureError("it is cut off")) {
      try SSHSignature(armoured: try signer.sign(Self.message))
    }
  }

  @Test func `one for something else, or of another make, is refused with the reason`() throws {
    func error(_ change: (inout TestSigner) -> Void) throws -> String {
      var signer = TestSigner()
      change(&signer)
      let text = try signer.sign(Self.message)
      do throws(SignatureError) {
        _ = try SSHSignature(armoured: text)
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
    #expect(try error { $0.trailing = [0] }.contains("more after"))
    #expect(try error { $0.algorithm = "ssh-rsa" }.contains("an RSA key"))
    #expect(try error { $0.algorithm = "ecdsa-sha2-nistp256" }.contains("an ECDSA key"))
    #expect(try error { $0.algorithm = "ssh-ed25519-cert-v01@openssh.com" }.contains("a certificate"))
    #expect(try error { $0.algorithm = "sk-ecdsa-sha2-nistp256@openssh.com" }.contains("an ECDSA key"))
  }

  @Test func `one that is cut off anywhere, or has any bit turned, is not valid`() throws {
    let armour = try TestSigner().sign(Self.message)
    let lines = armour.split(separator: "\n")
    let blob = Array(try #require(Data(base64Encoded: String(lines[1]))))
    func isValid(_ bytes: [UInt8]) -> Bool {
      let text = "\(lines[0])\n\(Data(bytes).base64EncodedString())\n\(lines[2])\n"
      return (try? SSHSignature(armoured: text))?.isValid(for: Self.message) ?? false
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
  func `armour that is not whole is refused`(text: String) {
    #expect(throws: SignatureError.self) { try SSHSignature(armoured: text) }
  }

  @Test func `a trusted file names keys as .pub and allowed_signers do`() throws {
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
  func `a trusted file that cannot be understood is refused as a whole`(text: String) {
    let line = TestSigner().line
    #expect(throws: SignatureError.self) {
      try TrustedKeys(text: Array(text.replacingOccurrences(of: "KEY", with: line).utf8))
    }
  }
}
