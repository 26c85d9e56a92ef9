/// Code for virtual machines whose signature has four bytes or fewer, so that what follows it must fit as well.
///
/// A signature with other bytes behind it is still said to be possible code: somebody may have changed a machine to
/// read them. A file that ends too early for a field is taken at its word.
enum VirtualCode {
  /// WebAssembly Core Specification 5.5.16: version 1. Before it were 0x0A to 0x0D. In the component model the upper
  /// half is the layer, 1 for components (Component Model, Binary.md, "component").
  static func webAssembly(_ head: Span<UInt8>) -> Recognition {
    guard let version = head.uint32(at: 4, .little) else { return .code("a WebAssembly module") }
    guard version & 0xFFFF <= 0x1F, version >> 16 <= 1 else { return signature(of: "a WebAssembly module") }
    return .code("a WebAssembly module")
  }

  /// lua.h: LUA_SIGNATURE; lundump.h: LUAC_VERSION, the major version in the upper four bits. Lua 3.1 was the first to
  /// have it, 5.5 is the latest.
  static func lua(_ head: Span<UInt8>) -> Recognition {
    guard head.count > 4 else { return .code("Lua bytecode") }
    return (0x31...0x5F).contains(head[4]) ? .code("Lua bytecode") : signature(of: "Lua bytecode")
  }

  /// LuaJIT's lj_bcdump.h: BCDUMP_HEAD1 to 3, and BCDUMP_VERSION, which is 2, or 1 in LuaJIT 2.0.
  static func luaJIT(_ head: Span<UInt8>) -> Recognition {
    guard head.count > 3 else { return .code("LuaJIT bytecode") }
    return (1...0x0F).contains(head[3]) ? .code("LuaJIT bytecode") : signature(of: "LuaJIT bytecode")
  }

  /// LLVM Bitcode File Format, "Magic Numbers" and "Blocks": behind the magic number a block begins (ENTER_SUBBLOCK is
  /// 1, in two bits), and its number follows in six. Those that a file may begin with: module 8, identification 13,
  /// string table 23, symbol table 25.
  static func bitcode(_ head: Span<UInt8>) -> Recognition {
    guard head.count > 4 else { return .code("LLVM bitcode") }
    let isBlock = head[4] & 3 == 1 && [8, 13, 23, 25].contains(head[4] >> 2)
    return isBlock ? .code("LLVM bitcode") : signature(of: "LLVM bitcode")
  }

  /// The same, "Bitcode Wrapper Format": magic number, version 0, and where the bitcode begins, behind five numbers.
  static func wrappedBitcode(_ head: Span<UInt8>) -> Recognition {
    let what = "LLVM bitcode in its wrapper"
    guard let version = head.uint32(at: 4, .little), let start = head.uint32(at: 8, .little) else {
      return .code(what)
    }
    return version == 0 && start >= 20 ? .code(what) : signature(of: what)
  }

  private static func signature(of what: String) -> Recognition {
    .possibleCode("the signature of \(what), with another version or header behind it")
  }
}
