import PropertyList
import Testing

@Suite struct `Hostile XML` {
  private static let appleType =
    "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\""

  @Test(arguments: [
    // Document types.
    ("\n<!DOCTYPE plist [<!ENTITY a 'b'>]>\n<plist><string>&a;</string></plist>", 2),
    ("<!DOCTYPE plist [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><plist><string>&a;</string></plist>", 1),
    ("<!DOCTYPE plist [<!ENTITY % a SYSTEM 'http://x.invalid/'> %a;]><plist><true/></plist>", 1),
    (appleType + " []><plist><true/></plist>", 1),
    (appleType + "[<!ATTLIST plist version CDATA '1'>]><plist><true/></plist>", 1),
    ("<!DOCTYPE plist[]><plist><true/></plist>", 1),
    ("<!DOCTYPE plist SYSTEM \"file:///etc/passwd\"><plist><true/></plist>", 1),
    (
      "<!DOCTYPE plist PUBLIC \"-//Other//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\"><plist><true/></plist>",
      1
    ),
    ("<!DOCTYPE plist><plist><true/></plist>", 1),
    ("<!DOCTYPE html><plist><true/></plist>", 1),
    ("<!-- \n --><?a ?><!DOCTYPE plist [ ]><plist><true/></plist>", 2),
    // Entities.
    ("<plist>\n<string>a&b;c</string></plist>", 2),
    (appleType + ">\n<plist>\n<string>a&b;c</string></plist>", 3),
    (appleType + ">\n<plist version='&b;'><string>a</string></plist>", 2),
    // XML versions.
    ("<?xml version=\"1.1\"?><plist><true/></plist>", 1),
    ("<?xml version='2.0'?><plist><true/></plist>", 1),
    // Namespaces and XInclude.
    ("<plist xmlns='http://x.invalid/'><true/></plist>", 1),
    ("<x:plist xmlns:x='http://x.invalid/'><true/></x:plist>", 1),
    ("<x:plist><true/></x:plist>", 1),
    ("<plist>\n<string xml:lang='en'>a</string></plist>", 2),
    (
      "<plist>\n<array>\n<i:include xmlns:i='http://www.w3.org/2001/XInclude' href='/etc/passwd'/></array></plist>",
      3
    ),
    (
      "<plist><string>\n<include xmlns='http://www.w3.org/2001/XInclude' href='/etc/passwd'/></string></plist>",
      2
    ),
    // Split values.
    ("<plist>\n<string>a<!-- b -->c</string></plist>", 2),
    ("<plist>\n<string><?b?></string></plist>", 2),
    ("<plist><dict>\n<key>a<!-- --></key><true/></dict></plist>", 2),
    ("<plist><integer>1<!-- -->2</integer></plist>", 1),
  ])
  func `XML with external references or hidden content is unsafe`(xml: String, line: Int) {
    let error = error(of: Array(xml.utf8))
    #expect(error?.kind == .unsafeXML, "\(xml)")
    #expect(error?.line == line, "\(xml)")
  }

  @Test(arguments: [
    "UTF-7", "UTF-32", "UTF-16", "ISO-8859-1", "EBCDIC-US", "windows-1252", "HTML", "", "x\u{1B}",
  ])
  func `XML whose encoding differs from the declared one is unsafe`(name: String) {
    let text = "<?xml version=\"1.0\" encoding=\"\(name)\"?><plist><true/></plist>"
    #expect(error(of: Array(text.utf8))?.kind == .unsafeXML)
  }

