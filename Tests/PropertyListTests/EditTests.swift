import PropertyList
import Testing

@Suite struct `Replacing a string` {
  /// Returns a text with the value of `v` replaced by `new`.
  private func edited(_ text: String, to new: String = "1.10") throws -> String {
    let bytes = try PropertyListDocument.replacingString(inKey: "v", with: new, of: Array(text.utf8))
    return try #require(String(validating: bytes, as: UTF8.self))
  }

  @Test(arguments: [
    ("<string>1.9</string>", "<string>1.10</string>"),
    ("<string></string>", "<string>1.10</string>"),
    ("<string/>", "<string>1.10</string>"),
    ("<string />", "<string >1.10</string>"),
    ("<string\n  note='/>' />", "<string\n  note='/>' >1.10</string>"),
    ("<string note=\"a>'b\">1.9</string >", "<string note=\"a>'b\">1.10</string >"),
    ("<string><![CDATA[1.9]]></string>", "<string>1.10</string>"),
    ("<string>1<![CDATA[</string>]]>9</string>", "<string>1.10</string>"),
    ("<string>&#49;.&#x39;</string>", "<string>1.10</string>"),
    (
      "  <!-- <string>no</string> --> <?x <string?>\n<string>1.9</string>",
      "  <!-- <string>no</string> --> <?x <string?>\n<string>1.10</string>"
    ),
    ("<string>  1.9\r\n</string>", "<string>1.10</string>"),
  ])
  func `an edit changes only the content of its element`(old: String, new: String) throws {
    let head =
      "<?xml version=\"1.0\"?>\r\n<!-- <dict><key>v</key> -->\r\n<plist\tversion='1.0'>\r<dict>\n <key>a</key>"
      + "<dict><key>v</key><string>1.9</string></dict><!-- ' -->\n<key>&#118;</key>"
    let tail = "<key>z</key><array><string>1.9</string></array>\n\n</dict></plist>\n<!-- end -->"
    #expect(try edited(head + old + tail) == head + new + tail)
  }

  @Test(arguments: ["\n", "\r\n", "\r"], ["", "\u{FEFF}"])
  func `an edit keeps line ends and the byte order mark`(lineEnd: String, mark: String) throws {
    func text(_ version: String) -> String {
      mark
        + [
          "<?xml version='1.0' encoding='UTF-8'?>", "<plist>", "<dict>", "\t<key>é</key><true/>",
          "\t<key>v</key>",
          "\t<string>\(version)</string>", "</dict>", "</plist>", "",
        ].joined(separator: lineEnd)
    }
    let bytes = try PropertyListDocument.replacingString(
      inKey: "v", with: "1.10", of: Array(text("1.9").utf8))
    #expect(bytes == Array(text("1.10").utf8))
  }

