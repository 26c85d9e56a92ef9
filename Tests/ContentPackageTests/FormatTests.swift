import SafeFiles
import Support
import Testing

@testable import ContentPackage

/// Formats whose content may be code or cannot be inspected, each forged from its specification.
@Suite struct FormatTests {
  @Test(
    arguments: [
      // V8: its magic number, four numbers, and the length of the 16 bytes after the header of 32.
      ("V8", join([0xB1, 0x04, 0xDE, 0xC0], zeros(16), [16, 0, 0, 0], zeros(24))),
      // QuickJS: a version, one name, and the tag of a module; then QuickJS-NG: a checksum, and a type for each name.
      ("QuickJS", join([5, 1, 8], text("main"), [13, 0])),
      ("QuickJS", join([1, 1, 8], text("main"), [14, 0])),
      ("QuickJS", join([21, 9, 9, 9, 9, 2, 1, 8], text("main"), [0, 1, 0, 0, 0, 12])),
      ("Dart kernel", [0x90, 0xAB, 0xCD, 0xEF, 0, 0, 0, 101]), ("Dart snapshot", [0xF5, 0xF5, 0xDC, 0xDC]),
      ("GDScript", join(text("GDSC"), [100, 0, 0, 0])), ("GDScript", join(text("GDEC"), [1, 0, 0, 0])),
      ("Squirrel", join([0xFA, 0xFA], text("RIQS"))), ("Squirrel", join([0xFA, 0xFA], text("SQIR"))),
      ("Emacs", join(text(";ELC"), [0x1C, 0, 0, 0])),
      ("Flash", join(text("FWS"), [9, 80, 0, 0, 0])),
      ("Flash", join(text("CWS"), [9, 80, 0, 0, 0, 0x78, 0x9C])),
      ("Flash", join(text("ZWS"), [13, 80, 0, 0, 0, 9, 9, 9, 9, 0x5D, 0, 0])),
      ("OCaml", text("Caml1999O031")),
      ("OCaml", join(zeros(5000), text("Caml1999X031"))),
      ("pickle", join([0x80, 4, 0x95, 6, 0, 0, 0, 0, 0, 0, 0], [0x5D, 0x94, 0x2E], text("xxx"))),
      ("pickle", join([0x80, 2], text("}q\u{0}."))),
      ("pickle", join([0x80, 2, 0x8A, 10, 0x6C, 0xFC], zeros(8), text("."), zeros(9))),
      ("pickle", text("cos\nsystem\n(S'ls'\ntR.")), ("pickle", text("(dp0\nS'a'\np1\nI1\ns.")),
      ("pickle", text("I1\n0cos\nsystem\n(S'ls'\ntR.and so on")),
      ("pickle", text("}q\0(X\u{1}\0\0\0aK\u{1}u.")),
      ("pickle", join(text("(lp0\n"), Array(repeatElement(text("S'x'\np1\na"), count: 1000).joined()))),
      (
        "pickle",
        join(
          text("(lp100\n"), Array(repeatElement(text("I1\na"), count: 1022).joined()), text("I"),
          text("1\na."))
      ),
      ("pickle", text("(dp0\nV\u{7}\np1\nF2.5\ns.")),
      ("pickle", text("(i__main__\nFoo\np0\n(dp1\nb.")),
      ("NumPy", join([0x93], text("NUMPY\u{1}\0v\0{'descr': '|O', }"))),
      ("help", join(text("ITSF"), [3, 0, 0, 0])), ("browser", join(text("Cr24"), [3, 0, 0, 0])),
      ("Java module", text("JM\u{1}\0PK")),
      ("PHP", join(text("<?php __HALT_COMPILER(); ?>"), [2, 0, 0, 0], text("GBMB"))),
      ("desktop entry", text("[Desktop Entry]\nType=Application\nExec=sh -c x\n")),
      ("registry", text("REGEDIT4\r\n")),
      ("registry", join([0xFF, 0xFE], text("Windows Registry Editor").flatMap { [$0, 0] })),
      ("shortcut", text("[InternetShortcut]\r\nURL=file:///x\r\n")),
      ("object file", coff),
      ("object file", join([0, 0, 0xFF, 0xFF, 2, 0, 0x64, 0x86], zeros(4), bigObjectIdentifier)),
      ("macros", compound(names: ["Root Entry", "_VBA_PROJECT"])),
      ("macros", join(zeros(0), compound(names: ["Root Entry", "x", "y", "VBA"], kind: 1))),

    ] as [(String, [UInt8])])
  func `a format that can be executed is possible code`(_ what: String, _ file: [UInt8]) throws {
    try expect(.possibleCode, what, file)
  }