  @Test func `XML in other encodings is unsafe`() {
    let text = "<?xml version=\"1.0\"?><plist><string>é</string></plist>"
    let wide = text.unicodeScalars.map(\.value)
    let files: [[UInt8]] = [
      wide.flatMap { number(UInt64($0), size: 4) },
      wide.flatMap { number(UInt64($0), size: 4).reversed() },
      [0, 0, 0xFE, 0xFF] + wide.flatMap { number(UInt64($0), size: 4) },
      [0xFF, 0xFE, 0, 0] + wide.flatMap { number(UInt64($0), size: 4).reversed() },
      Array(utf16(text, bigEndian: true).dropFirst(2)),
      Array(utf16(text, bigEndian: false).dropFirst(2)),
      [0x2B, 0x2F, 0x76, 0x38, 0x2D] + Array(text.utf8),
      [0x4C, 0x6F, 0xA7, 0x94, 0x93] + Array(text.utf8),
      utf16(text.replacing("?>", with: " encoding='UTF-8'?>", maxReplacements: 1), bigEndian: true),
      utf16(text.replacing("?>", with: " encoding='UTF-16LE'?>", maxReplacements: 1), bigEndian: true),
      Array(text.replacing("?>", with: " encoding='US-ASCII'?>", maxReplacements: 1).utf8),
      Array("<plist><string>".utf8) + [0xE9] + Array("</string></plist>".utf8),
      Array("<plist><string>".utf8) + [0xED, 0xA0, 0x80] + Array("</string></plist>".utf8),
      Array("<plist><string>".utf8) + [0xC0, 0xBC] + Array("</string></plist>".utf8),
      utf16("<plist/>", bigEndian: true) + [0xD8, 0x00],
      utf16("<plist/>", bigEndian: true) + [0x00],
    ]
    for file in files { #expect(error(of: file)?.kind == .unsafeXML, "\(file.prefix(60))") }
  }

  @Test(
    arguments: [
      ("", nil), ("   \n", nil), ("{ a = b; }", nil), ("\u{FEFF}", nil),
      ("{\"a\": 1}", nil),
      ("<dict/>", 1), ("\n<array/>", 2),
      ("<plist/>", 1),
      ("<plist>\n<true/>\n<true/></plist>", 3),
      ("<plist><true/></plist>\n<plist><true/></plist>", 2),
      ("<plist><true/></plist>\nx", 2),
      ("<plist>x<true/></plist>", 1),
      ("<plist><plist><true/></plist></plist>", 1),
      ("<plist>\n<set/></plist>", 2),
      ("<plist><String>a</String></plist>", 1),
      ("<plist><key>a</key></plist>", 1),
      ("<plist><string>\n<b>a</b></string></plist>", 2),
      ("<plist><string>\n<string>a</string></string></plist>", 2),
      ("<plist><dict>\n<key>a</key></dict></plist>", 2),
      ("<plist><dict>\n<true/></dict></plist>", 2),
      ("<plist><dict>\n<key>a</key>\n<key>b</key></dict></plist>", 3),
      ("<plist><dict>\n<key>a</key>\n<true/>\n<string>b</string></dict></plist>", 4),
      ("<plist><dict>\n<key>a</key> b <true/></dict></plist>", 2),
      ("<plist><array><![CDATA[ ]]></array></plist>", 1),
      ("<plist>\n<string>a</plist>", 2),
      ("<plist><string>a", 1),
      ("<plist><string>a & b</string></plist>", 1),
      ("<plist><string>&#0;</string></plist>", 1),
      ("<plist>\n<string>a\u{0}b</string></plist>", 2),
      ("<plist><true/></plist>\u{0}", 1),
      ("<plist><string>\u{1}</string></plist>", 1),
      (" <?xml version='1.0'?><plist><true/></plist>", 1),
      ("<?xml version='1.0'?><?xml version='1.0'?><plist><true/></plist>", 1),
      ("<?xml version=1.0?><plist><true/></plist>", 1),
      ("<?xml version='1.0' encoding='UTF-8'", 1),
      ("<?xml encoding='UTF-8'?><plist><true/></plist>", 1),
      ("<plist><true/></plist><!DOCTYPE plist []>", 1),
      ("<plist a='1' a='2'><true/></plist>", 1),
      ("<!-- only a comment -->", 1),
    ] as [(String, Int?)])
  func `XML that is not a property list is unreadable`(xml: String, line: Int?) {
    let error = error(of: Array(xml.utf8))
    #expect(error?.kind == .unreadable, "\(xml)")
    #expect(error?.line == line, "\(xml)")
  }

  @Test(arguments: [
    ("a", "a"), ("é", "&#xE9;"), ("a", "<![CDATA[a]]>"), ("a&amp;b", "a<![CDATA[&]]>&#98;"), ("", ""),
  ])
  func `two keys that are equal after decoding are a duplicate key`(first: String, second: String) {
    let dictionary =
      "<dict>\n<key>\(first)</key><true/>\n<key>b</key><true/>\n<key>\(second)</key><false/></dict>"
    for root in [dictionary, "<array>" + dictionary + "</array>"] {
      #expect(error(of: plist(root))?.kind == .duplicateKey)
      #expect(error(of: plist(root))?.line == 7)
    }
  }

  @Test func `XML with invalid bytes is unsafe, on the line of the bytes`() {
    let head = "<plist>\r\n<string>\ré\n"
    let files: [[UInt8]] = [
      Array(head.utf8) + [0xE9], Array(head.utf8) + [0xC3],
      utf16(head, bigEndian: true) + [0xDC, 0x00, 0x00, 0x0A], utf16(head, bigEndian: false) + [0x41],
    ]
    for file in files {
      #expect(error(of: file)?.kind == .unsafeXML)
      #expect(error(of: file)?.line == 4)
    }
  }

  @Test func `XML with keys that only look equal is read`() throws {
    let keys = ["é", "e\u{301}", "E", "e", " e"]
    let entries = keys.map { "<key>\($0)</key><true/>" }.joined()
    #expect(try PropertyListDocument.parse(plist("<dict>\(entries)</dict>")).entries?.count == keys.count)
  }

  @Test(arguments: ["array", "dict"])
  func `XML has at most 64 levels`(container: String) throws {
    func nested(_ levels: Int) -> [UInt8] {
      let key = container == "dict" ? "<key>k</key>" : ""
      let opening = Array(repeating: "<\(container)>\n", count: levels).joined(separator: key)
      return plist(opening + key + "<true/>" + String(repeating: "</\(container)>", count: levels))
    }
    #expect(error(of: nested(64)) == nil)
    for levels in [65, 100, 300, 20_000] {
      #expect(error(of: nested(levels))?.kind == .unreadable)
      #expect(
        error(of: nested(levels))?.message == "arrays and dictionaries are nested deeper than 64 levels")
    }
    #expect(error(of: nested(65))?.line == 68)
  }

