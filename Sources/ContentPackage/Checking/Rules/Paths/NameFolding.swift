/// The comparison of names that a file system may treat as the same.
package enum NameFolding {
  /// Returns a key that is equal for two names if they are a canonical caseless match (Unicode 3.13, D145).
  ///
  /// The standard library compares strings by canonical equivalence, so only case is folded here. The library does not
  /// provide the mappings of CaseFolding.txt, but mapping to lower, upper and again lower case gives the same classes.
  ///
  /// - Returns: Nil if the name is not UTF-8. Such a name equals only itself.
  package static func key(for name: ArraySlice<UInt8>) -> String? {
    if name.allSatisfy({ $0 < 0x80 && $0 &- 0x41 >= 26 }) { return String(decoding: name, as: UTF8.self) }
    if name.allSatisfy({ $0 < 0x80 }) {
      return String(decoding: name.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
    return String(validating: name, as: UTF8.self).map(fold)
  }

  private static func fold(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var pendingIotas = 0
    for scalar in text.unicodeScalars.lazy.flatMap(separated) {
      if scalar.properties.canonicalCombiningClass == .notReordered {
        result.append(contentsOf: repeatElement(iota, count: pendingIotas))
        pendingIotas = 0
      }
      let folded = fold(scalar)
      if folded.last == iota, folded.count > 1 || scalar == iotaBelow {
        result.append(contentsOf: folded.dropLast())
        pendingIotas += 1
      } else {
        result.append(contentsOf: folded)
      }
    }
    result.append(contentsOf: repeatElement(iota, count: pendingIotas))
    return String(result)
  }

  /// Decomposes the three vowel signs that are two combining marks each but do not count as marks themselves. The
  /// standard library would not order them among adjacent marks.
  private static func separated(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    switch scalar {
    case "\u{0F73}": ["\u{0F71}", "\u{0F72}"]
    case "\u{0F75}": ["\u{0F71}", "\u{0F74}"]
    case "\u{0F81}": ["\u{0F71}", "\u{0F80}"]
    default: [scalar]
    }
  }

  private static func fold(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    if scalar == dotlessI { return String(scalar).unicodeScalars }
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    let upper = lower.map(\.properties.uppercaseMapping).joined().unicodeScalars
    return upper.map(\.properties.lowercaseMapping).joined().unicodeScalars
  }

  /// The dotless i. Its capital is I, but only the case folding of Turkic languages makes the two equal
  /// (CaseFolding.txt, status T).
  private static let dotlessI: Unicode.Scalar = "\u{0131}"

  /// The combining iota, which is ordered after every other mark of its letter but folds to a separate letter. Folding
  /// moves it after the last mark, so that it does not separate the letter from later marks.
  private static let iotaBelow: Unicode.Scalar = "\u{0345}"
  private static let iota: Unicode.Scalar = "\u{03B9}"
}
