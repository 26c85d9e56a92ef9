import ContentPackage
import Support

/// The random number of a `Documents` folder, which decides whether the folder takes part in a rollout. Stores never
/// receive the number.
struct RolloutNumber: Sendable, Equatable {
  private static let digitCount = 32
  /// The number of bits of a digest that are compared with a share.
  private static let bitCount = 53

  /// 128 bits in lower-case hexadecimal.
  let text: String

  static func random() -> RolloutNumber {
    var generator = SystemRandomNumberGenerator()
    let words = [generator.next(), generator.next()] as [UInt64]
    return RolloutNumber(text: String(hexadecimalOf: words))
  }

  private init(text: String) { self.text = text }

  /// Parses the note on the folder; nil for any other text.
  init?(note: [UInt8]) {
    guard note.count == Self.digitCount + 1, note.last == UInt8(ascii: "\n"),
      UInt64(hexadecimal: note[..<16]) != nil, UInt64(hexadecimal: note[16..<32]) != nil
    else { return nil }
    text = String(decoding: note.dropLast(), as: UTF8.self)
  }

  var note: [UInt8] { Array(text.utf8) + [UInt8(ascii: "\n")] }

  /// Returns whether the folder takes part in the rollout of a version. A folder that takes part at one share also
  /// takes part at each larger share.
  func takesPart(in share: RolloutShare, of product: ProductIdentifier, _ version: ContentVersion) -> Bool {
    let digest = SHA256Digest(of: Array("\(text)\0\(product.text)\0\(version.text)".utf8))
    let position = digest.leadingWord >> (UInt64.bitWidth - Self.bitCount)
    let left = position.multipliedFullWidth(by: UInt64(RolloutShare.scale))
    let right = UInt64(share.millionths).multipliedFullWidth(by: 1 << UInt64(Self.bitCount))
    return (left.high, left.low) < (right.high, right.low)
  }
}
