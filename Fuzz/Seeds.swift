import PackageForge

/// The initial inputs of the fuzzer.
enum Seeds {
  static let archives: [ForgedArchive] = {
    var wide = ForgedArchive.book()
    wide.zip64 = ForgedZip64()
    wide.entries[3].extra = [.time, .zip64(8, 8)]
    wide.entries[3].size = .max
    wide.entries[3].compressedSize = .max
    var linked = ForgedArchive.book()
    linked.add(.link("Contents/link", to: "cover.txt"))
    linked.add(.link("Contents/pages/up", to: ".."))
    linked.add(.zeros("Contents/zeros", count: 5000))
    linked.add(.file("Contents/nested.zip", ForgedArchive.book().bytes()))
    var commented = ForgedArchive.book()
    commented.end.comment = Array("made by hand".utf8)
    let name = commented.entries[3].name
    commented.entries[3].extra = [.unicodePath(name, for: name), .owner]
    commented.entries[1].descriptor = ForgedDescriptor(hasSignature: false, isWide: true)
    var doubled = ForgedArchive.book()
    doubled.prefix = ForgedArchive.book().bytes()
    var segmented = ForgedArchive.book()
    segmented.add(ForgedSegments().entry("Contents/segments"))
    return [ForgedArchive(), .book(), wide, linked, commented, doubled, segmented]
  }()

  /// An input for each field that can be modified, and a combination of all.
  static let forgeries: [[UInt8]] = {
    let each = (0...61).map { [UInt8($0), 3, 4, 0, 0, 0, 0, 8] + Array("name".utf8) }
    let shortenedAfterOrder = each[61] + each[55]
    return [[]] + each + [each.joined().map(\.self), shortenedAfterOrder]
  }()

  static let manifests: [[UInt8]] = [
    Array(ForgedArchive.manifest("com.example.book", "1.0").utf8),
    Array(
      """
      <?xml version='1.0'?><!-- a --><plist version="1.0"><dict><key>ContentVersion</key><string><![CDATA[1]]>.2\
      </string><key>a</key><array><integer>0x10</integer><real>1e3</real><true/><data>AAEC</data>\
      <date>2011-10-01T00:00:00Z</date></array><key>&#xE9;</key><dict/></dict></plist>
      """.utf8),
    Array(
      "<!DOCTYPE plist [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><plist><string>&a;</string></plist>".utf8),
    "\u{FEFF}<plist><string>é</string></plist>".utf16.flatMap {
      [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)]
    },
    binary,
  ]

  /// A binary property list: a dictionary with a version, and an array of a number, a date and data.
  private static let binary: [UInt8] = {
    let objects: [[UInt8]] = [
      [0xD2, 1, 2, 3, 4], [0x5E] + Array("ContentVersion".utf8), [0x51, 0x61], [0x53] + Array("1.0".utf8),
      [0xA3, 5, 6, 7], [0x10, 7], [0x33, 0, 0, 0, 0, 0, 0, 0, 0], [0x42, 1, 2],
    ]
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for object in objects {
      table.append(UInt8(bytes.count))
      bytes += object
    }
    let tableOffset = UInt8(bytes.count)
    let zeros = [UInt8](repeating: 0, count: 7)
    let trailer =
      [0, 0, 0, 0, 0, 0, 1, 1] + zeros + [UInt8(objects.count)] + zeros + [0] + zeros + [tableOffset]
    return bytes + table + trailer
  }()
}
