import ContentPackage
import Support
import Testing

@testable import Delivery

@Suite("Paths in a store")
struct StorePathTests {
  private static let digits = String(repeating: "0123456789abcdef", count: 4)

  @Test(arguments: [
    "catalog.json", "products/com.example.book/\(digits).json",
    "releases/com.example.book/1.10-0123456789abcdef.pkg",
    "releases/com.example.book/1.10-0123456789abcdef.json",
    "releases/com.example.book/1.10-0123456789abcdef.pages", "trust/1.json", "trust/120.json",
    "trust/draft.json",
  ])
  func `paths of the layout are parsed and keep their text`(text: String) throws {
    let path = try #require(StorePath(text))
    #expect(path.text == text)
  }

  @Test(arguments: [
    "", "/catalog.json", "trust/0.json", "trust/01.json", "trust/+1.json", "trust/-1.json", "trust/x.json",
    "trust/1.json/", "trust/1.jsonx", "trust/99999999999999999999.json", "trust/x/1.json", "catalog.json/",
    "../catalog.json", "products/../catalog.json",
    "products/com.example.book/0123.json", "products//\(digits).json",
    "products/com.example.book/\(digits.uppercased()).json", "products/.hidden/\(digits).json",
    "releases/com.example.book/0123456789abcdef.pkg", "releases/com.example.book/1..0-0123456789abcdef.pkg",
    "releases/com.example.book/1.0-0123456789abcde.pkg",
    "releases/com.example.book/1.0-0123456789abcdef.zip",
    "releases/com.example.book/x/1.0-0123456789abcdef.pkg", "elsewhere/com.example.book/\(digits).json",
    "releases/com.example.book/1.0-0123456789abcdeg.pkg", "releases/b\u{E9}/1.0-0123456789abcdef.pkg",
  ])
  func `other paths are refused`(text: String) { #expect(StorePath(text) == nil) }

  @Test func `a digest is read and written in lower case`() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    #expect(SHA256Digest(of: []).hexadecimal == empty)
    #expect(SHA256Digest(hexadecimal: empty) == SHA256Digest(of: []))
    #expect(SHA256Digest(hexadecimal: empty.uppercased()) == nil)
    #expect(SHA256Digest(hexadecimal: String(empty.dropLast())) == nil)
  }
}
