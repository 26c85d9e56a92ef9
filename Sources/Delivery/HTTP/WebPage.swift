/// Detects a web page instead of an object: the response of a network with a sign-in page.
enum WebPage {
  static let question = "does this network ask you to sign in?"

  /// Returns whether bytes begin like a web page; no object of a store does.
  static func begins(with bytes: [UInt8]) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
    return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
  }

  static func message(at place: String) -> String {
    "\(place) is a web page, not \(place.hasSuffix(StorePath.catalog.text) ? "a catalog" : "an object of a store"): \(question)"
  }
}
