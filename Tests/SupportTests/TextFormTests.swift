import Crypto
import Support
import Testing

struct TextFormTests {
  @Test func `digests are written in hexadecimal digits and in base64`() {
    #expect(
      SHA256Digest.ofNothing.hexadecimal
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(SHA256Digest.ofNothing.base64 == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
    #expect(SHA256Digest(bytes: SHA256Digest.ofNothing.bytes) == .ofNothing)
  }

  @Test func `bytes are read from digits of either case`() {
    #expect([UInt8](hexadecimal: "00fFa1") == [0, 0xFF, 0xA1])
    #expect(String(hexadecimal: [0, 0xFF, 0xA1]) == "00ffa1")
    for text in ["0", "0g", "é0", " 00"] { #expect([UInt8](hexadecimal: text) == nil) }
  }

  @Test func `a random UUID has version 4`() {
    let text = UUIDText.random()
    #expect(UUIDText.lowercased(text) == text)
    #expect(text.wholeMatch(of: /.{14}4.{4}[89ab].*/) != nil)
    #expect(text != UUIDText.random())
  }

  @Test(arguments: ["", "1", "00000000-0000-0000-0000-00000000000g", "0000000-00000-0000-0000-000000000000"])
  func `another text is no UUID`(_ text: String) { #expect(UUIDText.lowercased(text) == nil) }

  @Test func `a UUID is written in lower case`() {
    let text = "ABCDEF01-2345-6789-abcd-ef0123456789"
    #expect(UUIDText.lowercased(text) == text.lowercased())
  }

  @Test func `a signature in the compact form is that of its first two parts`() throws {
    let key = P256.Signing.PrivateKey()
    let signer = ES256Signer(key)
    let parts = try signer.sign(Array("{}".utf8), header: Array("{\"alg\":\"ES256\"}".utf8)).split(
      separator: ".")
    #expect(parts.first == "eyJhbGciOiJFUzI1NiJ9" && parts.count == 3)
    let bytes = try #require(Base64.url.decode(parts[2].utf8))
    let signature = try P256.Signing.ECDSASignature(rawRepresentation: bytes)
    #expect(key.publicKey.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
  }
}
