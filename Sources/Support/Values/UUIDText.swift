/// The text of a UUID (RFC 9562), always with lower-case letters.
package enum UUIDText {
  /// Returns the text in lower case; nil if it is not a UUID.
  package static func lowercased(_ text: String) -> String? {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
      groups.allSatisfy({ $0.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit } })
    else { return nil }
    return text.lowercased()
  }

  /// Returns a random UUID (section 5.4).
  package static func random() -> String {
    var digits = String(UInt64.random(in: 0 ... .max), radix: 16, width: 16)
    digits += String(UInt64.random(in: 0 ... .max), radix: 16, width: 16)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      switch index {
      case 12: text += "4"  // the version
      case 16: text += ["8", "9", "a", "b"].randomElement() ?? "8"  // the variant
      default: text.append(digit)
      }
    }
    return text
  }
}
