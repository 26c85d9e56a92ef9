/// The limits of one kind of document, which the parser applies while it reads.
///
/// The default is for documents whose size the caller limits to what it can hold in memory.
package struct JSONLimits: Sendable {
  /// The maximum nesting depth.
  package var depth: Int
  /// The maximum number of members of an object.
  package var memberCount: Int
  /// The maximum length of a key in bytes.
  package var keyLength: Int
  /// The maximum length of a string value in bytes, also in values that are skipped.
  package var stringLength: Int
  /// The maximum number of digits in a row in a number.
  package var digitCount: Int

  package init(
    depth: Int = 64, memberCount: Int = .max, keyLength: Int = .max, stringLength: Int = .max,
    digitCount: Int = 1_000
  ) {
    self.depth = depth
    self.memberCount = memberCount
    self.keyLength = keyLength
    self.stringLength = stringLength
    self.digitCount = digitCount
  }
}
