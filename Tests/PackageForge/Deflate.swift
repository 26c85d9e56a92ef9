/// Simple Deflate streams (RFC 1951), valid unless documented otherwise.
package enum Deflate {
  /// One block of literals with fixed codes.
  package static func literals(_ content: [UInt8]) -> [UInt8] {
    var stream = BitStream()
    stream.beginFixedBlock()
    for byte in content { stream.appendLiteral(byte) }
    return stream.finish()
  }

  /// Stored blocks, which contain the content uncompressed.
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

  /// `count` zero bytes, with 13 bits for each run of 258. A part that is not final ends in an empty stored block.
  package static func zeros(_ count: Int, isFinal: Bool = true) -> [UInt8] {
    var stream = BitStream()
    stream.beginFixedBlock(isFinal: isFinal)
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
    let bytes = stream.finish()
    guard !isFinal else { return bytes }
    stream.append(0, count: 3)  // a stored block that is not the last
    return stream.bytes + [0, 0, 0xFF, 0xFF]
  }

  /// One letter A and a repetition whose length symbol is reserved (RFC 1951, 3.2.6).
  package static let reservedLength: [UInt8] = {
    var stream = BitStream()
    stream.beginFixedBlock()
    stream.appendLiteral(UInt8(ascii: "A"))
    stream.appendCode(0b1100_0110, length: 8)  // symbol 286
    stream.appendCode(0, length: 5)  // distance 1
    return stream.finish()
  }()

  /// 20 letters A after a header that declares `count` literal and length codes, of which at most 286 are valid
  /// (RFC 1951, 3.2.7).
  package static func letters(withCodes count: Int) -> [UInt8] {
    var stream = BitStream()
    stream.append(1, count: 1)  // the last block
    stream.append(2, count: 2)  // type 2, dynamic codes
    stream.append(UInt16(count - 257), count: 5)
    stream.append(0, count: 5)  // one distance code
    // 18 code length codes, in the order of the format: 2 bits for 18, 0, 2 and 1.
    stream.append(14, count: 4)
    for length in [0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] as [UInt16] {
      stream.append(length, count: 3)
    }
    func zeros(_ count: Int) {
      var rest = count
      while rest >= 11 {
        let run = min(rest, 138)
        stream.appendCode(3, length: 2)  // symbol 18
        stream.append(UInt16(run - 11), count: 7)
        rest -= run
      }
      for _ in 0..<rest { stream.appendCode(0, length: 2) }
    }
    zeros(65)
    stream.appendCode(1, length: 2)  // A: 1 bit
    zeros(256 - 66)
    stream.appendCode(2, length: 2)  // the end of the block: 2 bits
    zeros(count - 1 - 257)
    stream.appendCode(2, length: 2)  // the last length code, which nothing uses: 2 bits
    zeros(1)  // no distance
    for _ in 0..<20 { stream.appendCode(0, length: 1) }
    stream.appendCode(2, length: 2)
    return stream.bytes
  }

  private struct BitStream {
    private(set) var bytes: [UInt8] = []
    private var used = 0

    private mutating func append(_ bit: UInt16) {
      if used == 0 { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(bit & 1) << used
      used = (used + 1) % 8
    }

    /// Appends a number, least significant bit first.
    mutating func append(_ number: UInt16, count: Int) {
      for shift in 0..<count { append(number >> shift) }
    }

    /// Appends a code, most significant bit first (RFC 1951, 3.1.1).
    mutating func appendCode(_ code: UInt16, length: Int) {
      for shift in (0..<length).reversed() { append(code >> shift) }
    }

    mutating func beginFixedBlock(isFinal: Bool = true) {
      append(isFinal ? 1 : 0, count: 1)  // the last block
      append(1, count: 2)  // type 1
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
