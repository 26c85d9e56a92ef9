/// Code for virtual machines, whose signatures have at most four bytes. The bytes after a signature are checked too.
///
/// A signature followed by other bytes still counts as possible code, because a modified machine may read it. A file
/// that ends before a checked field counts as code.
enum VirtualCode {
  /// Recognizes WebAssembly by its version, at most 0x1F: 1 in the standard (Core Specification 5.5.16), 0x0A to 0x0D in
  /// drafts. In the component model, the upper half is the layer, 1 for components (Binary.md, "component").
  static func webAssembly(_ head: Span<UInt8>) -> Recognition {
    guard let version = head.uint32(at: 4, .little) else { return .code("a WebAssembly module") }
    guard version & 0xFFFF <= 0x1F, version >> 16 <= 1 else { return signature(of: "a WebAssembly module") }
    return .code("a WebAssembly module")
  }

  /// Recognizes Lua by its version after LUA_SIGNATURE (lua.h), with the major version in the upper four bits
  /// (lundump.h, LUAC_VERSION). Lua 3.1 was the first version to have it, and 5.5 is the latest.
  static func lua(_ head: Span<UInt8>) -> Recognition {
    guard head.count > 4 else { return .code("Lua bytecode") }
    return (0x31...0x5F).contains(head[4]) ? .code("Lua bytecode") : signature(of: "Lua bytecode")
  }

  /// Recognizes LuaJIT by BCDUMP_VERSION after BCDUMP_HEAD1 to 3 (lj_bcdump.h), from 1 to 0x0F. The latest version is
  /// 2, and LuaJIT 2.0 writes 1.
  static func luaJIT(_ head: Span<UInt8>) -> Recognition {
    guard head.count > 3 else { return .code("LuaJIT bytecode") }
    return (1...0x0F).contains(head[3]) ? .code("LuaJIT bytecode") : signature(of: "LuaJIT bytecode")
  }

  /// Recognizes bitcode by the block after the magic number: ENTER_SUBBLOCK (1, in two bits) and the block's number in
  /// six bits (LLVM Bitcode File Format, "Magic Numbers" and "Blocks"). The first block of a file is module 8,
  /// identification 13, string table 23 or symbol table 25.
  static func bitcode(_ head: Span<UInt8>) -> Recognition {
    guard head.count > 4 else { return .code("LLVM bitcode") }
    let isBlock = head[4] & 3 == 1 && [8, 13, 23, 25].contains(head[4] >> 2)
    return isBlock ? .code("LLVM bitcode") : signature(of: "LLVM bitcode")
  }

  /// Recognizes wrapped bitcode by version 0 and the offset of the bitcode, which follows a header of five numbers
  /// (LLVM Bitcode File Format, "Bitcode Wrapper Format").
  static func wrappedBitcode(_ head: Span<UInt8>) -> Recognition {
    let formatName = "LLVM bitcode in its wrapper"
    guard let version = head.uint32(at: 4, .little), let start = head.uint32(at: 8, .little) else {
      return .code(formatName)
    }
    return version == 0 && start >= 20 ? .code(formatName) : signature(of: formatName)
  }

  private static func signature(of formatName: String) -> Recognition {
    .possibleCode("the signature of \(formatName), followed by an unknown version or header")
  }
}
