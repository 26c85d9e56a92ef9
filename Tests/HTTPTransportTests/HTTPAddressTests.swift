import Testing

@testable import HTTPTransport

/// Addresses, references and dates, which libcurl and the libraries of the system read in the same way.
@Suite struct HTTPAddressTests {
  @Test(arguments: [
    ("http://h/a/../b", "http://h/b"), ("http://h/a/./b/.", "http://h/a/b/"), ("http://h/../..", "http://h/"),
    ("http://h/a b", "http://h/a%20b"), ("http://h/%41%2f", "http://h/%41%2f"),
    ("http://h?a=b", "http://h/?a=b"),
    ("http://h/a#b?c", "http://h/a"), ("http://h:/a", "http://h/a"),
    ("http://127.0.0.1/", "http://127.0.0.1/"),
    ("HTTPS://H.Example./a//b", "https://h.example./a//b"), ("http://a_b.h/", "http://a_b.h/"),
  ])
  func `an address is normalized`(_ text: String, _ normalized: String) throws {
    #expect(try HTTPAddress(text).text == normalized)
  }

  @Test(arguments: [
    "http://h:0x50/", "http://h:-1/", "http://h:65536/", "http://h:8 0/", "http://h h/", "http://[::1",
    "http://[g]/",
    "http://[::1]a/", "http://@/", "//h/a", "http", ":", "http://h\r\n/", "http://h/\u{7F}", "http://h<>/",
    "mailto:a@b", "http://256.1.1.1.1.1.1:99999/",
  ])
  func `other text is not an address`(_ text: String) {
    let error = #expect(throws: HTTPError.self) { try HTTPAddress(text) }
    #expect(error?.reason == .invalidRequest)
  }

  @Test(arguments: [
    ("c", "http://h/a/c"), ("../c", "http://h/c"), ("../../../c", "http://h/c"), ("/c?d", "http://h/c?d"),
    ("//o/c", "http://o/c"), ("?d", "http://h/a/b?d"), ("c/./d", "http://h/a/c/d"),
    ("https://o:444", "https://o:444/"),
    ("/c d", "http://h/c%20d"), ("//[::1]/c", "http://[::1]/c"),
  ])
  func `a reference is resolved`(_ reference: String, _ resolved: String) throws {
    #expect(try HTTPAddress("http://h/a/b?x=y").following(reference).text == resolved)
  }

  @Test(arguments: [
    "ftp://h/", "javascript:alert(1)", "http://u@h/", "//u:p@h/", "http://", "http://h:x/", "//h h/",
  ])
  func `an invalid reference is refused`(_ reference: String) throws {
    let address = try HTTPAddress("http://h/a")
    #expect(throws: HTTPError.self) { try address.following(reference) }
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.1.2.3", true), ("localhost", true), ("[::1]", true), ("128.0.0.1", false),
    ("127.0.0.example", false), ("localhost.example", false), ("[::2]", false),
  ])
  func `an address of this machine is recognized`(_ host: String, _ isOfThisMachine: Bool) throws {
    #expect(try HTTPAddress("http://\(host)/").isOfThisMachine == isOfThisMachine)
  }

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("19941106 08:49:37 GMT", 784_111_777),
      ("06 Nov 1994 08:49:37", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Fri, 29 Feb 2036 23:59:59 GMT", 2_087_942_399), ("Sat, 01 Jan 2000 00:00:00 UTC", 946_684_800),
    ] as [(String, Int64)])
  func `a date is read`(_ text: String, _ seconds: Int64) {
    #expect(HTTPDate.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "soon", "GMT", "08:49:37 GMT", "Nov 1994", "Sun, 31 Feb 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 25:00:00 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMT GMT 1994", "Mon, 01 Jan 1900 00:00:00 GMT", "99999999999", "06 Foo 1994",
    "Sun, 06 Nov 1994 8:4:3:7 GMT", "Sun, 06 Nov 1994 +1:-2:03 GMT", "Sun, 06 Nov 1994 08:49:37 PDX",
  ])
  func `other text is not a date`(_ text: String) {
    #expect(HTTPDate.seconds(text) == nil)
  }
}
