/// Bytes at a fixed place that a format starts with, and what to make of a file that has them.
struct Signature: Sendable {
  /// Looks closer at a head that has the bytes; nil if the file is something harmless after all.
  typealias Check = @Sendable (_ head: Span<UInt8>, _ size: Int64) -> Recognition?

  let offset: Int
  let bytes: [UInt8]
  let check: Check

  init(_ bytes: [UInt8], at offset: Int = 0, check: @escaping Check) {
    self.offset = offset
    self.bytes = bytes
    self.check = check
  }

  /// A signature long enough to need no closer look.
  init(_ bytes: [UInt8], at offset: Int = 0, is recognition: Recognition) {
    self.init(bytes, at: offset) { _, _ in recognition }
  }

  /// The same for formats that start with readable text.
  init(_ text: StaticString, at offset: Int = 0, is recognition: Recognition) {
    self.init(Array(text.description.utf8), at: offset, is: recognition)
  }

  func matches(_ head: Span<UInt8>) -> Bool {
    guard offset + bytes.count <= head.count else { return false }
    return bytes.indices.allSatisfy { head[offset + $0] == bytes[$0] }
  }
}

extension Span<UInt8> {
  enum ByteOrder { case little, big }

  /// The unsigned number of `count` bytes, at most 8, or nil if the span ends before.
  func number(at offset: Int, bytes count: Int, _ order: ByteOrder) -> UInt64? {
    guard offset >= 0, offset <= self.count - count else { return nil }
    var result: UInt64 = 0
    for index in 0..<count {
      result = result << 8 | UInt64(self[offset + (order == .big ? index : count - 1 - index)])
    }
    return result
  }

  func uint16(at offset: Int, _ order: ByteOrder) -> Int? {
    number(at: offset, bytes: 2, order).map { Int($0) }
  }

  func uint32(at offset: Int, _ order: ByteOrder) -> UInt32? {
    number(at: offset, bytes: 4, order).map { UInt32(truncatingIfNeeded: $0) }
  }

  /// Whether the bytes stand at the offset.
  func has(_ text: StaticString, at offset: Int) -> Bool {
    let wanted = Array(text.description.utf8)
    guard offset >= 0, offset <= count - wanted.count else { return false }
    return wanted.indices.allSatisfy { self[offset + $0] == wanted[$0] }
  }
}
