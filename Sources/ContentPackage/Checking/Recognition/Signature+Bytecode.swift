import Support

extension Signature {
  /// Code for a virtual machine.
  static let bytecode: [Signature] = certainBytecode + possibleBytecode

  private static let certainBytecode: [Signature] = [
    Signature([0x00, 0x61, 0x73, 0x6D]) { VirtualCode.webAssembly($0.head.borrowedSpan) },
    // Dalvik Executable format, DEX_FILE_MAGIC: three digits and a NUL. The related formats of Android's runtime are in
    // file(1)'s magic files dalvik and android.
    dex("dex\n"), dex("dey\n"), dex("cdex"), dex("vdex"), dex("oat\n"), dex("art\n"),
    // Python: a version of two bytes, then CR LF, which a transfer in text mode would change.
    Signature([0x0D, 0x0A], at: 2) { PythonBytecode.recognize($0.head.borrowedSpan) },
    Signature([0x1B, 0x4C, 0x75, 0x61]) { VirtualCode.lua($0.head.borrowedSpan) },
    Signature([0x1B, 0x4C, 0x4A]) { VirtualCode.luaJIT($0.head.borrowedSpan) },
    // Hermes' BytecodeFileFormat.h: MAGIC 0x1F1903C103BC1FC6 and DELTA_MAGIC, its complement.
    Signature([0xC6, 0x1F, 0xBC, 0x03, 0xC1, 0x03, 0x19, 0x1F], is: .code("Hermes bytecode")),
    Signature([0x39, 0xE0, 0x43, 0xFC, 0x3E, 0xFC, 0xE6, 0xE0], is: .code("Hermes bytecode")),
    // AppleScript: magic file `applescript`. JavaScript for Automation is stored the same way.
    Signature("FasdUAS ", is: .code("a compiled AppleScript")),
    Signature("JsOsaDAS", is: .code("a compiled script (JavaScript for Automation)")),
    // Ruby's iseq.c: ibf_dump.
    Signature("YARB") { $0.head.count > 4 && $0.head[4] < 0x20 ? .code("Ruby bytecode") : nil },
    // mruby's dump.h, struct rite_binary_header: version, in the older form a checksum, then the total size.
    Signature("RITE0") { file in
      let sizes = [8, 10].compactMap { file.head.borrowedSpan.uint32(at: $0, .big) }
      let isSized = sizes.contains { $0 >= 22 && $0 <= file.size }
      return isSized && file.head.borrowedSpan.all(5..<8, \.isDigit) ? .code("mruby bytecode") : nil
    },
    // Erlang's BEAM file format: an IFF form, which may be padded to four bytes.
    Signature("FOR1") { $0.head.borrowedSpan.has("BEAM", at: 8) ? .code("Erlang bytecode") : nil },
  ]

