import Support

extension Signature {
  /// All formats that are recognized by their first bytes, in the order of the checks. `FileEnd` has the formats that are
  /// recognized by their last bytes. Magic files are files in `magic/Magdir` of file(1).
  static let table: [Signature] =
    native + scripts + installers + bytecode + archives + images + streams + objects

  /// Code for a processor.
  private static let native: [Signature] = [
    // <mach-o/loader.h>: MH_MAGIC, MH_MAGIC_64 and both in the other byte order.
    Signature([0xFE, 0xED, 0xFA, 0xCE]) { MachO.thin($0.head.borrowedSpan, .big, headerLength: 28) },
    Signature([0xFE, 0xED, 0xFA, 0xCF]) { MachO.thin($0.head.borrowedSpan, .big, headerLength: 32) },
    Signature([0xCE, 0xFA, 0xED, 0xFE]) { MachO.thin($0.head.borrowedSpan, .little, headerLength: 28) },
    Signature([0xCF, 0xFA, 0xED, 0xFE]) { MachO.thin($0.head.borrowedSpan, .little, headerLength: 32) },
    // <mach-o/fat.h>: FAT_MAGIC, which Java's class files share (JVM specification 4.1), and FAT_MAGIC_64.
    Signature([0xCA, 0xFE, 0xBA, 0xBE]) { MachO.fatOrJava($0) },
    Signature([0xCA, 0xFE, 0xBA, 0xBF]) { MachO.fat64($0) },
    // FAT_CIGAM and FAT_CIGAM_64: a fat header is always big-endian, so no system loads a swapped one.
    Signature([0xBE, 0xBA, 0xFE, 0xCA], is: .possibleCode("a byte-swapped universal Mach-O header")),
    Signature([0xBF, 0xBA, 0xFE, 0xCA], is: .possibleCode("a byte-swapped universal Mach-O header")),
    // dyld's dyld_cache_format.h: magic, "dyld_v0" or "dyld_v1" and the architecture, padded with blanks.
    Signature("dyld_v") { $0.head.borrowedSpan.all(6..<7, \.isDigit) ? .code("a dyld shared cache") : nil },
    // System V ABI, chapter 4, ELF identification.
    Signature([0x7F, 0x45, 0x4C, 0x46]) { ELF.recognize($0.head.borrowedSpan) },
    // Microsoft PE format, MS-DOS stub.
    Signature([0x4D, 0x5A]) { PortableExecutable.recognize($0) },
    // <ar.h>: ARMAG; GNU binutils' thin archives; AIX's <ar.h>: AIAFMAGBIG.
    Signature("!<arch>\n") {
      $0.head.borrowedSpan.has("debian-binary", at: 8) ? .code("a Debian package") : .code("a static library")
    },
    Signature("!<thin>\n", is: .code("a thin static library")),
    Signature("<bigaf>\n", is: .code("a static library")),
    Signature([0x42, 0x43, 0xC0, 0xDE]) { VirtualCode.bitcode($0.head.borrowedSpan) },
    Signature([0xDE, 0xC0, 0x17, 0x0B]) { VirtualCode.wrappedBitcode($0.head.borrowedSpan) },
    // Inside Macintosh: Mac OS Runtime Architectures, PEF container header, with its architecture.
    Signature("Joy!peffpwpc", is: .code("a classic Mac OS executable (PEF)")),
    Signature("Joy!peffm68k", is: .code("a classic Mac OS executable (PEF)")),
    // A library of shaders for Apple's GPUs; file(1) does not know it.
    Signature("MTLB", is: .possibleCode("a Metal library")),
  ]

  /// Object files, which begin with a machine number instead of a signature.
  private static let objects: [Signature] =
    COFF.machines.map { Signature($0) { COFF.recognize($0) } } + [
      Signature([0x00, 0x00, 0xFF, 0xFF]) { COFF.recognizeLarge($0) }
    ]

  private static let scripts: [Signature] = [
    // execve(2), interpreter scripts.
    Signature("#!") { Shebang.recognize($0.head.borrowedSpan) },
    // The same after a byte order mark: no kernel runs it, but a shell may.
    Signature(
      [0xEF, 0xBB, 0xBF, 0x23, 0x21, 0x2F], is: Recognition(.scriptSource, "a script after a UTF-8 mark")),
    Signature(
      [0xFE, 0xFF, 0x00, 0x23, 0x00, 0x21, 0x00, 0x2F], is: Recognition(.scriptSource, "a UTF-16 script")),
    Signature(
      [0xFF, 0xFE, 0x23, 0x00, 0x21, 0x00, 0x2F, 0x00], is: Recognition(.scriptSource, "a UTF-16 script")),
    // freedesktop.org's Desktop Entry Specification: an entry with a program to start.
    Signature("[Desktop Entry]") {
      $0.head.borrowedSpan.firstRange(of: "\nExec", anchor: 3) == nil
        ? nil : .possibleCode("a desktop entry that names a program")
    },
    // Windows' registry and Internet Shortcut files (magic file `windows`).
    Signature("REGEDIT4", is: .possibleCode("Windows registry entries")),
    Signature("Windows Registry Editor", is: .possibleCode("Windows registry entries")),
    Signature(
      [0xFF, 0xFE] + "Windows Registry".utf8.flatMap { [$0, 0] },
      is: .possibleCode("Windows registry entries")),
    Signature("[InternetShortcut]", is: .possibleCode("an internet shortcut")),
  ]

  private static let installers: [Signature] = [
    // xar's wiki, header: magic, then its size, at least 28, and version 1.
    Signature([0x78, 0x61, 0x72, 0x21, 0x00]) {
      $0.head.borrowedSpan.has("\0\u{1}", at: 6) ? .code("an installer package (xar)") : nil
    },
    // rpm's lead: magic, then major version 3 or 4 (magic file `rpm`).
    Signature([0xED, 0xAB, 0xEE, 0xDB], is: .code("an RPM package")),
    // [MS-SHLLINK] 2.1: header size and class identifier. Opening a shortcut runs its target.
    Signature(
      [0x4C, 0, 0, 0, 0x01, 0x14, 0x02, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0x46],
      is: .possibleCode("a Windows shortcut")),
  ]
}
