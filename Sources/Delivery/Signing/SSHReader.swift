/// Parses the data types of SSH (RFC 4251, 5).
struct SSHReader {
  private var remaining: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { remaining = bytes[...] }

  var isAtEnd: Bool { remaining.isEmpty }

  /// Skips `expected` if the next bytes are equal to it.
  mutating func skipPrefix(_ expected: [UInt8]) -> Bool {
    guard remaining.starts(with: expected) else { return false }
    remaining = remaining.dropFirst(expected.count)
    return true
  }

  mutating func uint32() throws(SignatureError) -> UInt32 {
    guard remaining.count >= 4 else { throw SignatureError("it is truncated") }
    let value = remaining.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    remaining = remaining.dropFirst(4)
    return value
  }

  mutating func string() throws(SignatureError) -> [UInt8] {
    try bytes(Int(clamping: try uint32()))
  }

  mutating func bytes(_ count: Int) throws(SignatureError) -> [UInt8] {
    guard remaining.count >= count else { throw SignatureError("it is truncated") }
    defer { remaining = remaining.dropFirst(count) }
    return Array(remaining.prefix(count))
  }

  mutating func text() throws(SignatureError) -> String {
    guard let text = String(validating: try string(), as: UTF8.self) else {
      throw SignatureError("a name in it is not UTF-8")
    }
    return text
  }
}

/// Writes the data types of SSH.
struct SSHWriter {
  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func string(_ string: some Collection<UInt8>) {
    let count = UInt32(clamping: string.count)
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
    bytes += string
  }
}
