/// The reason why a property list is not accepted.
package struct PropertyListError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The raw value is the second half of the rule's identifier.
  package enum Kind: String, Sendable, CaseIterable {
    /// The file is malformed, is not a property list, or exceeds a limit.
    case unreadable
    /// The XML can refer to other files, has different meanings for different readers, or hides its meaning: entities,
    /// document types, namespaces, other encodings and versions, comments within a value.
    case unsafeXML = "unsafe-xml"
    /// A dictionary has two equal keys. Some readers use the first and others the last.
    case duplicateKey = "duplicate-key"
  }

  package let kind: Kind
  /// The line of an XML property list, counted from 1.
  package let line: Int?
  /// The finding and the expectation: one lower-case sentence without a full stop, safe to print.
  package let message: String

  init(_ kind: Kind, line: Int? = nil, _ message: String) {
    self.kind = kind
    self.line = line
    self.message = message
  }

  package var description: String {
    guard let line else { return message }
    return "line \(line): \(message)"
  }
}

extension PropertyListError {
  static func tooDeep(line: Int? = nil) -> PropertyListError {
    PropertyListError(
      .unreadable, line: line,
      "arrays and dictionaries are nested deeper than \(PropertyListLimits.depth) levels")
  }
}

extension StringProtocol {
  /// The text for a message: printable ASCII, everything else escaped, and shortened.
  var printable: String {
    var result = ""
    for scalar in unicodeScalars {
      guard result.utf8.count < PropertyListLimits.quotedLength else { return result + "…" }
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