  @Test(
    arguments: [
      ("tar", tar(name: "a.txt")), ("tar", tar(name: "a.txt", signature: "ustar\0")),
      ("cpio", join([0xC7, 0x71], zeros(4), [0xA4, 0x81], zeros(12), [2, 0], zeros(4), text("a\0"))),
      ("cpio", join([0x71, 0xC7], zeros(4), [0x81, 0xA4], zeros(12), [0, 2], zeros(4), text("a\0"))),
      ("asar", join([4, 0, 0, 0, 60, 0, 0, 0, 56, 0, 0, 0, 51, 0, 0, 0], text("{\"files\":{}}"))),
      ("WIM", join(text("MSWIM\0\0\0"), [208, 0, 0, 0])),
      ("LHA", join([0x20, 0x30], text("-lh5-"), zeros(13), [2, 0])),
      ("ARJ", [0x60, 0xEA, 44, 0, 30, 11, 1, 0, 0x10, 0, 2, 0]), ("ACE", join(zeros(7), text("**ACE**"))),
      ("ISO 9660", join(zeros(32_768), [1], text("CD001\u{1}"))),
      ("SquashFS", join(text("hsqs"), zeros(24), [4, 0])),
      ("ext", ext), ("XFS", join(text("XFSB"), [0, 0, 0x10, 0])), ("FAT", boot("FAT32   ", at: 82)),
      ("NTFS", boot("NTFS    ", at: 3)), ("partitions", join(zeros(512), text("EFI PART\0\0\u{1}\0"))),
      ("HFS+", join(zeros(1024), [0x48, 0x2B, 0, 4])),
      ("APFS", join(zeros(32), text("NXSB"), [0, 16, 0, 0])),
      ("QCOW", join(text("QFI"), [0xFB])), ("VMDK", join(text("KDMV"), [1, 0, 0, 0])),
      ("VHDX", text("vhdxfile")),
      ("VHD", join(zeros(4096), text("conectix"), zeros(504))),
      ("VDI", join(zeros(64), [0x7F, 0x10, 0xDA, 0xBE])),
      ("Apple disk image", join(zeros(6000), text("koly\0\0\0\u{4}"), zeros(504))),
      ("Apple disk image", join(text("koly\0\0\0\u{4}"), zeros(504))),
      ("Godot", join(text("GDPC"), [2, 0, 0, 0])),
      ("Godot", join(zeros(90), [50, 0, 0, 0, 0, 0, 0, 0], text("GDPC"))),
      ("StuffIt", text("SIT!\0\u{1}\0\0\0\0rLau")),
      ("lzop", join([0x89], text("LZO\0\r\n\u{1A}\n"))), ("lrzip", text("LRZI\0")),
      ("pbzx", text("pbzx\0\0\0\0")),
      ("Snappy", join([0xFF, 6, 0, 0], text("sNaPpY"))), ("LZFSE", text("bvx2")),

    ] as [(String, [UInt8])])
  func `a container that cannot be inspected is an archive`(_ what: String, _ file: [UInt8]) throws {
    try expect(.archive, what, file)
  }

  private func expect(_ kind: Recognition.Kind, _ what: String, _ file: [UInt8]) throws {
    let found = try #require(recognize(file).first, "\(what)")
    #expect(found.kind == kind && found.formatName.contains(what), "\(found)")
  }

