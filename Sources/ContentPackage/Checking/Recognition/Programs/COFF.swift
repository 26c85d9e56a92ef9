import Support

/// Object files of Windows compilers, which have no signature (Microsoft PE format, "COFF File Header (Object and
/// Image)").
enum COFF {
  /// The machine numbers at the start of object files.
  static let machines: [[UInt8]] = [
    [0x4C, 0x01], [0x64, 0x86], [0xC0, 0x01], [0xC4, 0x01], [0x64, 0xAA], [0x00, 0x02],
  ]

  static func recognize(_ file: FileExcerpt) -> Recognition? {
    let head = file.head.borrowedSpan
    guard let sections = head.uint16(at: 2, .little), (1...2048).contains(sections),
      let symbols = head.uint32(at: 8, .little), let count = head.uint32(at: 12, .little),
      (symbols == 0) == (count == 0), Int64(symbols) + Int64(count) * 18 <= file.size,
      head.uint16(at: 16, .little) == 0, Int64(20 + sections * 40) <= file.size, isSection(file, at: 20)
    else { return nil }
    return .possibleCode("an object file (COFF)")
  }

  /// Recognizes the form for more sections (LLVM's COFF.h: BigObjMagic after 0, 0xFFFF, a version and a machine).
  static func recognizeLarge(_ file: FileExcerpt) -> Recognition? {
    let identifier: [UInt8] = [
      0xC7, 0xA1, 0xBA, 0xD1, 0xEE, 0xBA, 0xA9, 0x4B, 0xAF, 0x20, 0xFA, 0xF6, 0x6A, 0xA4, 0xDC, 0xB8,
    ]
    guard file.head.count >= 28, file.head[12..<28].elementsEqual(identifier) else { return nil }
    return .possibleCode("an object file (COFF)")
  }

  /// Returns whether a section header has a printable name padded with NULs, and data within the file.
  private static func isSection(_ file: FileExcerpt, at start: Int) -> Bool {
    let head = file.head.borrowedSpan
    guard let size = head.uint32(at: start + 16, .little), let offset = head.uint32(at: start + 20, .little),
      offset == 0 || Int64(offset) + Int64(size) <= file.size,
      head[start] == UInt8(ascii: ".") || head[start] == UInt8(ascii: "/")
    else { return false }
    var length = 1
    while length < 8, head[start + length] > 0x20, head[start + length] < 0x7F { length += 1 }
    return length > 1 && head.all(start + length..<start + 8) { $0 == 0 }
  }
}
