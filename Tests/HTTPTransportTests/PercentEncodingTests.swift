import Testing

@testable import HTTPTransport

struct PercentEncodingTests {
  @Test func `escapes all but unreserved characters`() {
    #expect(PercentEncoding.encode("a/ü ~-._+%") == "a%2F%C3%BC%20~-._%2B%25")
    #expect(PercentEncoding.encodePath("a/b c") == "a/b%20c")
    #expect(PercentEncoding.decode("a%2F%c3%bc+") == "a/ü ")
    #expect(PercentEncoding.decode("%4") == nil)
    #expect(PercentEncoding.decode("%FF") == nil)
    #expect(PercentEncoding.decode("%+1") == nil)
  }
}
