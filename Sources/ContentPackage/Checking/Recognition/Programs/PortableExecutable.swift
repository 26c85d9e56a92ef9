import Support

/// Executables and libraries of DOS, Windows and OS/2.
enum PortableExecutable {
  /// Recognizes a file by the header that the DOS header points to (Microsoft PE format, "Signature (Image Only)").
  static func recognize(_ file: FileExcerpt) -> Recognition? {
    let bare: Recognition? = isText(file) ? nil : .possibleCode("an MZ header without a Windows header")
    guard let offset = headerOffset(file), let bytes = file.bytes(at: offset, count: headerLength) else {
      return bare
    }
    return header(bytes.borrowedSpan) ?? bare
  }

  /// Returns whether the file is text, such as a table whose first column is MZ. The header of a DOS program is not
  /// text, because its small numbers have zero bytes.
  private static func isText(_ file: FileExcerpt) -> Bool {
    file.head.count > 2
      && file.head.borrowedSpan.all(2..<file.head.count) {
        $0 >= 0x20 && $0 != 0x7F || [9, 10, 12, 13].contains($0)
      }
  }

  /// Returns the offset of the extended header; nil if the offset is invalid.
  static func headerOffset(_ file: FileExcerpt) -> Int64? {
    guard file.head.borrowedSpan.has("MZ", at: 0),
      let offset = file.head.borrowedSpan.uint32(at: headerOffsetPosition, .little), offset >= 4,
      Int64(offset) <= file.size - Int64(headerLength)
    else { return nil }
    return Int64(offset)
  }

  private static func header(_ bytes: Span<UInt8>) -> Recognition? {
    if bytes.has("PE\0\0", at: 0), let machine = bytes.uint16(at: 4, .little) {
      return .code("a Windows executable (\(machines[machine] ?? "machine \(machine)"))")
    }
    // NE: 16-bit Windows and OS/2; LE: Windows drivers and OS/2; LX: 32-bit OS/2 (magic file `msdos`).
    let isOld = bytes.has("NE", at: 0) || bytes.has("LE", at: 0) || bytes.has("LX", at: 0)
    return isOld ? .code("a Windows or OS/2 executable (NE, LE or LX)") : nil
  }

  /// The number of bytes to read from the start of the extended header: the signature and the machine type.
  static let headerLength = 6

  /// The position of the field with the extended header's offset (e_lfanew).
  private static let headerOffsetPosition = 0x3C

  /// The machine types (Microsoft PE format).
  private static let machines = [
    0x14C: "x86", 0x8664: "x86-64", 0x1C0: "ARM", 0x1C4: "ARM", 0xAA64: "ARM64", 0xEBC: "EFI",
    0x200: "Itanium",
  ]
}
