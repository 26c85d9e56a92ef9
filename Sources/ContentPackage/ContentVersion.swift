/// The version of a package's content: "a series of integers separated by periods" (Apple, SKDownload
/// `contentVersion`), 1 to 16 of them, each below 2^63.
///
/// Versions compare number by number, and a missing part counts as 0: `1.10` is above `1.9`, and `1.0` equals
/// `1`.
public struct ContentVersion: Sendable, CustomStringConvertible {
  /// The most parts that a version has.
  public static let maximumParts = 16

  /// The part of a version that a bump raises.
  public enum Part: Sendable {
    /// The first.
    case major
    /// The second.
    case minor
    /// The third.
    case patch
    /// The last that there is.
    case last
  }

  /// The version as it was written.
  public let text: String
  private let parts: [Int64]

  /// The version that a text says.
  ///
  /// - Returns: nil if `text` is no version.
  public init?(_ text: String) {
    let pieces = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard pieces.count <= Self.maximumParts else { return nil }
    var parts: [Int64] = []
    for piece in pieces {
      let isDigits = piece.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      // Int64.init also takes a sign, which a version does not have.
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

  /// Whether a part is written with a zero in front, as in `1.01`.
  package var hasLeadingZero: Bool {
    text.utf8.split(separator: UInt8(ascii: ".")).contains { $0.count > 1 && $0.first == UInt8(ascii: "0") }
  }

  /// The next version, or nil if the part cannot be raised further.
  ///
  /// The parts behind the raised one become 0 and keep their number (`1.9.3`, major: `2.0.0`); a part that is
  /// not there is added (`2.0`, patch: `2.0.1`).
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
  /// Whether the numbers are the same: `1.0` equals `1`.
  public static func == (left: ContentVersion, right: ContentVersion) -> Bool {
    left.significant == right.significant
  }

  /// The order of the numbers, from the first on.
  public static func < (left: ContentVersion, right: ContentVersion) -> Bool {
    left.significant.lexicographicallyPrecedes(right.significant)
  }

  /// The parts without zeros at the end, which say nothing.
  private var significant: ArraySlice<Int64> {
    parts[..<((parts.lastIndex { $0 != 0 } ?? -1) + 1)]
  }
}

extension ContentVersion {
  /// 1.0, what new content starts with, as in Xcode's template.
  public static let initial = ContentVersion(parts: [1, 0])
}
