/// Compiled Python modules (`.pyc`).
enum PythonBytecode {
  /// Two bytes of version and CR LF are little, so the code object behind the header has to be there too.
  ///
  /// The header is 16 bytes since 3.7 (PEP 552), 12 since 3.3, and 8 before; version numbers are those of
  /// CPython's pycore_magic_number.h.
  static func recognize(_ head: Span<UInt8>) -> Recognition? {
    guard let version = head.uint16(at: 0, .little), let flags = head.uint32(at: 4, .little) else {
      return nil
    }
    if flags <= 3, hasCode(head, at: 16) { return .code("Python bytecode") }
    let isKnown = oldVersions.contains { $0.contains(version) }
    return isKnown && (hasCode(head, at: 12) || hasCode(head, at: 8)) ? .code("Python bytecode") : nil
  }

  /// A marshalled code object starts with `c`, with or without the bit that it may be referred to
  /// (CPython's marshal.c: TYPE_CODE, FLAG_REF).
  private static func hasCode(_ head: Span<UInt8>, at offset: Int) -> Bool {
    offset < head.count && head[offset] & 0x7F == UInt8(ascii: "c")
  }

  /// Python 3.0 to 3.6, 1.5, 1.6, and 2.0 to 2.7.
  private static let oldVersions = [3000...3391, 20121...20121, 50428...50428, 50823...62218]
}
