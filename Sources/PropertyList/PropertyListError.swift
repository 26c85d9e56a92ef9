/// A defect for which a property list is rejected.
package struct PropertyListError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of a defect. Its raw value is the part of the rule's identifier after the slash.
  package enum Kind: String, Sendable, CaseIterable {
    /// The file is malformed, is not a property list, or exceeds a limit.
    case unreadable
    /// The XML can refer to other files, has different meanings for different readers, or hides its meaning: entities,
    /// document types, namespaces, other encodings and versions, comments within a value.
    case unsafeXML = "unsafe-xml"
    /// A dictionary has two equal keys. Some readers use the first and others the last.
    case duplicateKey = "duplicate-key"
  }

  /// The kind of the defect.
  package let kind: Kind
  /// The line in the text, counted from 1; nil if the line is unknown or the property list is binary.
  package let line: Int?
  /// The finding and the expectation: one lower-case sentence without a full stop, safe to print.
  package let message: String

  init(_ kind: Kind, line: Int? = nil, _ message: String) {
    self.kind = kind
    self.line = line
    self.message = message
  }

  /// The message, preceded by the line if it is known.
  package var description: String {
    guard let line else { return message }
    return "line \(line): \(message)"
  }
}

extension PropertyListError {
  static func tooDeep(line: Int? = nil) -> PropertyListError {
    PropertyListError(
      .unreadable, line: line,
      "arrays and dictionaries are nested deeper than \(PropertyListLimits.maximumDepth) levels")
  }
}

extension StringProtocol {
  /// The text for use in a message: shortened, with everything except printable ASCII escaped.
  var printable: String {
    var result = ""
    for scalar in unicodeScalars {
      guard result.utf8.count < PropertyListLimits.maximumQuotedLength else { return result + "…" }
      let isPlain = scalar.value >= 0x20 && scalar.value < 0x7F && scalar != "\\"
      if isPlain {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return result
  }
}
