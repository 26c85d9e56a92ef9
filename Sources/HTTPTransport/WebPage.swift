/// Detects a web page instead of a document: the response of a network with a sign-in page.
package enum WebPage {
  /// The question with which messages about a sign-in page end.
  package static let question = "does this network ask you to sign in?"

  /// Returns whether bytes begin like a web page; no document that iapkg expects does.
  package static func begins(with bytes: [UInt8]) -> Bool {
    let mark = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]].first { bytes.starts(with: $0) } ?? []
    // UTF-16 has NUL bytes in ASCII characters.
    return bytes[mark.count...].first { ![0, 0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
  }

  /// Returns the message for a web page in place of `expected`, such as "a catalog".
  package static func message(at address: String, expected: String) -> String {
    "\(address) is a web page, not \(expected): \(question)"
  }
}
