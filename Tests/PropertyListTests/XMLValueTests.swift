import PropertyList
import Testing

@Suite struct `Values of XML property lists` {
  @Test func `values are read in the order of the file, with their lines`() throws {
    let document = try PropertyListDocument.parse(
      plist("<dict>\n\t<key>b</key>\n\n\t<string>1 &amp; 2</string>\n\t<key>a</key><true/>\n</dict>"))
    #expect(document.format == .xml)
    #expect(
      document.root
        == .dictionary([.init(key: "b", value: .string("1 & 2")), .init(key: "a", value: .boolean(true))]))
    #expect(document.rootLine == 4)
    #expect(document.line(ofKey: "b") == 5)
    #expect(document.line(ofValueForKey: "b") == 7)
    #expect(document.line(ofKey: "a") == 8)
    #expect(document.line(ofValueForKey: "a") == 8)
    #expect(document.line(ofKey: "c") == nil)
    #expect(document.value(forKey: "a") == .boolean(true))
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `values have the same lines with every kind of line end`(lineEnd: String) throws {
    let text = ["<plist>", "<dict>", "<key>k</key>", "<string>a", "b</string>", "</dict>", "</plist>"]
    let document = try PropertyListDocument.parse(Array(text.joined(separator: lineEnd).utf8))
    #expect(document.line(ofKey: "k") == 3)
    #expect(document.value(forKey: "k") == .string("a\nb"))
  }

  @Test func `values have lines beyond the 65,535 that libxml2 counts by default`() throws {
    let document = try PropertyListDocument.parse(
      plist(String(repeating: "\n", count: 70_000) + "<dict>\n<key>k</key>\n<string>a</string>\n</dict>"))
    #expect(document.line(ofKey: "k") == 70_005)
  }

  @Test(arguments: [
    ("<string></string>", PropertyListValue.string("")),
    ("<string/>", .string("")),
    ("<string> a\n</string>", .string(" a\n")),
    ("<string>&#49;&#x2E;<![CDATA[<0>]]>!</string>", .string("1.<0>!")),
    ("<string>日本</string>", .string("日本")),
    ("<string note=\"x\">a</string>", .string("a")),
    ("<integer>0</integer>", .integer(0)),
    ("<integer> -42\n</integer>", .integer(-42)),
    ("<integer>+7</integer>", .integer(7)),
    ("<integer>0x1F</integer>", .integer(31)),
    ("<integer>-9223372036854775808</integer>", .integer(Int128(Int64.min))),
    ("<integer>18446744073709551615</integer>", .integer(Int128(UInt64.max))),
    ("<real>1e4</real>", .real(10_000)),
    ("<real>-0.5</real>", .real(-0.5)),
    ("<real>nan</real>", .real(.nan)),
    ("<real>-infinity</real>", .real(-.infinity)),
    ("<true/>", .boolean(true)),
    ("<false></false>", .boolean(false)),
    ("<date>2001-01-01T00:00:00Z</date>", .date(0)),
    ("<date>1970-01-01T00:00:00Z</date>", .date(-978_307_200)),
    ("<date>2024-02-29T23:59:59Z</date>", .date(730_943_999)),
    ("<date>0001-01-01T00:00:00Z</date>", .date(-63_113_904_000)),
    ("<date>4001-01-01T00:00:00Z</date>", .date(63_113_904_000)),
    ("<data>\n\tAAEC\n\t/w==\n</data>", .data([0, 1, 2, 255])),
    ("<data/>", .data([])),
    ("<array/>", .array([])),
    (
      "<array><true/><!-- ? --><array><dict/></array></array>",
      .array([.boolean(true), .array([.dictionary([])])])
    ),
    ("<dict/>", .dictionary([])),
  ])
  func `valid values are read`(xml: String, value: PropertyListValue) throws {
    #expect(try root(xml) == value)
  }

  @Test(arguments: [
    "<integer/>", "<integer>1.0</integer>", "<integer>--1</integer>", "<integer>+-1</integer>",
    "<integer>0x</integer>", "<integer>0x+1</integer>", "<integer>18446744073709551616</integer>",
    "<integer>-9223372036854775809</integer>", "<integer>1 2</integer>", "<integer>１</integer>",
    "<real/>", "<real>0x1p3</real>", "<real>1,5</real>", "<real>1e</real>", "<real>snan</real>",
    "<date/>", "<date>2001-01-01</date>", "<date>2001-13-01T00:00:00Z</date>",
    "<date>2001-02-29T00:00:00Z</date>",
    "<date>2001-01-00T00:00:00Z</date>", "<date>2001-01-01T24:00:00Z</date>",
    "<date>2001-01-01T00:60:00Z</date>",
    "<date>2001-01-01T00:00:60Z</date>", "<date>2001-01-01 00:00:00Z</date>",
    "<date>-001-01-01T00:00:00Z</date>",
    "<data>A</data>", "<data>AA=</data>", "<data>A===</data>", "<data>AA==AA==</data>", "<data>A*==</data>",
    "<data>====</data>", "<true>1</true>", "<false> </false>",
  ])
  func `malformed values are refused`(xml: String) {
    let error = error(of: plist("<array>\n\(xml)</array>"))
    #expect(error?.kind == .unreadable)
    #expect(error?.line == 5)
  }

  @Test func `values are equal only if their types and bytes are`() {
    #expect(PropertyListValue.string("é") != .string("e\u{301}"))
    #expect(PropertyListValue.real(.nan) == .real(.nan))
    #expect(PropertyListValue.real(0) != .real(-0.0))
    #expect(PropertyListValue.integer(1) != .boolean(true))
  }

  @Test func `the root may be an array or a string`() throws {
    #expect(try root("<array><string>a</string></array>") == .array([.string("a")]))
    #expect(try PropertyListDocument.parse(plist("<string>a</string>")).rootLine == 4)
    #expect(try PropertyListDocument.parse(plist("<string>a</string>")).entries == nil)
  }

  @Test(arguments: [
    "<!DOCTYPE plist PUBLIC \"-//Apple Computer//DTD PLIST 1.0//EN\" \"file://localhost/System/Library/DTDs/PropertyList.dtd\">",
    "<!DOCTYPE plist SYSTEM 'http://www.apple.com/DTDs/PropertyList-1.0.dtd' >",
    "<!-- made by hand --><?tool x?>", "",
    "<?xml version='1.0'?>", "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>",
    "<?xml version=\"1.0\" encoding=\"US-ASCII\"?>", "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
  ])
  func `values are read after every common prolog`(prolog: String) throws {
    let document = try PropertyListDocument.parse(Array((prolog + "<plist><true/></plist>").utf8))
    #expect(document.root == .boolean(true))
  }

  @Test(arguments: [true, false], ["UTF-16", "utf-16", nil])
  func `values are read in UTF-16`(bigEndian: Bool, declared: String?) throws {
    let declaration = declared.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>\r\n" } ?? ""
    let text = declaration + "<plist><dict><key>é</key><string>日本 😀</string></dict></plist>"
    let document = try PropertyListDocument.parse(utf16(text, bigEndian: bigEndian))
    #expect(document.value(forKey: "é") == .string("日本 😀"))
  }
}
