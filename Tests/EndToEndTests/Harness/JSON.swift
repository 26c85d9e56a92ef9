import Foundation
import TestSupport

/// A JSON value.
enum JSON: Decodable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// Parses `text` as a single document.
  init(parsing text: String) throws { self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8)) }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([JSON].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  /// The value of a key; nil if the key is missing, `null` for a JSON null.
  subscript(_ key: String) -> JSON? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }

  subscript(_ index: Int) -> JSON? { elements.indices.contains(index) ? elements[index] : nil }

  var keys: Set<String> {
    guard case .object(let object) = self else { return [] }
    return Set(object.keys)
  }

  var elements: [JSON] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  var integer: Int64? {
    guard case .integer(let integer) = self else { return nil }
    return integer
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
  init(stringLiteral text: String) { self = .string(text) }
  init(integerLiteral number: Int64) { self = .integer(number) }
  init(booleanLiteral bool: Bool) { self = .bool(bool) }
}
