import Support

/// Writes JSON without white space. Equal values have equal bytes, because documents are named by their digest.
package struct JSONWriter {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []
  /// Whether the next value needs no comma before it.
  private var isFirst = true

  package init() {}

  /// Appends a line feed, and returns the document.
  package mutating func line() -> [UInt8] {
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// Writes an object; `body` writes its members.
  package mutating func object<Failure: Error>(
    _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) { try enclose("{", "}", body) }

  /// Writes an array; `body` writes its elements.
  package mutating func array<Failure: Error>(
    _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) { try enclose("[", "]", body) }

  /// Writes a key; its value must follow.
  package mutating func key(_ key: String) {
    string(key)
    bytes.append(UInt8(ascii: ":"))
    isFirst = true
  }

  /// Writes a member with a string, or null if `text` is nil.
  package mutating func member(_ name: String, _ text: String?) {
    key(name)
    if let text { string(text) } else { null() }
  }

  /// Writes a member with an integer.
  package mutating func member(_ name: String, _ number: Int64) {
    key(name)
    integer(number)
  }

  /// Writes a member with the decimal number `number / 10^decimals`, without trailing zeros. `number` must not be
  /// negative.
  package mutating func member(_ name: String, _ number: Int64, decimals: Int) {
    key(name)
    separate()
    var digits = Array(String(number).utf8)
    digits.insert(
      contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, decimals + 1 - digits.count)), at: 0)
    bytes += digits.dropLast(decimals)
    var fraction = digits.suffix(decimals)
    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    if !fraction.isEmpty { bytes += [UInt8(ascii: ".")] + fraction }
  }

  package mutating func null() {
    separate()
    bytes += "null".utf8
  }

  package mutating func bool(_ isTrue: Bool) {
    separate()
    bytes += (isTrue ? "true" : "false").utf8
  }

  package mutating func integer(_ number: Int64) {
    separate()
    bytes += String(number).utf8
  }

  /// Writes a string, in which quotation marks, backslashes and control characters are escaped.
  package mutating func string(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    var rest = Array(text.utf8)[...]
    while let index = rest.firstIndex(where: Self.isEscaped) {
      bytes += rest[..<index]
      let byte = rest[index]
      let isControl = byte < 0x20 || byte == 0x7F
      bytes += isControl ? Array("\\u\(String(byte, radix: 16, width: 4))".utf8) : [UInt8(ascii: "\\"), byte]
      rest = rest[(index + 1)...]
    }
    bytes += rest
    bytes.append(UInt8(ascii: "\""))
  }

  /// Returns whether a byte of a string must be escaped.
  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func enclose<Failure: Error>(
    _ opening: Unicode.Scalar, _ closing: Unicode.Scalar,
    _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    separate()
    bytes.append(UInt8(ascii: opening))
    isFirst = true
    try body(&self)
    bytes.append(UInt8(ascii: closing))
    isFirst = false
  }

  private mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
  }
}
