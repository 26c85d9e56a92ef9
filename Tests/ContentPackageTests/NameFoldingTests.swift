import Testing

@testable import ContentPackage

@Suite struct NameFoldingTests {
  @Test(arguments: [
    ("Straße", "STRASSE"), ("ẞ", "ss"), ("ẞ", "ß"), ("\u{212A}", "k"), ("\u{212B}", "å"),
    ("\u{212B}", "A\u{30A}"),
    ("\u{2126}", "ω"), ("ſ", "S"), ("ﬁ", "FI"), ("ﬃ", "ffi"), ("ς", "Σ"), ("ς", "σ"), ("İ", "i\u{307}"),
    ("ŉ", "ʼN"), ("ǰ", "J\u{30C}"), ("ΐ", "ι\u{308}\u{301}"), ("µ", "μ"), ("ϐ", "β"), ("Ǆ", "ǆ"),
    ("ǅ", "ǆ"),
    ("\u{13A0}", "\u{AB70}"), ("\u{13F0}", "\u{13F8}"), ("Ა", "ა"), ("𐐀", "𐐨"), ("\u{1E9B}", "ṡ"),
    ("ﬅ", "ST"),
    ("և", "ԵՒ"), ("ᾳ", "ΑΙ"), ("\u{345}", "ι"), ("가", "\u{1100}\u{1161}"), ("각", "가\u{11A8}"),
    ("ở", "O\u{31B}\u{309}"), ("a\u{323}\u{307}", "A\u{307}\u{323}"), ("α\u{345}\u{301}", "Ά\u{3B9}"),
    ("ᾳ\u{301}", "ᾴ"), ("a\u{0F81}\u{0323}", "a\u{0323}\u{0F71}\u{0F80}"), ("豈", "豈"), ("\u{2F81A}", "冬"),
  ])
  func `names fold to one key by CaseFolding.txt (status C and F) and canonical decomposition`(
    one: String, other: String
  ) {
    #expect(key(one) == key(other))
  }

  @Test(arguments: [
    ("ı", "i"), ("ı", "I"), ("İ", "i"), ("ａ", "a"), ("Ａ", "A"), ("e", "é"), ("①", "1"), ("ª", "a"),
    ("ĳ", "ij"),
    ("ø", "o"), ("ℌ", "H"), ("ﾊ", "ハ"), ("\u{1100}", "\u{3131}"), ("a", "а"),
  ])
  func `names that differ by more than case and form have different keys`(one: String, other: String) {
    #expect(key(one) != key(other))
  }

  @Test func `fullwidth letters fold among themselves`() {
    #expect(key("Ａ") == key("ａ"))
  }

  @Test func `a name that is not UTF-8 has no key`() {
    #expect(NameFolding.key(for: [0x61, 0xFF]) == nil)
  }

  private func key(_ name: String) -> String? { NameFolding.key(for: Array(name.utf8)[...]) }
}
