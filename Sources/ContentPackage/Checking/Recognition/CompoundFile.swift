import Support

/// Files in Microsoft's compound file format ([MS-CFB]): documents of older office programs, installers and others.
///
/// The directory may be anywhere in the file, but each directory entry begins at a multiple of 128 bytes. Therefore the
/// bytes at all these positions are checked as they arrive.
struct CompoundFile: Sendable {
  private static let entryLength = 128

  /// The result from the directory entries read so far.
  private(set) var recognition: Recognition?
  /// The start of an incomplete entry.
  private var rest: [UInt8] = []

  static let signatureLength = 8

  /// Returns whether a file begins like a compound file ([MS-CFB] 2.2, header signature).
  static func hasSignature(_ head: [UInt8]) -> Bool {
    head.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])
  }

  /// Checks the next bytes of the file.
  mutating func update(_ chunk: Span<UInt8>) {
    var offset = 0
    if !rest.isEmpty {
      offset = min(Self.entryLength - rest.count, chunk.count)
      for index in 0..<offset { rest.append(chunk[index]) }
      guard rest.count == Self.entryLength else { return }
      let entry = rest
      rest = []
      checkEntry(entry.borrowedSpan, at: 0)
    }
    while offset + Self.entryLength <= chunk.count {
      checkEntry(chunk, at: offset)
      offset += Self.entryLength
    }
    for index in offset..<chunk.count { rest.append(chunk[index]) }
  }

  /// Checks a possible directory entry ([MS-CFB] 2.6.1): a name in 64 bytes, the length of the name, and the kind.
  private mutating func checkEntry(_ bytes: Span<UInt8>, at offset: Int) {
    let kind = bytes[offset + 66]
    guard bytes[offset + 65] == 0, bytes[offset + 64] <= 64, [1, 2, 5].contains(kind) else { return }
    // Windows Installer class identifiers of packages, patches and transforms: {000C1084-0000-0000-C000-…46}.
    if kind == 5, [0x82, 0x84, 0x86].contains(bytes[offset + 80]),
      bytes.has("\u{10}\u{C}\0", at: offset + 81),
      bytes[offset + 88] == 0xC0, bytes[offset + 95] == 0x46
    {
      recognition = .code("a Windows installer")
    } else if recognition == nil, Self.macroNames.contains(where: { Self.has($0, bytes, at: offset) }) {
      recognition = .possibleCode("a document with macros")
    }
  }

  /// The names of a macro project's storage, of a stream in it, and of the storage in workbooks ([MS-OVBA] 2.2.1).
  private static let macroNames = ["VBA", "_VBA_PROJECT", "_VBA_PROJECT_CUR"]

  /// Returns whether the entry has this name, which is stored in UTF-16 with a trailing NUL.
  private static func has(_ name: String, _ bytes: Span<UInt8>, at offset: Int) -> Bool {
    guard Int(bytes[offset + 64]) == 2 * name.utf8.count + 2 else { return false }
    return name.utf8.enumerated().allSatisfy { index, byte in
      bytes[offset + 2 * index] == byte && bytes[offset + 2 * index + 1] == 0
    }
  }
}
