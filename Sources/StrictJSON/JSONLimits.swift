/// The limits of one kind of document, which the parser applies while it reads.
///
/// The defaults suit documents whose size the caller has limited already.
package struct JSONLimits: Sendable {
  /// The maximum nesting depth.
  package var depth: Int
  /// The maximum number of members of an object.
  package var memberCount: Int
  /// The maximum length of a key in bytes.
  package var keyLength: Int
  /// The maximum length of a string value in bytes, also in values that are skipped.
  package var stringLength: Int
  /// The maximum number of consecutive digits in a number.
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
