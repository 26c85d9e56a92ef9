/// Why a property list is refused.
package struct PropertyListProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// The raw value is the second half of the rule's identifier.
  package enum Kind: String, Sendable, CaseIterable {
    /// Not well-formed, not a property list, or beyond a limit.
    case unreadable
    /// XML that could reach other files, that readers disagree about, or that hides what it says: entities,
    /// document types and namespaces of its own, other encodings and versions, comments within a value.
    case unsafeXML = "unsafe-xml"
    /// A dictionary has two equal keys, of which one reader takes the first and another the last.
    case duplicateKey = "duplicate-key"
  }

  package let kind: Kind
  /// The line of an XML list that is meant, from 1.
  package let line: Int?
  /// What was found and what was expected: one lower-case sentence without a full stop, safe to print.
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

extension PropertyListProblem {
  static func tooDeep(line: Int? = nil) -> PropertyListProblem {
    PropertyListProblem(
      .unreadable, line: line,
      "arrays and dictionaries are nested deeper than \(PropertyListLimits.depth) levels")
  }
}

extension StringProtocol {
  /// The text as a message may repeat it: printable ASCII as it is, everything else escaped, and not too long.
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
