import SafeFiles
import Support
import Testing

@testable import ContentPackage

@Suite struct ContentRecognizerTests {
  @Test(arguments: [
    (
      machO([0xCF, 0xFA, 0xED, 0xFE], cpu: [0x0C, 0, 0, 1], type: [2, 0, 0, 0]),
      "a Mach-O executable (arm64)"
    ),
    (machO([0xCE, 0xFA, 0xED, 0xFE], cpu: [7, 0, 0, 0], type: [8, 0, 0, 0]), "a Mach-O bundle (i386)"),
    (
      machO([0xFE, 0xED, 0xFA, 0xCE], cpu: [0, 0, 0, 18], type: [0, 0, 0, 6]),
      "a Mach-O dynamic library (ppc)"
    ),
    (
      machO([0xFE, 0xED, 0xFA, 0xCF], cpu: [1, 0, 0, 18], type: [0, 0, 0, 1]),
      "a Mach-O object file (ppc64)"
    ),
    (fat([[1, 0, 0, 7], [1, 0, 0, 12]]), "a universal Mach-O file (x86_64, arm64)"),
    (fat64, "a universal Mach-O file (arm64)"),
    ([0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61], "a Java class (version 61)"),
    ([0xCA, 0xFE, 0xBA, 0xBE, 0xFF, 0xFF, 0, 65, 0, 16, 10, 0], "a Java class (version 65)"),
    (elf([2, 1, 1], type: [3, 0], machine: [62, 0]), "an ELF shared object (x86-64, 64-bit)"),
    (elf([1, 2, 1], type: [0, 2], machine: [0, 8]), "an ELF executable (MIPS, 32-bit)"),
    (portableExecutable(at: 0x80, "PE\0\0"), "a Windows executable (x86-64)"),
    (portableExecutable(at: 4090, "PE\0\0"), "a Windows executable (x86-64)"),
    (portableExecutable(at: 0x40, "NE"), "a Windows or OS/2 executable (NE, LE or LX)"),
    (Array("!<arch>\nfoo.o/".utf8), "a static library"),
    (Array("!<arch>\ndebian-binary   ".utf8), "a Debian package"),
    (Array("!<thin>\n".utf8), "a thin static library"),
    ([0x42, 0x43, 0xC0, 0xDE], "LLVM bitcode"),
    ([0x42, 0x43, 0xC0, 0xDE, 0x35, 0x14, 0, 0, 5, 0, 0, 0], "LLVM bitcode"),
    ([0x42, 0x43, 0xC0, 0xDE, 0x21, 0x0C, 0, 0], "LLVM bitcode"),
    ([0xDE, 0xC0, 0x17, 0x0B, 0, 0, 0, 0, 20, 0, 0, 0], "LLVM bitcode in its wrapper"),
    (Array("Joy!peffpwpc".utf8), "a classic Mac OS executable (PEF)"),
  ])
  func `programs, libraries, bitcode and Debian packages are recognized as code`(head: [UInt8], what: String)
  {
    #expect(recognize(head) == [.code(what)])
  }

