/// The version of a package's content: "a series of integers separated by periods" (Apple, SKDownload
/// `contentVersion`). It has 1 to 16 numbers, each below 2^63.
///
/// Versions are compared number by number, and a missing number counts as 0: `1.10` is higher than `1.9`, and
/// `1.0` equals `1`.
public struct ContentVersion: Sendable, CustomStringConvertible {
  /// The maximum count of numbers in a version.
  public static let maximumPartCount = 16

  /// The number of a version to raise.
  public enum Part: Sendable {
    /// The first number.
    case major
    /// The second number.
    case minor
    /// The third number.
    case patch
    /// The last number that the version has.
    case last
  }

  /// The version as it was written.
  public let text: String
  private let parts: [Int64]

  /// Parses a version.
  ///
  /// - Returns: Nil if `text` is not a version.
  public init?(_ text: String) {
    let pieces = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard pieces.count <= Self.maximumPartCount else { return nil }
    var parts: [Int64] = []
    for piece in pieces {
      let isDigits = piece.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      // Int64.init would also accept a sign.
      guard isDigits, let number = Int64(Substring(piece)) else { return nil }
      parts.append(number)
    }
    self.text = text
    self.parts = parts
  }

  private init(parts: [Int64]) {
    self.parts = parts
    text = parts.map(String.init).joined(separator: ".")
  }

  /// The version as it was written.
  public var description: String { text }

  /// Whether a number is written with a leading zero, as in `1.01`.
  package var hasLeadingZero: Bool {
    text.utf8.split(separator: UInt8(ascii: ".")).contains { $0.count > 1 && $0.first == UInt8(ascii: "0") }
  }

  /// Returns the version with one number raised by 1, or nil if the number has the maximum value.
  ///
  /// The numbers after the raised number become 0 (`1.9.3`, major: `2.0.0`). A missing number is added (`2.0`,
  /// patch: `2.0.1`).
  public func bumped(_ part: Part = .last) -> ContentVersion? {
    let index =
      switch part {
      case .major: 0
      case .minor: 1
      case .patch: 2
      case .last: parts.count - 1
      }
    var next = parts
    while next.count <= index { next.append(0) }
    let (raised, overflow) = next[index].addingReportingOverflow(1)
    guard !overflow else { return nil }
    next[index] = raised
    for later in next.indices where later > index { next[later] = 0 }
    return ContentVersion(parts: next)
  }
}

extension ContentVersion: Comparable {
  /// Returns whether the versions have the same numbers, ignoring trailing zeros: `1.0` equals `1`.
  public static func == (left: ContentVersion, right: ContentVersion) -> Bool {
    left.significant == right.significant
  }

  /// Returns whether the first different number is lower on the left side.
  public static func < (left: ContentVersion, right: ContentVersion) -> Bool {
    left.significant.lexicographicallyPrecedes(right.significant)
  }

  /// The numbers without trailing zeros, which do not count in comparisons.
  private var significant: ArraySlice<Int64> {
    parts[..<((parts.lastIndex { $0 != 0 } ?? -1) + 1)]
  }
}

extension ContentVersion {
  /// The version of new content: 1.0, as in Xcode's template.
  public static let initial = ContentVersion(parts: [1, 0])
}
