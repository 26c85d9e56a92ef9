import ContentPackage
import StrictJSON

/// The keys and values that a publisher adds to a release for the app.
package struct ReleaseMetadata: Sendable, Equatable {
  /// The maximum number of keys.
  package static let maximumCount = 32
  /// The maximum length of a key in characters.
  package static let maximumKeyLength = 64
  /// The maximum size of a value in bytes.
  package static let maximumValueByteCount = 1_000

  /// A reason why a pair is refused: one lower-case sentence without a full stop, not safe to print.
  package struct InvalidPair: Error {
    package let message: String
  }

  /// The values by key.
  package private(set) var values: [String: String] = [:]

  package init() {}

  package var isEmpty: Bool { values.isEmpty }

  /// Adds a pair.
  ///
  /// - Throws: `InvalidPair` for a key that is repeated, or not 1 to 64 of `A-Z a-z 0-9 . _ -`; for a value with too many
  ///   bytes or a control character; and beyond the maximum number of keys.
  package mutating func add(_ key: String, _ value: String) throws(InvalidPair) {
    guard (1...Self.maximumKeyLength).contains(key.utf8.count),
      key.utf8.allSatisfy(ProductIdentifier.isAllowed)
    else {
      throw InvalidPair(
        message:
          "'\(key.prefix(Self.maximumKeyLength))' is not a key, expected 1 to \(Self.maximumKeyLength) letters, digits, "
          + "'.', '_' and '-'")
    }
    guard value.utf8.count <= Self.maximumValueByteCount else {
      throw InvalidPair(
        message:
          "the value of '\(key)' has \(value.utf8.count) bytes, expected at most \(Self.maximumValueByteCount)"
      )
    }
    guard !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw InvalidPair(message: "the value of '\(key)' has a control character, expected one line of text")
    }
    guard values[key] == nil else { throw InvalidPair(message: "the key '\(key)' is repeated") }
    guard values.count < Self.maximumCount else {
      throw InvalidPair(message: "there are more than \(Self.maximumCount) keys")
    }
    values[key] = value
  }

  /// Reads the pairs of a release.
  init(_ reader: inout JSONReader) throws(DocumentError) {
    var metadata = ReleaseMetadata()
    try reader.object(atMost: Self.maximumCount) { (key, reader) throws(DocumentError) in
      let value = try reader.string(atMost: Self.maximumValueByteCount)
      do throws(InvalidPair) { try metadata.add(key, value) } catch {
        throw reader.error("the metadata of a release is invalid: \(error.message)")
      }
    }
    self = metadata
  }

  /// Writes the pairs, unless there are none.
  func write(to writer: inout JSONWriter) {
    guard !isEmpty else { return }
    writer.key("metadata")
    writer.object {
      for (key, value) in values.sorted(by: { $0.key < $1.key }) { $0.member(key, value) }
    }
  }
}