  @Test(
    arguments: [
      [0x1F, 0x8B, 8, 0], text("BZh91AY&SY"), join([0xFD], text("7zXZ\0")), [0x28, 0xB5, 0x2F, 0xFD],
      [4, 0x22, 0x4D, 0x18],
      [2, 0x21, 0x4C, 0x18], join([0x5D, 0, 0, 0x80, 0], [UInt8](repeating: 0xFF, count: 8), [0]),
      text("LZIP\u{1}"),
      [0x1F, 0x9D, 0x90],

    ] as [[UInt8]])
  func `a compressed stream is recognized`(_ file: [UInt8]) throws {
    guard case .stream = try #require(recognize(file).first).kind else {
      Issue.record("not recognized")
      return
    }
  }

  @Test(arguments: [0x84, 0x86, 0x82] as [UInt8])
  func `an installer in a compound file is code`(first: UInt8) {
    let identifier = join([first, 0x10, 0x0C, 0], zeros(4), [0xC0], zeros(6), [0x46])
    let file = compound(names: ["Root Entry"], kind: 5, identifier: identifier)
    #expect(recognize(file) == [.code("a Windows installer")])
  }

  @Test(arguments: ["", "a comment of the archive", String(repeating: "long", count: 16_383)])
  func `an archive after a picture is recognized`(comment: String) {
    let record = join(text("PK\u{5}\u{6}"), zeros(4), [1, 0, 1, 0, 60, 0, 0, 0, 9, 0, 0, 0])
    let length = comment.utf8.count
    let lengths = [UInt8(length & 0xFF), UInt8(length >> 8)]
    let file = join([0x89], text("PNG\r\n\u{1A}\n"), zeros(9000), record, lengths, text(comment))
    #expect(recognize(file).map(\.kind) == [.zip])
  }

  @Test(
    arguments: [
      text("GDSCript is a language"), text("GDPC?"), text(";ELCamino"), text("FWS is a word of three"),
      text("CWS\u{9}abcdefg"),
      text("Cr24 of the crew"), text("ITSF-1990"), text("hsqs and so on, and so on, and on"),
      text("XFSB is it"),
      text("Caml1999"), text("BZh9 is no block"), text("cat\ndog\npig.\n"), text("cat\ndog\npig."),
      text("(see below)\nx\ny."),
      text("Notes."), text("It is."), text("I1\n."), text("cat\ndog\n."), text("(cat\ndog\n."),
      text("Vous\nCela\n."),
      text("S'a'\n."), text("GET / HTTP/1.1\n."), text("{\"a\": 1}"), text("[1]"),
      text("N.N.N."),
      text("import\nos\n."), text("F1.5\nF2.5\nF3.5\n."), text("(I1\nI2\nt."), text("].]"), text("K1.K2."),
      text("[Desktop Entry]\nType=Directory\n"), [0x80, 0x25, 0x2E], [0x80, 2, 0, 0x2E],
      join([0x80, 4, 0x95], [UInt8](repeating: 0xFF, count: 8)),
      join([0x60, 0xEA, 1, 0], zeros(20)), join([4, 0, 0, 0], zeros(20)),
      join([0x4C, 0x01, 0, 0], zeros(60)),
      join([0x64, 0x86, 0x20, 0x20], zeros(60)),
      [1, 0x0B, 0, 0x12, 0, 1, 0, 0xB9, 0, 0x19, 0, 0x0C, 0, 0x0C, 0, 2], [1, 1, 1],
      join([2, 3, 8], text("ab c")), join([5, 1, 8], text("main"), [1]),
      text("\n\nplain text follows here"),
      text("a-lh5-b"), text("x  -lh5-  "), zeros(600), zeros(5000), text("SIT! said he"), text("JM is here"),
      join([0xDE, 0xAD, 0xDE, 0xC0], zeros(60)), join([1, 0, 0xDE, 0xC0], zeros(60)), text("KDMV here"),
      join([0x5D, 0, 0], text("a text]")),
      [0x1F, 0x9D, 0xFF], text("LZIPper"), compound(names: ["Root Entry", "WordDocument"]),
      join([0x93], text("NUMPY\u{1}\0v\0{'descr': '<f4', }")),
      join(zeros(5000), text("PK\u{5}\u{6}"), zeros(18)), text("PK\u{5}\u{6}"),
      join(zeros(5000), text("koly")),
      text("Caml1999X031 is it"),
      join([UInt8](repeating: 0x61, count: 257), text("ustar\0 00"), zeros(300)),

    ] as [[UInt8]])
  func `content that only resembles a format is ordinary`(_ file: [UInt8]) {
    #expect(recognize(file).filter { $0.kind != .zip } == [])
  }

  @Test func `a file that consists of end marks is recognized`() {
    let marks = [UInt8](repeating: 6, count: 1 << 20)
    #expect(recognize(marks) == [])
    let records = Array(repeatElement(text("PK\u{5}\u{6}"), count: 1 << 15).joined())
    #expect(recognize(records).isEmpty || recognize(records).map(\.kind) == [.zip])
  }

  /// Recognizes a file as a whole and in pieces of several sizes, which must agree.
  private func recognize(_ file: [UInt8]) -> [Recognition] {
    let whole = try? ContentRecognizer.recognize(FileExcerpt.read(MemoryBytes(file)))
    for piece in [1 << 20, 4096, file.count < 10_000 ? 7 : 999] {
      var excerpt = FileExcerpt(size: Int64(file.count))
      for start in stride(from: 0, to: file.count, by: piece) {
        let next = file[start..<min(start + piece, file.count)]
        excerpt.update(next.span)
      }
      let found = ContentRecognizer.recognize(excerpt)
      #expect(found == whole, "in pieces of \(piece)")
    }
    return whole ?? []
  }
}

