/// The character sets of patterns, such as `[a-z]`.
enum PatternSet {
  /// Parses a set after its opening bracket, which is no longer in `rest`, and removes it from `rest`.
  ///
  /// - Returns: The bytes of the set; nil if it is not closed or has an unknown character class.
  static func parse(_ rest: inout ArraySlice<UInt8>) -> Set<UInt8>? {
    let isNegated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
    if isNegated { rest.removeFirst() }
    var set: Set<UInt8> = []
    // The byte that begins a range if a hyphen follows.
    var low: UInt8?
    var isFirst = true
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "]"), !isFirst { return isNegated ? Set(.min ... .max).subtracting(set) : set }
      isFirst = false
      if byte == UInt8(ascii: "-"), let start = low, let next = rest.first, next != UInt8(ascii: "]") {
        rest.removeFirst()
        guard let end = next == PatternElement.backslash ? rest.popFirst() : next else { return nil }
        if start <= end { set.formUnion(start...end) }
        low = nil
      } else if byte == UInt8(ascii: "["), rest.first == UInt8(ascii: ":") {
        guard let close = rest.dropFirst().firstIndex(of: UInt8(ascii: "]")) else { return nil }
        let name = rest[..<(close - 1)].dropFirst()
        if close - rest.startIndex > 1, rest[close - 1] == UInt8(ascii: ":") {
          guard let bytes = characterClass(name) else { return nil }
          set.formUnion(bytes)
          rest = rest[(close + 1)...]
          low = nil
        } else {
          set.insert(byte)
          low = byte
        }
      } else {
        guard let literal = byte == PatternElement.backslash ? rest.popFirst() : byte else { return nil }
        set.insert(literal)
        low = literal
      }
    }
    return nil
  }

  /// Returns the bytes of a character class of fnmatch(3), restricted to ASCII like git's wildmatch; nil for an unknown
  /// name.
  private static func characterClass(_ name: ArraySlice<UInt8>) -> [UInt8]? {
    let upper = Array(UInt8(ascii: "A")...UInt8(ascii: "Z"))
    let lower = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
    let digits = Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
    let visible = Array<UInt8>(0x21...0x7E)
    return switch String(decoding: name, as: UTF8.self) {
    case "alnum": upper + lower + digits
    case "alpha": upper + lower
    case "blank": [0x20, 0x09]
    case "cntrl": Array(0..<0x20) + [0x7F]
    case "digit": digits
    case "graph": visible
    case "lower": lower
    case "print": [0x20] + visible
    case "punct": visible.filter { !(upper + lower + digits).contains($0) }
    case "space": [0x20] + Array(0x09...0x0D)
    case "upper": upper
    case "xdigit":
      digits + Array(UInt8(ascii: "A")...UInt8(ascii: "F")) + Array(UInt8(ascii: "a")...UInt8(ascii: "f"))
    default: nil
    }
  }
}
