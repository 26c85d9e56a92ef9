/// Deflate streams that are valid and simple (RFC 1951).
package enum Deflate {
  /// One block with fixed codes and nothing but literals.
  package static func literals(_ content: [UInt8]) -> [UInt8] {
    var stream = BitStream()
    stream.beginFixedBlock()
    for byte in content { stream.appendLiteral(byte) }
    return stream.finish()
  }

  /// Stored blocks, which hold the content as it is.
  package static func stored(_ content: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = content[...]
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      var lengths = LittleEndianBytes()
      lengths.append(UInt16(block.count), ~UInt16(block.count))
      result += [rest.isEmpty ? 1 : 0] + lengths.bytes + block
    } while !rest.isEmpty
    return result
  }

  /// So many zero bytes, 258 of them in 13 bits.
  package static func zeros(_ count: Int) -> [UInt8] {
    var stream = BitStream()
    stream.beginFixedBlock()
    var rest = count
    if rest > 0 {
      stream.appendLiteral(0)
      rest -= 1
    }
    while rest >= 258 {
      stream.appendCode(0b1100_0101, length: 8)  // symbol 285: length 258
      stream.appendCode(0, length: 5)  // distance 1
      rest -= 258
    }
    for _ in 0..<rest { stream.appendLiteral(0) }
    return stream.finish()
  }

  private struct BitStream {
    private var bytes: [UInt8] = []
    private var used = 0

    private mutating func append(_ bit: UInt16) {
      if used == 0 { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(bit & 1) << used
      used = (used + 1) % 8
    }

    /// Codes begin with their most significant bit (RFC 1951, 3.1.1).
    mutating func appendCode(_ code: UInt16, length: Int) {
      for shift in (0..<length).reversed() { append(code >> shift) }
    }

    mutating func beginFixedBlock() {
      append(1)  // the last block
      append(1)  // type 1, least significant bit first
      append(0)
    }

    mutating func appendLiteral(_ byte: UInt8) {
      if byte < 144 {
        appendCode(0x30 + UInt16(byte), length: 8)
      } else {
        appendCode(0x190 + UInt16(byte - 144), length: 9)
      }
    }

    mutating func finish() -> [UInt8] {
      appendCode(0, length: 7)  // the end of the block
      return bytes
    }
  }
}
