import Support

/// Executables and libraries of DOS and Windows.
enum PortableExecutable {
  /// Recognizes a file by the header that the DOS header points to (Microsoft PE format, "Signature (Image Only)").
  static func recognize(_ file: FileExcerpt) -> Recognition? {
    let bare: Recognition? = isText(file) ? nil : .possibleCode("an MZ header and nothing behind it")
    guard let place = headerPlace(file), let bytes = file.bytes(at: place, count: headerStart) else {
      return bare
    }
    return header(bytes.borrowedSpan) ?? bare
  }

  /// Returns whether the file is text, such as a table whose first column is MZ. The header of a DOS program has small
  /// numbers, and therefore zero bytes.
  private static func isText(_ file: FileExcerpt) -> Bool {
    file.head.count > 2
      && file.head.borrowedSpan.all(2..<file.head.count) {
        $0 >= 0x20 && $0 != 0x7F || [9, 10, 12, 13].contains($0)
      }
  }

  /// Returns the offset of the extended header, or nil if there can be none.
  static func headerPlace(_ file: FileExcerpt) -> Int64? {
    guard file.head.borrowedSpan.has("MZ", at: 0),
      let place = file.head.borrowedSpan.uint32(at: placeOfHeaderPlace, .little), place >= 4,
      Int64(place) <= file.size - Int64(headerStart)
    else { return nil }
    return Int64(place)
  }

  private static func header(_ bytes: Span<UInt8>) -> Recognition? {
    if bytes.has("PE\0\0", at: 0), let machine = bytes.uint16(at: 4, .little) {
      return .code("a Windows executable (\(machines[machine] ?? "machine \(machine)"))")
    }
    // The 16-bit forms of Windows and OS/2 (magic file `msdos`).
    let isOld = bytes.has("NE", at: 0) || bytes.has("LE", at: 0) || bytes.has("LX", at: 0)
    return isOld ? .code("a 16-bit Windows or OS/2 executable") : nil
  }

  /// The number of bytes read of the extended header: its signature and the machine.
  static let headerStart = 6

  /// The position of the extended header's offset (e_lfanew).
  private static let placeOfHeaderPlace = 0x3C

  /// The machine types (Microsoft PE format).
  private static let machines = [
    0x14C: "x86", 0x8664: "x86-64", 0x1C0: "ARM", 0x1C4: "ARM", 0xAA64: "ARM64", 0xEBC: "EFI",
    0x200: "Itanium",
  ]
}