  @Test(
    arguments: [
      ([0x00, 0x61, 0x73, 0x6D, 1, 0, 0, 0], "a WebAssembly module"),
      ([0x00, 0x61, 0x73, 0x6D, 13, 0, 1, 0], "a WebAssembly module"),
      (Array("dex\n035\0".utf8), "Android bytecode (dex)"),
      (Array("dey\n036\0".utf8), "Android bytecode (dey)"),
      (Array("cdex001\0".utf8), "Android bytecode (cdex)"),
      (python([0xA7, 0x0D], header: 16), "Python bytecode"),
      (python([0x33, 0x0D], header: 12), "Python bytecode"),
      (python([0x03, 0xF3], header: 8), "Python bytecode"),
      (python([0x70, 0x01], header: 16), "Python bytecode"),
      ([0x1B, 0x4C, 0x75, 0x61, 0x54], "Lua bytecode"),
      ([0x1B, 0x4C, 0x75, 0x61, 0x51, 0, 1, 4, 4, 4, 8, 0], "Lua bytecode"),
      ([0x1B, 0x4C, 0x4A, 2], "LuaJIT bytecode"),
      ([0xC6, 0x1F, 0xBC, 0x03, 0xC1, 0x03, 0x19, 0x1F, 96, 0, 0, 0], "Hermes bytecode"),
      (Array("FasdUAS 1.101.10".utf8), "a compiled AppleScript"),
      (Array("JsOsaDAS1.001.00".utf8), "a compiled script (JavaScript for Automation)"),
      (Array("RITE0300".utf8) + [0, 0, 0, 24] + Array("MATZ0000".utf8) + [0, 0, 0, 0], "mruby bytecode"),
      (
        Array("RITE0006".utf8) + [1, 2, 0, 0, 0, 26] + Array("MATZ0000".utf8) + [0, 0, 0, 0], "mruby bytecode"
      ),
      (Array("dyld_v1  arm64e\0".utf8), "a dyld shared cache"),
      (Array("FOR1".utf8) + [0, 0, 1, 0] + Array("BEAM".utf8), "Erlang bytecode"),
      (Array("xar!".utf8) + [0, 28, 0, 1], "an installer package (xar)"),
      ([0xED, 0xAB, 0xEE, 0xDB, 3, 0], "an RPM package"),
    ] as [([UInt8], String)])
  func `bytecode, compiled scripts, shared caches and installers are recognized as code`(
    head: [UInt8], what: String
  ) {
    #expect(recognize(head) == [.code(what)])
  }

  @Test(arguments: [
    ("#!/bin/sh\n", "#!/bin/sh"), ("#! \t/usr/bin/env python3\n", "#!/usr/bin/env"),
    ("#!env node\r\n", "#!env"),
    ("#!/nix/store/1-x/bin/odd\u{1B}[2J", "#!/nix/store/1-x/bin/odd"),
    ("#!/home/me/perl5.36 -w\n", "#!/home/me/perl5.36"),
    ("#!python3.11\n", "#!python3.11"), ("#!/system/bin/sh", "#!/system/bin/sh"),
  ])
  func `a script that names its interpreter is code if it is marked as executable, otherwise a script`(
    text: String, what: String
  ) throws {
    let found = recognize(Array(text.utf8))
    #expect(found == [Recognition(.interpretedScript, "a script (\(what))")])
    #expect(found.first?.rule() == .fileScript)
    #expect(found.first?.rule(isExecutable: true) == .fileExecutableCode)
  }

  @Test(arguments: ["#! /home/me is my home\n", "#!/tmp/x\n"])
  func `a first line that names any other path is text unless the file is marked as executable`(text: String)
  {
    let found = recognize(Array(text.utf8))
    #expect(found.map { $0.rule() } == [nil])
    #expect(found.map { $0.rule(isExecutable: true) } == [.fileExecutableCode])
  }

  @Test(arguments: [
    [0x4D, 0x5A], [0x4D, 0x5A] + [UInt8](repeating: 0, count: 100), portableExecutable(at: 0x80, "XX"),
    [0xFE, 0xED, 0xFA, 0xCE], machO([0xCF, 0xFA, 0xED, 0xFE], cpu: [7, 0, 0, 1], type: [99, 0, 0, 0]),
    [0xCA, 0xFE, 0xBA, 0xBE], [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 0], [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 2],
    [0xBE, 0xBA, 0xFE, 0xCA, 2, 0, 0, 0], [0xBF, 0xBA, 0xFE, 0xCA], [0x7F, 0x45, 0x4C, 0x46],
    [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0, 16, 99], [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 250],
    [0x00, 0x61, 0x73, 0x6D, 0, 0, 1, 7], Array("\u{1B}Luau is a language".utf8),
    Array("\u{1B}LJ and so on".utf8), Array("FWS\u{6}\0\0\0\0".utf8),
    [0x42, 0x43, 0xC0, 0xDE, 0x42, 0x43], [0xDE, 0xC0, 0x17, 0x0B, 9, 9, 9, 9, 20, 0, 0, 0],
    Array("MTLB".utf8), elf([9, 1, 1], type: [2, 0], machine: [62, 0]),
  ])
  func `a signature without its required fields is possible code`(head: [UInt8]) {
    #expect(recognize(head).map(\.kind) == [.possibleCode])
  }