  @Test func `XML with a tag of more than 1,024 bytes is unreadable`() {
    func file(_ attributes: Int) -> [UInt8] {
      let list = (0..<attributes).map { " a\($0)=''" }.joined()
      return Array("<plist>\n<string\(list)/></plist>".utf8)
    }
    #expect(error(of: file(100)) == nil)
    for attributes in [200, 80_000] {
      #expect(error(of: file(attributes))?.kind == .unreadable)
      #expect(error(of: file(attributes))?.line == 2)
    }
  }

  @Test func `XML of 100,000 levels is refused`() {
    let xml = "<plist>" + String(repeating: "<array>", count: 100_000)
    #expect(error(of: Array(xml.utf8))?.kind == .unreadable)
    let strings =
      "<plist>" + String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000)
    #expect(error(of: Array(strings.utf8))?.kind == .unreadable)
  }

  @Test func `XML over 1 MiB is unreadable, and XML of exactly 1 MiB is read`() {
    let limit = PropertyListLimits.maximumFileSize
    let frame = Array("<plist><string></string></plist>".utf8)
    let padding = [UInt8](repeating: UInt8(ascii: "a"), count: limit - frame.count)
    let file = frame[..<15] + padding + frame[15...]
    #expect(file.count == limit)
    #expect(error(of: Array(file)) == nil)
    #expect(error(of: file + [UInt8(ascii: "\n")])?.kind == .unreadable)
  }

  @Test func `XML that multiplies entities is refused without expansion`() {
    var declarations = "<!ENTITY a0 'ha'>"
    for level in 1...30 {
      declarations += "<!ENTITY a\(level) '" + String(repeating: "&a\(level - 1);", count: 10) + "'>"
    }
    let xml = "<!DOCTYPE plist [\(declarations)]><plist version='&a30;'><string>&a30;</string></plist>"
    #expect(error(of: Array(xml.utf8))?.kind == .unsafeXML)
  }

  @Test func `a message about XML has only printable ASCII characters`() {
    let files = [
      "<plist><\u{9B}31m/></plist>", "<plist><a\u{202E}b/></plist>",
      "<plist><dict><key>\u{85}</key></dict></plist>",
      "<plist><dict><key>\t\n</key><true/><key>\t\n</key></dict></plist>",
      "<plist><" + String(repeating: "a", count: 5000) + "/></plist>", "<plist><日本></plist>",
      "<?xml version='1.0' encoding='\u{7}'?><plist/>",
    ]
    for file in files {
      let message = error(of: Array(file.utf8))?.message ?? ""
      #expect(!message.isEmpty)
      #expect(
        message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F || $0 == "…" }, "\(message)")
      #expect(message.count < 250)
    }
  }
}
