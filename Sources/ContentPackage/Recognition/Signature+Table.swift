extension Signature {
  /// Every format that is recognised, in the order in which they are tried. Names of magic files are those of
  /// file(1), in its `magic/Magdir`.
  static let table: [Signature] = native + bytecode + scripts + installers + archives

  /// Code for a processor.
  private static let native: [Signature] = [
    // <mach-o/loader.h>: MH_MAGIC, MH_MAGIC_64 and the same from a machine of the other byte order.
    Signature([0xFE, 0xED, 0xFA, 0xCE]) { head, _ in MachO.thin(head, .big, headerLength: 28) },
    Signature([0xFE, 0xED, 0xFA, 0xCF]) { head, _ in MachO.thin(head, .big, headerLength: 32) },
    Signature([0xCE, 0xFA, 0xED, 0xFE]) { head, _ in MachO.thin(head, .little, headerLength: 28) },
    Signature([0xCF, 0xFA, 0xED, 0xFE]) { head, _ in MachO.thin(head, .little, headerLength: 32) },
    // <mach-o/fat.h>: FAT_MAGIC, which Java's class files share (JVM specification 4.1), and FAT_MAGIC_64.
    Signature([0xCA, 0xFE, 0xBA, 0xBE]) { head, size in MachO.fatOrJava(head, size) },
    Signature([0xCA, 0xFE, 0xBA, 0xBF]) { head, size in MachO.fat64(head, size) },
    // FAT_CIGAM and FAT_CIGAM_64: a fat header is always big-endian, no system loads it swapped.
    Signature([0xBE, 0xBA, 0xFE, 0xCA], is: .possibleCode("a byte-swapped universal Mach-O header")),
    Signature([0xBF, 0xBA, 0xFE, 0xCA], is: .possibleCode("a byte-swapped universal Mach-O header")),
    // System V ABI, chapter 4, ELF identification.
    Signature([0x7F, 0x45, 0x4C, 0x46]) { head, _ in ELF.recognize(head) },
    // Microsoft PE format, MS-DOS stub.
    Signature([0x4D, 0x5A]) { head, size in PortableExecutable.recognize(head, size) },
    // <ar.h>: ARMAG; GNU binutils' thin archives; AIX's <ar.h>: AIAFMAGBIG.
    Signature(Array("!<arch>\n".utf8)) { head, _ in
      head.has("debian-binary", at: 8) ? .code("a Debian package") : .code("a static library")
    },
    Signature("!<thin>\n", is: .code("a thin static library")),
    Signature("<bigaf>\n", is: .code("a static library")),
    // LLVM Bitcode File Format, magic numbers and wrapper format.
    Signature([0x42, 0x43, 0xC0, 0xDE], is: .code("LLVM bitcode")),
    Signature([0xDE, 0xC0, 0x17, 0x0B], is: .code("LLVM bitcode in its wrapper")),
    // Inside Macintosh: Mac OS Runtime Architectures, PEF container header.
    Signature("Joy!peff", is: .code("a classic Mac OS executable (PEF)")),
    // A library of shaders for Apple's GPUs; file(1) does not know it.
    Signature("MTLB", is: .possibleCode("a Metal library")),
  ]

  /// Code for a virtual machine.
  private static let bytecode: [Signature] = [
    // WebAssembly Core Specification 5.5.16.
    Signature([0x00, 0x61, 0x73, 0x6D], is: .code("a WebAssembly module")),
    // Dalvik Executable format, DEX_FILE_MAGIC: three digits and a NUL. Its kin from Android's runtime: dalvik
    // and cdex, vdex, art in file(1)'s `dalvik` and `android`.
    dex("dex\n"), dex("dey\n"), dex("cdex"), dex("vdex"), dex("oat\n"), dex("art\n"),
    // Python: two bytes of version, then CR LF so that a transfer as text destroys it.
    Signature([0x0D, 0x0A], at: 2) { head, _ in PythonBytecode.recognize(head) },
    // lua.h: LUA_SIGNATURE; LuaJIT's lj_bcdump.h: BCDUMP_HEAD1 to 3.
    Signature([0x1B, 0x4C, 0x75, 0x61], is: .code("Lua bytecode")),
    Signature([0x1B, 0x4C, 0x4A], is: .code("LuaJIT bytecode")),
    // Hermes' BytecodeFileFormat.h: MAGIC 0x1F1903C103BC1FC6 and DELTA_MAGIC, its complement.
    Signature([0xC6, 0x1F, 0xBC, 0x03, 0xC1, 0x03, 0x19, 0x1F], is: .code("Hermes bytecode")),
    Signature([0x39, 0xE0, 0x43, 0xFC, 0x3E, 0xFC, 0xE6, 0xE0], is: .code("Hermes bytecode")),
    // AppleScript: magic file `applescript`. JavaScript for Automation is stored the same way.
    Signature("FasdUAS ", is: .code("a compiled AppleScript")),
    Signature("JsOsaDAS", is: .code("a compiled script (JavaScript for Automation)")),
    // Ruby's iseq.c: ibf_dump; mruby's dump.h: RITE_BINARY_IDENT; Erlang's BEAM file format.
    Signature(Array("YARB".utf8)) { head, _ in head.count > 4 && head[4] < 0x20 ? .code("Ruby bytecode") : nil
    },
    Signature(Array("RITE0".utf8)) { head, _ in
      head.count > 7 && (5...7).allSatisfy { head[$0].isDigit } ? .code("mruby bytecode") : nil
    },
    Signature("BEAM", at: 8, is: .code("Erlang bytecode")),
  ]

  private static let scripts: [Signature] = [
    // execve(2), interpreter scripts.
    Signature([0x23, 0x21]) { head, _ in Shebang.recognize(head) },
    // The same behind a byte order mark: no kernel runs it, but a shell may.
    Signature(
      [0xEF, 0xBB, 0xBF, 0x23, 0x21, 0x2F], is: Recognition(.fileScript, "a script behind a UTF-8 mark")),
    Signature(
      [0xFE, 0xFF, 0x00, 0x23, 0x00, 0x21, 0x00, 0x2F], is: Recognition(.fileScript, "a UTF-16 script")),
    Signature(
      [0xFF, 0xFE, 0x23, 0x00, 0x21, 0x00, 0x2F, 0x00], is: Recognition(.fileScript, "a UTF-16 script")),
  ]

  private static let installers: [Signature] = [
    // xar's wiki, header: magic, then its size, at least 28, and version 1.
    Signature([0x78, 0x61, 0x72, 0x21, 0x00], is: .code("an installer package (xar)")),
    // rpm's lead: magic, then major version 3 or 4 (magic file `rpm`).
    Signature([0xED, 0xAB, 0xEE, 0xDB], is: .code("an RPM package")),
    // [MS-SHLLINK] 2.1: header size and class identifier. Opening it runs what it names.
    Signature(
      [0x4C, 0, 0, 0, 0x01, 0x14, 0x02, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0x46],
      is: .possibleCode("a Windows shortcut")),
  ]

  /// Archives other than ZIP, which may hold anything.
  private static let archives: [Signature] = [
    // 7zFormat.txt, signature header; RAR technical notes, 4.x and 5.0; [MS-CAB] 2.1.
    Signature([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], is: archive("a 7-Zip archive")),
    Signature([0x52, 0x61, 0x72, 0x21, 0x1A, 0x07], is: archive("a RAR archive")),
    Signature([0x4D, 0x53, 0x43, 0x46, 0, 0, 0, 0], is: archive("a cabinet archive")),
    // POSIX.1-2017 pax: ustar interchange format, and GNU's variant; cpio interchange format.
    Signature("ustar\u{0}", at: 257, is: archive("a tar archive")),
    Signature("ustar ", at: 257, is: archive("a tar archive")),
    Signature("070707", at: 0, is: archive("a cpio archive")),
    Signature("070701", at: 0, is: archive("a cpio archive")),
  ]

  private static func archive(_ what: String) -> Recognition { Recognition(.fileNestedArchive, what) }

  private static func dex(_ magic: StaticString) -> Signature {
    Signature(Array(magic.description.utf8)) { head, _ in
      head.count > 7 && (4...6).allSatisfy { head[$0].isDigit } && head[7] == 0
        ? .code("Android bytecode (\(magic.description.prefix { $0 != "\n" }))") : nil
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
