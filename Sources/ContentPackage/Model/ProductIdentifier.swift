/// The identifier of an in-app purchase: 1 to 100 of the characters `A-Z a-z 0-9 . _ -`, not starting with
/// `.` or `-`.
///
/// The characters and the length are those of App Store Connect ("letters, numbers, underscores, and
/// periods", at most 100). The first character is restricted because the identifier becomes the name of a
/// folder.
public struct ProductIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// The maximum number of characters in an identifier.
  public static let maximumLength = 100

  /// The identifier as text.
  public let text: String

  /// Parses an identifier.
  ///
  /// - Returns: Nil if `text` is not a product identifier.
  public init?(_ text: String) {
    guard (1...Self.maximumLength).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
      return nil
    }
    guard !text.hasPrefix("."), !text.hasPrefix("-") else { return nil }
    self.text = text
  }

  /// The identifier as text.
  public var description: String { text }

  /// Returns whether a byte is one of `A-Z a-z 0-9 . _ -`.
  package static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
