/// One value of a property list.
package enum PropertyListValue: Sendable {
  case string(String)
  /// An integer: -2^63 to 2^64 - 1 in XML, up to 16 bytes in a binary property list.
  case integer(Int128)
  case real(Double)
  case boolean(Bool)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  case data([UInt8])
  case array([PropertyListValue])
  /// The entries in the order of the file. No two keys are equal.
  case dictionary([PropertyListPair])
  /// A reference of a keyed archive. It exists in binary property lists only.
  case uid(UInt64)
}

/// One entry of a dictionary.
package struct PropertyListPair: Sendable, Equatable {
  /// The key.
  package let key: String
  /// The value of the key.
  package let value: PropertyListValue

  /// Creates an entry from a key and its value.
  package init(key: String, value: PropertyListValue) {
    self.key = key
    self.value = value
  }

  /// Returns whether two entries are identical. Keys are compared by their UTF-8 bytes.
  package static func == (left: Self, right: Self) -> Bool {
    left.key.isIdentical(to: right.key) && left.value == right.value
  }
}

extension PropertyListValue: Equatable {
  /// Returns whether two values are identical. Strings are compared by their code units, because Swift treats different
  /// encodings of an accented letter as equal. Numbers are compared by their bits, so that a NaN equals itself.
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): left.isIdentical(to: right)
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): left.bitPattern == right.bitPattern
    case (.data(let left), .data(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    case (.uid(let left), .uid(let right)): left == right
    default: false
    }
  }

  /// The name of the type in a message.
  package var typeName: String {
    switch self {
    case .string: "string"
    case .integer: "integer"
    case .real: "real"
    case .boolean: "boolean"
    case .date: "date"
    case .data: "data"
    case .array: "array"
    case .dictionary: "dictionary"
    case .uid: "uid"
    }
  }
}

extension String {
  /// Returns whether two strings have the same UTF-8 bytes.
  func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
