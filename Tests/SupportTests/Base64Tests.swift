import Support
import Testing

struct Base64Tests {
  @Test func `the same bytes have only one text`() {
    #expect(Base64.url.decode("_-8".utf8) == [0xFF, 0xEF])
    #expect(Base64.url.decode("_-9".utf8) == nil)
    #expect(Base64.url.decode("A".utf8) == nil)
    #expect(Base64.url.decode("/+8".utf8) == nil)
    #expect(Base64.standard.decode("/+8=".utf8) == [0xFF, 0xEF])
    #expect(Base64.standard.decode("/w==".utf8) == [0xFF])
    for text in ["/+8", "/+9=", "/x==", "=", "====", "A===", "/+==8", "/w=A", "/w\n=", "AAAA===="] {
      #expect(Base64.standard.decode(text.utf8) == nil, "\(text)")
    }
    for count in 0..<70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
      #expect(Base64.url.decode(Base64.url.encode(bytes).utf8) == bytes)
      #expect(Base64.standard.decode(Base64.standard.encode(bytes).utf8) == bytes)
    }
  }

  @Test func `unused bits are ignored on request`() {
    #expect(Base64.standard.decode("/x==".utf8, ignoringUnusedBits: true) == [0xFF])
    #expect(Base64.standard.decode("/x=".utf8, ignoringUnusedBits: true) == nil)
  }

  @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")])
  func `the test vectors of RFC 4648 are encoded`(_ bytes: String, _ text: String) {
    #expect(Base64.standard.encode(bytes.utf8) == text)
    #expect(Base64.url.encode(bytes.utf8) == text.filter { $0 != "=" })
  }
}
