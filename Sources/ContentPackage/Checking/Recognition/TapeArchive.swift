/// The formats of tar and cpio archives.
enum TapeArchive {
  /// Recognizes a tar header block by its checksum (POSIX.1-2017 pax, "ustar Interchange Format"; tar(5) for the form
  /// of Seventh Edition Unix, which has no signature).
  static func tar(_ head: Span<UInt8>) -> Recognition? {
    guard head.count >= 512, head[0] != 0, head.all(148..<156, { $0.isOctalDigit || $0 == 0x20 || $0 == 0 })
    else {
      return nil
    }
    var declared = 0
    for index in 148..<156 where head[index].isOctalDigit { declared = declared * 8 + Int(head[index] & 7) }
    // Old programs treated bytes as signed numbers.
    var (sum, signedSum) = (0, 0)
    for index in 0..<512 {
      let byte = (148..<156).contains(index) ? 0x20 : head[index]
      sum += Int(byte)
      signedSum += Int(Int8(bitPattern: byte))
    }
    return declared > 0 && (declared == sum || declared == signedSum) ? .archive("a tar archive") : nil
  }

  /// Recognizes the binary form of cpio (cpio(5)): 13 numbers of 16 bits, then the name with its NUL.
  static func binaryCPIO(_ head: Span<UInt8>, _ order: Span<UInt8>.ByteOrder) -> Recognition? {
    guard let mode = head.uint16(at: 6, order), [1, 2, 4, 6, 8, 10, 12].contains(mode >> 12),
      let length = head.uint16(at: 20, order), (2...1024).contains(length),
      head.all(26..<25 + length, { $0 >= 0x20 }), head.all(25 + length..<26 + length, { $0 == 0 })
    else { return nil }
    return .archive("a cpio archive")
  }
}