  /// Bytecode that an app may treat as plain data or run in its own engine.
  private static let possibleBytecode: [Signature] =
    [
      // V8's code-serializer.h: 0xC0DE0000 in little-endian order.
      Signature([0xDE, 0xC0], at: 2) { ScriptEngines.v8($0) },
      // Dart's pkg/kernel/binary.md: magic 0x90ABCDEF and a version; runtime/vm/snapshot.h: kMagicValue.
      Signature([0x90, 0xAB, 0xCD, 0xEF]) { version($0, below: 1000, .big, "a Dart kernel") },
      Signature([0xF5, 0xF5, 0xDC, 0xDC], is: .possibleCode("a Dart snapshot")),
      // Godot's gdscript_tokenizer_buffer.cpp: "GDSC" and a version; file_access_encrypted.h for encrypted files:
      // "GDEC" and a mode.
      Signature("GDSC") { version($0, below: 1000, .little, "compiled GDScript") },
      Signature("GDEC") { version($0, below: 16, .little, "compiled and encrypted GDScript") },
      // Squirrel's squirrel.h, SQ_BYTECODE_STREAM_TAG, and sqobject.h, SQ_CLOSURESTREAM_HEAD, in both byte orders.
      Signature([0xFA, 0xFA, 0x52, 0x49, 0x51, 0x53], is: .possibleCode("Squirrel bytecode")),
      Signature([0xFA, 0xFA, 0x53, 0x51, 0x49, 0x52], is: .possibleCode("Squirrel bytecode")),
      // Emacs' bytecomp.el, byte-compile-insert-header: ";ELC", the version of Emacs, and three NULs.
      Signature(";ELC") {
        $0.head.borrowedSpan.all(4..<5, { $0 < 0x80 && $0 > 0 })
          && $0.head.borrowedSpan.all(5..<8, { $0 == 0 })
          ? .possibleCode("Emacs bytecode") : nil
      },
      // SWF File Format Specification, "The SWF header": version, total uncompressed size.
      Signature("FWS") { flash($0) },
      Signature("CWS") { $0.head.borrowedSpan.has("x", at: 8) ? flash($0) : nil },
      Signature("ZWS") { $0.head.borrowedSpan.has("]\0\0", at: 12) ? flash($0) : nil },
      // OCaml's utils/config.mlp: objects and libraries of bytecode and of native code.
      Signature("Caml1999") { file in
        guard file.head.count >= 12, "OAYZ".utf8.contains(file.head[8]) else { return nil }
        return file.head.borrowedSpan.all(9..<12, \.isDigit) ? .possibleCode("an OCaml object file") : nil
      },
      // CPython's pickletools.py: PROTO, and for older protocols the first operation. NumPy's format.py, header: arrays
      // of objects are pickles.
      Signature([0x80]) { Pickle.recognize($0) },
      Signature([0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59]) { file in
        let header = file.head.prefix(256)
        let hasObjects = header.span.firstRange(of: "'|O'", anchor: 1) != nil
        return hasObjects ? .possibleCode("a Python pickle (NumPy)") : nil
      },
      // Microsoft's HTML help: "ITSF" and a version of at most 4 (magic file `msdos`; chmspec). A help file can run
      // scripts and programs.
      Signature("ITSF") { version($0, below: 5, .little, "a Windows help file") },
      // Chromium's crx_file: "Cr24" and a version of at most 3.
      Signature("Cr24") { version($0, below: 4, .little, "a browser extension") },
      // OpenJDK's JmodFile.java: "JM", version 1.0.
      Signature([0x4A, 0x4D, 0x01, 0x00], is: .possibleCode("a Java module")),
    ]
    + Pickle.firstTextOperations.map { Signature([$0]) { Pickle.recognize($0) } }
    + ScriptEngines.quickJSVersions.map { Signature([$0]) { ScriptEngines.quickJS($0.head.borrowedSpan) } }

  /// Recognizes a file by the 32-bit version after a signature of four bytes. Text in place of the version is a large
  /// number.
  private static func version(
    _ file: FileExcerpt, below limit: UInt32, _ order: Span<UInt8>.ByteOrder, _ formatName: String
  ) -> Recognition? {
    guard let version = file.head.borrowedSpan.uint32(at: 4, order), version < limit else { return nil }
    return .possibleCode(formatName)
  }

  private static func flash(_ file: FileExcerpt) -> Recognition? {
    guard let length = file.head.borrowedSpan.uint32(at: 4, .little), (1...60).contains(file.head[3]) else {
      return nil
    }
    // If the version is a text character, the length must be valid. Otherwise any length is accepted, because players
    // ignore it.
    let isText = file.head[3] >= 0x20 || [9, 10, 13].contains(file.head[3])
    guard !isText || (length > 20 && length < 1 << 29) else { return nil }
    return .possibleCode("a Flash program")
  }

  private static func dex(_ magic: StaticString) -> Signature {
    Signature(Array(magic.description.utf8)) { file in
      file.head.borrowedSpan.all(4..<7, \.isDigit) && file.head.borrowedSpan.all(7..<8, { $0 == 0 })
        ? .code("Android bytecode (\(magic.description.prefix { $0 != "\n" }))") : nil
    }
  }
}