  @Test(arguments: [
    [0xEF, 0xBB, 0xBF] + Array("#!/bin/sh".utf8), [0xFE, 0xFF, 0, 0x23, 0, 0x21, 0, 0x2F],
    [0xFF, 0xFE, 0x23, 0, 0x21, 0, 0x2F, 0],
  ])
  func `a script after a byte order mark is script source`(head: [UInt8]) {
    #expect(recognize(head).map(\.kind) == [.scriptSource])
  }

  @Test(arguments: [
    [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], Array("Rar!\u{1A}\u{07}\u{01}\0".utf8),
    Array("MSCF\0\0\0\0".utf8),
    Array("070701".utf8) + [UInt8](repeating: 0x46, count: 104),
    Array("070707".utf8) + [UInt8](repeating: 0x37, count: 70),
  ])
  func `an archive other than ZIP is recognized as an archive`(head: [UInt8]) {
    #expect(recognize(head).map(\.kind) == [.archive])
  }

  @Test(
    arguments: [
      [], [0x4D], [0xCA, 0xFE], [0, 0, 0, 0],
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52],
      [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46],
      Array("OggS\0\u{2}".utf8), [0, 0, 0, 0x18] + Array("ftypmp42".utf8), Array("%PDF-1.7\r\n".utf8),
      Array("{\"a\":1}".utf8), Array("-- lua\nlocal a = 1\n".utf8),
      Array("local a\r\nlocal c".utf8), [0, 1, 0, 0, 0, 0x12], Array("OTTO\0".utf8), Array("wOF2".utf8),
      Array("#!AMR\n".utf8), Array("#!AMR-WB\n".utf8), Array("#!SILK_V3".utf8), Array("#![allow(x)]\n".utf8),
      Array("#!".utf8), Array("#! a title\n".utf8), Array("#!/\n".utf8), Array("#!/ a".utf8),
      Array("#! perl is a language\n".utf8), Array("#!shebang\n".utf8), Array("#!show\n".utf8),
      Array("#?RADIANCE\n".utf8), Array("# heading\n".utf8), Array("ab\r\n cccccccccccccccc".utf8),
      Array("BC".utf8), Array("Java".utf8), Array("dex\nterity".utf8), Array("RITE of spring".utf8),
      Array("YARB is a word".utf8), Array("xar! a war cry".utf8), Array("<svg/>".utf8), Array("RIFF".utf8),
      [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], Array("bplist00".utf8),
      Array("SQLite format 3\0".utf8), [0x1B, 0x5B], Array("!<archaic>".utf8),
      // Bytes, mostly text, that file(1) recognizes as bytecode or archives.
      Array("Support BEAM, 3 m".utf8), [0xC4, 0xE0, 0x0D, 0x0A] + Array("cccccccccccccccccc".utf8),
      Array("MZ,name,value\r\n1,é,3\n".utf8), Array("MZ\t1\n".utf8), Array("FWS\nand so on".utf8),
      Array("RITE0123".utf8), Array("RITE0300 and so on, and on".utf8), Array("070707;1;2\n".utf8),
      Array("070701,".utf8) + [UInt8](repeating: 0x30, count: 120), Array("dyld_verbose".utf8),
      Array("Joy!peff of a crowd".utf8), Array("FOR1 and all".utf8),
    ] as [[UInt8]])
  func `ordinary content is not code`(head: [UInt8]) {
    #expect(recognize(head) == [])
  }

  @Test func `random bytes are not recognized as code`() {
    var generator = LinearGenerator(state: 1)
    let found = (0..<2_000).filter { _ in
      let head = (0..<128).map { _ in UInt8.random(in: 0...255, using: &generator) }
      return !recognize(head).isEmpty
    }
    #expect(found == [])
  }

  @Test func `a signature that is truncated anywhere does not crash the recognizer`() {
    let heads = [
      fat([[1, 0, 0, 7], [1, 0, 0, 12]]), fat64, elf([2, 1, 1], type: [3, 0], machine: [62, 0]),
      portableExecutable(at: 0x80, "PE\0\0"), Array("#!/bin/sh".utf8), Array("070701".utf8),
    ]
    for head in heads {
      for count in 0..<head.count { _ = recognize(Array(head.prefix(count))) }
    }
  }

  @Test(arguments: [0x80, 4089, 4090, 4091, 4095, 4096, 4097, 60_000], [1, 7, 4096, 1 << 20])
  func `a Windows executable's header is found far from the start, in pieces of any length`(
    offset: Int, piece: Int
  ) {
    let file = portableExecutable(at: offset, "PE\0\0")
    #expect(look(file, piece: piece) == [.code("a Windows executable (x86-64)")])
    #expect(look(portableExecutable(at: offset, "NO"), piece: piece).map(\.kind) == [.possibleCode])
  }

  @Test(arguments: [1, 5, 100_000])
  func `a stream is recognized by its first bytes`(piece: Int) {
    let script = Array("#!/bin/sh\n".utf8) + [UInt8](repeating: 0x0A, count: 9_000)
    #expect(look(script, piece: piece).map(\.kind) == [.interpretedScript])
    #expect(look([UInt8](repeating: 0x20, count: 9_000), piece: piece) == [])
    #expect(look([], piece: piece) == [])
  }

  @Test(arguments: [0x80, 4089, 4090, 4091, 4096, 60_000])
  func `a file that is read at once is recognized like a stream`(offset: Int) throws {
    let file = portableExecutable(at: offset, "PE\0\0")
    let excerpt = try FileExcerpt.read(MemoryBytes(file))
    #expect(ContentRecognizer.recognize(excerpt) == look(file, piece: 4096))
  }

  private func recognize(_ head: [UInt8]) -> [Recognition] { look(head, piece: max(1, head.count)) }

  private func look(_ file: [UInt8], piece: Int) -> [Recognition] {
    var excerpt = FileExcerpt(size: Int64(file.count))
    for start in stride(from: 0, to: file.count, by: piece) {
      let next = file[start..<min(start + piece, file.count)]
      excerpt.update(next.span)
    }
    return ContentRecognizer.recognize(excerpt)
  }
}

