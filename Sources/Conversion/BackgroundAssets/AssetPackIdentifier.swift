public import ContentPackage

/// The identifier of an asset pack: 1 to 100 letters, digits and hyphens, beginning with a letter or digit.
///
/// App Store Connect accepts no other characters. Apple documents no maximum length; 100 is that of a product
/// identifier.
public struct AssetPackIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// The maximum number of characters in an identifier.
  public static let maximumLength = ProductIdentifier.maximumLength

  /// The allowed identifiers, for messages.
  static let form = "1 to \(maximumLength) letters, digits and hyphens, beginning with a letter or digit"

  /// The identifier itself.
  public let text: String

  /// Parses an identifier.
  ///
  /// - Returns: Nil if `text` is not an identifier that App Store Connect accepts.
  public init?(_ text: String) {
    let bytes = text.utf8
    guard (1...Self.maximumLength).contains(bytes.count), bytes.first != Self.hyphen,
      bytes.allSatisfy({ $0 == Self.hyphen || Self.isAlphanumeric($0) })
    else { return nil }
    self.text = text
  }

  /// Creates the default identifier for a product: hyphens replace its dots and underscores, except leading ones, which
  /// are removed.
  ///
  /// - Returns: Nil if the product identifier has no letter or digit.
  public init?(of product: ProductIdentifier) {
    let bytes = product.text.utf8.map { Self.isAlphanumeric($0) ? $0 : Self.hyphen }
    self.init(String(decoding: bytes.drop { $0 == Self.hyphen }, as: UTF8.self))
  }

  /// The identifier itself.
  public var description: String { text }

  /// The form for comparisons: folders are named after identifiers, and many file systems ignore case.
  var folded: String { text.lowercased() }

  private static let hyphen = UInt8(ascii: "-")

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
