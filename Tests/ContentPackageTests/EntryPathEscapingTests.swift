import Testing
import ZipArchive

@Suite struct EntryPathEscapingTests {
  @Test(arguments: [
    ("", ""), ("Contents/é/日本語.txt", "Contents/é/日本語.txt"), ("e\u{301}", "e\u{301}"), ("❤️", "❤️"),
    ("a\u{202E}b", "a\\u{202E}b"), ("a\u{1B}[2J", "a\\u{001B}[2J"), ("\0", "\\u{0000}"),
    ("\u{7F}", "\\u{007F}"),
    ("\u{9B}", "\\u{009B}"), ("a\u{200B}", "a\\u{200B}"), ("\u{E0041}", "\\u{E0041}"),
    ("\u{3164}", "\\u{3164}"),
    ("a\nb", "a\\u{000A}b"), ("\u{2028}", "\\u{2028}"), ("\u{0378}", "\\u{0378}"), ("a b", "a b"),
  ])
  func `visible characters stay, and invisible ones become escapes`(path: String, escaped: String) {
    #expect(EntryPath(path).escaped == escaped)
  }

  @Test(
    arguments: [
      ([0x61, 0xFF, 0x62], "a\\xFFb"), ([0xC0, 0xAF], "\\xC0\\xAF"), ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"),
      ([0xE3, 0x81], "\\xE3\\x81"), ([0xE3, 0x81, 0xC3, 0xA9], "\\xE3\\x81é"),
      ([0xFF, 0xCC, 0x81], "\\xFF\u{301}"),
    ] as [([UInt8], String)])
  func `each byte that is not UTF-8 becomes an escape`(bytes: [UInt8], escaped: String) {
    #expect(EntryPath(bytes: bytes).escaped == escaped)
  }

  @Test(arguments: [#"a\xFF"#, #"\u{202E}"#, #"a\b"#])
  func `escaping an escaped path changes nothing`(shown: String) {
    #expect(EntryPath(shown).escaped == shown)
  }
}
