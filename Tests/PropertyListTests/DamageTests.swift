import PropertyList
import Testing

@Suite struct `A damaged XML property list` {
  private static let sample = plist(
    """
    <dict>
      <!-- what is sold -->
      <key>ContentVersion</key> <string>1.9</string>
      <key>More &amp; é</key> <array><real>1.5</real><integer>2</integer><true/><data>AAEC</data></array>
      <key>Since</key> <date>2001-01-01T00:00:00Z</date>
      <key>Note</key> <string><![CDATA[<x>]]></string>
    </dict>
    """)

  /// Checks that the edit of a readable list succeeds and changes only `ContentVersion`.
  private func check(_ bytes: [UInt8]) {
    guard let document = try? PropertyListDocument.parse(bytes), var entries = document.entries,
      let index = entries.firstIndex(where: { $0.key == "ContentVersion" }),
      case .string = entries[index].value
    else { return }
    entries[index] = PropertyListPair(key: "ContentVersion", value: .string("2"))
    #expect(throws: Never.self) {
      let edited = try PropertyListDocument.replacingString(inKey: "ContentVersion", with: "2", of: bytes)
      #expect(try PropertyListDocument.parse(edited).root == .dictionary(entries))
    }
  }

  @Test func `a list that is truncated anywhere is refused`() {
    let end = Self.sample.count - 1
    for length in 0..<end {
      #expect(error(of: Array(Self.sample.prefix(length))) != nil, "cut at \(length)")
    }
    for length in 0..<end { check(Array(Self.sample.dropFirst(length))) }
  }

  @Test(arguments: [0x01, 0x04, 0x10, 0x20, 0x80, 0xFF] as [UInt8])
  func `a list with a changed byte is read and edited consistently, or refused`(mask: UInt8) {
    for index in Self.sample.indices {
      var bytes = Self.sample
      bytes[index] ^= mask
      check(bytes)
    }
  }

  @Test(arguments: Array("<>&\"'/![]?-".utf8))
  func `a list with inserted markup is read and edited consistently, or refused`(character: UInt8) {
    for index in Self.sample.indices {
      check(Self.sample[..<index] + [character] + Self.sample[index...])
    }
  }
}