// MARK: - Forged files

private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

private func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }

private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

private func boot(_ name: String, at offset: Int) -> [UInt8] {
  var sector = zeros(512)
  sector.replaceSubrange(offset..<offset + name.utf8.count, with: name.utf8)
  sector.replaceSubrange(510..<512, with: [0x55, 0xAA])
  return sector
}

/// The superblock of an ext file system: inodes, blocks, and at 1080 the signature, state and revision.
private let ext = join(
  zeros(1024), [16, 0, 0, 0, 64, 0, 0, 0], zeros(16), [2, 0, 0, 0], zeros(28), [0x53, 0xEF, 1, 0], zeros(16),
  [1, 0, 0, 0], zeros(100))

/// A COFF object file with one section and its data.
private let coff = join(
  [0x64, 0x86, 1, 0], zeros(16), text(".text\0\0\0"), zeros(8), [4, 0, 0, 0, 60, 0, 0, 0], zeros(16),
  [1, 2, 3, 4])

private let bigObjectIdentifier: [UInt8] = [
  0xC7, 0xA1, 0xBA, 0xD1, 0xEE, 0xBA, 0xA9, 0x4B, 0xAF, 0x20, 0xFA, 0xF6, 0x6A, 0xA4, 0xDC, 0xB8,
]

/// A tar header block with its checksum.
private func tar(name: String, signature: String = "") -> [UInt8] {
  var block = zeros(512)
  block.replaceSubrange(0..<name.utf8.count, with: name.utf8)
  block.replaceSubrange(100..<107, with: "0000644".utf8)
  block.replaceSubrange(257..<257 + signature.utf8.count, with: signature.utf8)
  let sum = block.reduce(8 * 0x20) { $0 + Int($1) }
  let digits = String(sum, radix: 8)
  let field = String(repeating: "0", count: 6 - digits.count) + digits + "\0"
  block.replaceSubrange(148..<155, with: field.utf8)
  return block
}

/// A compound file with a directory of these names at offset 5,120.
private func compound(names: [String], kind: UInt8 = 2, identifier: [UInt8] = []) -> [UInt8] {
  let entries = names.map { (name: String) -> [UInt8] in
    let units: [UInt8] = name.utf8.flatMap { [$0, 0] }
    let classIdentifier = join(identifier, zeros(16 - identifier.count))
    let kinds: [UInt8] = [UInt8(units.count + 2), 0, kind, 1]
    return join(units, zeros(64 - units.count), kinds, zeros(12), classIdentifier, zeros(32))
  }
  return join([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], zeros(5112), entries.flatMap(\.self))
}