  @Test(arguments: [true, false])
  func `an edit keeps UTF-16 and its byte order`(bigEndian: Bool) throws {
    func file(_ version: String) -> [UInt8] {
      utf16(
        "<?xml version='1.0' encoding='UTF-16'?>\r\n<plist><dict><key>ļ㰀日😀</key><string>㸼</string>"
          + "<key>v</key><string>\(version)</string></dict></plist>\r\n", bigEndian: bigEndian)
    }
    #expect(
      try PropertyListDocument.replacingString(inKey: "v", with: "1.10é", of: file("1.9")) == file("1.10é"))
  }

  @Test func `an edit escapes markup`() throws {
    let text = "<plist><dict><key>v</key><string>a</string></dict></plist>"
    #expect(
      try edited(text, to: "<a> & ]]> \r\n")
        == "<plist><dict><key>v</key><string>&lt;a&gt; &amp; ]]&gt; &#13;\n</string></dict></plist>")
  }

  @Test(arguments: [
    "<plist><dict><key>V</key><string>a</string></dict></plist>", "<plist><dict/></plist>",
    "<plist><array><string>v</string></array></plist>",
    "<plist><dict><key>v</key><real>1</real></dict></plist>",
    "<plist><dict><key>v</key><dict><key>v</key><string>a</string></dict></dict></plist>", "",
  ])
  func `an edit of a missing string is refused`(text: String) {
    let error = #expect(throws: PropertyListError.self) { try edited(text) }
    #expect(error?.kind == .unreadable)
  }

  @Test(arguments: ["a\u{0}", "\u{1}", "\u{FFFF}"])
  func `an edit with a value that XML cannot hold is refused`(value: String) {
    let text = "<plist><dict><key>v</key><string>a</string></dict></plist>"
    let error = #expect(throws: PropertyListError.self) { try edited(text, to: value) }
    #expect(error?.kind == .unreadable)
  }

  @Test func `an edit of an unsafe file is refused`() {
    let text = "<plist><dict><key>v</key><string>a<!-- --></string></dict></plist>"
    let error = #expect(throws: PropertyListError.self) { try edited(text) }
    #expect(error?.kind == .unsafeXML)
  }

  @Test(arguments: ["", "1.10", "123456789012345", "é", String(repeating: "long", count: 5000)])
  func `an edit of a binary list changes no other value`(value: String) throws {
    let old = try PropertyListDocument.parse(`Binary property lists`.sample.bytes)
    let bytes = try PropertyListDocument.replacingString(
      inKey: "IAPProductIdentifier", with: value, of: `Binary property lists`.sample.bytes)
    let new = try PropertyListDocument.parse(bytes)
    #expect(new.format == .binary)
    #expect(new.value(forKey: "IAPProductIdentifier") == .string(value))
    for entry in old.entries ?? [] where entry.key != "IAPProductIdentifier" {
      #expect(new.value(forKey: entry.key) == entry.value)
    }
    // Restoring the old value restores the file, so the edit leaves nothing behind.
    let back = try PropertyListDocument.replacingString(
      inKey: "IAPProductIdentifier", with: "com.example.book", of: bytes)
    if value.utf8.count < 100 { #expect(back == `Binary property lists`.sample.bytes) }
  }

  @Test func `an edit of a binary list does not change other uses of the same object`() throws {
    let bytes = try PropertyListDocument.replacingString(
      inKey: "ContentVersion", with: "1.10", of: `Binary property lists`.sample.bytes)
    let document = try PropertyListDocument.parse(bytes)
    #expect(document.value(forKey: "ContentVersion") == .string("1.10"))
    guard case .array(let files) = document.value(forKey: "Files") else {
      Issue.record("the array is gone")
      return
    }
    #expect(files.last == .string("1.9"))
  }

  @Test func `an edit of a binary list may need wider references and offsets`() throws {
    // The edit makes 256 objects, and this count does not fit in one byte.
    let fillers = (0..<251).map { ascii("filler \($0)") }
    let array = [0xAF, 0x10, 252] + [3] + (0..<251).map { UInt8($0 + 4) }
    var file = ForgedBinary(
      [[0xD2, 1, 2, 3, 254], ascii("v"), ascii("w"), ascii("1.9")] + fillers.dropLast() + [array])
    file.objects[254][2] = 251
    file.objects[254].removeLast()
    #expect(file.objects.count == 255)
    let old = try PropertyListDocument.parse(file.bytes)
    let bytes = try PropertyListDocument.replacingString(inKey: "v", with: "1.10", of: file.bytes)
    #expect(bytes[bytes.count - 25] == 2)
    let new = try PropertyListDocument.parse(bytes)
    #expect(new.value(forKey: "v") == .string("1.10"))
    #expect(new.value(forKey: "w") == old.value(forKey: "w"))
  }

  @Test func `an edit of a binary list with overlapping objects is refused`() {
    var file = ForgedBinary([[0xD1, 1, 2], ascii("v"), ascii("1.9"), [0x58] + Array("abcdefgh".utf8), [9]])
    #expect(throws: Never.self) {
      try PropertyListDocument.replacingString(inKey: "v", with: "w", of: file.bytes)
    }
    file.offsets = [4: 17]
    #expect(error(of: file.bytes) == nil)
    let error = #expect(throws: PropertyListError.self) {
      try PropertyListDocument.replacingString(inKey: "v", with: "w", of: file.bytes)
    }
    #expect(error?.message == "the binary property list is malformed: its objects overlap")
  }
}

@Suite struct `Writing a property list` {
  @Test func `a written list has Apple's layout`() throws {
    let bytes = PropertyListDocument.xml([("ContentVersion", "1.0"), ("a & <b>", "é")])
    let expected = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>ContentVersion</key>
      \t<string>1.0</string>
      \t<key>a &amp; &lt;b&gt;</key>
      \t<string>é</string>
      </dict>
      </plist>

      """
    #expect(String(validating: bytes, as: UTF8.self) == expected)
    let document = try PropertyListDocument.parse(bytes)
    #expect(
      document.root
        == .dictionary([
          .init(key: "ContentVersion", value: .string("1.0")), .init(key: "a & <b>", value: .string("é")),
        ]))
  }
}