/// A generator of the same pseudorandom numbers on every run.
private struct LinearGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    // Knuth's MMIX generator. The upper half of its state is the more random one.
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let upper = state >> 32
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return upper << 32 | state >> 32
  }
}

// MARK: - Forged headers

private func machO(_ magic: [UInt8], cpu: [UInt8], type: [UInt8]) -> [UInt8] {
  magic + cpu + [0, 0, 0, 0] + type + [UInt8](repeating: 0, count: 16)
}

private func fat(_ cpus: [[UInt8]]) -> [UInt8] {
  let entries: [UInt8] = cpus.flatMap { (cpu: [UInt8]) -> [UInt8] in
    cpu + [0, 0, 0, 3, 0, 0, 0, 48, 0, 0, 0, 1, 0, 0, 0, 12]
  }
  return [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, UInt8(cpus.count)] + entries + [0]
}

private let fat64: [UInt8] =
  [0xCA, 0xFE, 0xBA, 0xBF, 0, 0, 0, 1, 1, 0, 0, 12, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 40]
  + [UInt8](repeating: 0, count: 24)

private func elf(_ identification: [UInt8], type: [UInt8], machine: [UInt8]) -> [UInt8] {
  [0x7F, 0x45, 0x4C, 0x46] + identification + [UInt8](repeating: 0, count: 9) + type + machine
    + [UInt8](repeating: 0, count: 44)
}

private func portableExecutable(at offset: Int, _ signature: String) -> [UInt8] {
  let pointer = (0..<4).map { UInt8(offset >> ($0 * 8) & 0xFF) }
  let start = [0x4D, 0x5A] + [UInt8](repeating: 0, count: 0x3A) + pointer
  return start + [UInt8](repeating: 0, count: offset - start.count) + signature.utf8 + [
    0x64, 0x86, 0, 0, 0, 0,
  ]
}

/// A Python module with a header of `header` bytes.
private func python(_ magic: [UInt8], header: Int) -> [UInt8] {
  magic + [0x0D, 0x0A] + [UInt8](repeating: 0, count: header - 4) + [0xE3] + [UInt8](repeating: 0, count: 16)
}
