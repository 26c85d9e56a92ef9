import ContentPackage
import PackageForge
import Support
import TestSupport
import Testing

/// Manifests with external references, obscured content or excessive cost, in a package and in a content folder.
struct ManifestTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rule: Rule
    /// The line of the finding; nil if it has none.
    let line: Int?
    let bytes: [UInt8]

    init(_ description: String, _ rule: Rule, line: Int? = 1, bytes: [UInt8]) {
      testDescription = description
      self.rule = rule
      self.line = line
      self.bytes = bytes
    }

    init(_ description: String, _ rule: Rule, line: Int? = 1, _ text: String) {
      testDescription = description
      self.rule = rule
      self.line = line
      bytes = Array(text.utf8)
    }
  }

  private static let identifier = "<key>IAPProductIdentifier</key><string>com.example.book</string>"
  private static let version = "<key>ContentVersion</key><string>1.0</string>"
  private static let good = "<dict>\n\(identifier)\n\(version)\n</dict>"

  /// Returns a property list with the usual prolog, and `root` on line 3.
  private static func list(_ root: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    \(root)
    </plist>
    """
  }

  /// Entities, each of which contains the previous one ten times.
  private static let multiplyingEntities = (0...30).map { number in
    let value = number == 0 ? "ha" : String(repeating: "&a\(number - 1);", count: 10)
    return "<!ENTITY a\(number) '\(value)'>"
  }.joined()

  static let unsafe: [Case] = [
    // Files that exist on every machine and would be read silently.
    .init(
      "an external entity", .manifestUnsafeXml, line: 2,
      "<?xml version=\"1.0\"?>\n<!DOCTYPE plist [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>\n<plist>\(good)</plist>"
    ),
    .init(
      "a parameter entity", .manifestUnsafeXml,
      "<!DOCTYPE plist [<!ENTITY % a SYSTEM \"http://127.0.0.1:1/\"> %a;]><plist>\(good)</plist>"),
    .init(
      "an internal entity", .manifestUnsafeXml,
      "<!DOCTYPE plist [<!ENTITY a \"com.example.book\">]><plist>\(good)</plist>"),
    .init(
      "entities that multiply", .manifestUnsafeXml,
      "<!DOCTYPE plist [\(multiplyingEntities)]><plist><string>&a30;</string></plist>"),
    .init("an empty internal subset", .manifestUnsafeXml, "<!DOCTYPE plist []><plist>\(good)</plist>"),
    .init(
      "an attribute list", .manifestUnsafeXml,
      "<!DOCTYPE plist [<!ATTLIST plist version CDATA '1'>]><plist>\(good)</plist>"),
    .init(
      "a document type on the disk", .manifestUnsafeXml,
      "<!DOCTYPE plist SYSTEM \"file:///etc/passwd\"><plist>\(good)</plist>"),
    .init("an undeclared entity", .manifestUnsafeXml, line: 3, list("<string>&evil;</string>")),
    .init(
      "XInclude", .manifestUnsafeXml, line: 4,
      list("<array>\n<i:include xmlns:i=\"http://www.w3.org/2001/XInclude\" href=\"/etc/passwd\"/></array>")),
    .init(
      "a namespace", .manifestUnsafeXml, "<plist xmlns=\"http://example.com/\">\(good)</plist>"),
    .init("a prefix", .manifestUnsafeXml, "<x:plist>\(good)</x:plist>"),
    .init("XML 1.1", .manifestUnsafeXml, "<?xml version=\"1.1\"?><plist>\(good)</plist>"),
    .init(
      "UTF-7 that is declared", .manifestUnsafeXml,
      "<?xml version=\"1.0\" encoding=\"UTF-7\"?><plist>\(good)</plist>"),
    .init("UTF-7 by its mark", .manifestUnsafeXml, "+/v8-<plist>\(good)</plist>"),
    .init("EBCDIC", .manifestUnsafeXml, bytes: [0x4C, 0x6F, 0xA7, 0x94, 0x93, 0x40]),
    .init(
      "UTF-32", .manifestUnsafeXml,
      bytes: "<plist>\(good)</plist>".unicodeScalars.flatMap { [0, 0, 0, UInt8($0.value)] }),
    .init(
      "UTF-16 without a mark", .manifestUnsafeXml,
      bytes: "<plist>\(good)</plist>".utf16.flatMap { [UInt8($0), 0] }),
    .init(
      "a wrong declared encoding", .manifestUnsafeXml,
      "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist>\(good)</plist>"),
    .init(
      "Latin-1 that is declared", .manifestUnsafeXml,
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist>\(good)</plist>"),
    .init(
      "bytes that are no UTF-8", .manifestUnsafeXml, line: 2,
      bytes: Array("<plist>\n<string>".utf8) + [0xE9] + Array("</string></plist>".utf8)),
    .init(
      "a comment that splits a value", .manifestUnsafeXml, line: 3,
      list("<string>com.example<!-- -->.evil</string>")),
    .init(
      "an instruction that splits a value", .manifestUnsafeXml, line: 3, list("<string>1<?a b?>.0</string>")),
  ]

  static let unreadable: [Case] = [
    .init("nothing", .manifestUnreadable, line: nil, bytes: []),
    .init("spaces", .manifestUnreadable, line: nil, "   \n"),
    .init("a text", .manifestUnreadable, line: nil, "no property list"),
    .init("JSON", .manifestUnreadable, line: nil, "{\"ContentVersion\": \"1.0\"}"),
    .init("an OpenStep list", .manifestUnreadable, line: nil, "{ ContentVersion = \"1.0\"; }"),
    .init("two roots", .manifestUnreadable, line: 3, "<plist>\n<true/>\n<true/></plist>"),
    .init(
      "two lists", .manifestUnreadable, line: 2, "<plist>\(good.filter { $0 != "\n" })</plist>\n<plist/>"),
    .init("no <plist>", .manifestUnreadable, good),
    .init("an unknown element", .manifestUnreadable, line: 3, list("<set/>")),
    .init("an element in a string", .manifestUnreadable, line: 3, list("<string>1<b>.0</b></string>")),
    .init("a key without a value", .manifestUnreadable, line: 3, list("<dict><key>a</key></dict>")),
    .init("text between values", .manifestUnreadable, line: 3, list("<dict>x<key>a</key><true/></dict>")),
    .init("a NUL", .manifestUnreadable, line: 3, list("<string>1\u{0}</string>")),
    .init("a list that is cut", .manifestUnreadable, line: 2, "<plist>\n<dict>"),
    .init(
      "300 levels", .manifestUnreadable, line: 3,
      list(String(repeating: "<array>", count: 300) + String(repeating: "</array>", count: 300))),
    .init(
      "100,000 levels", .manifestUnreadable, "<plist>" + String(repeating: "<array>", count: 100_000)),
    .init(
      "1 MiB and a byte", .manifestUnreadable, line: nil,
      bytes: [UInt8](repeating: 0x20, count: 1_048_577)),
    .init(
      "a tag of 100,000 bytes", .manifestUnreadable,
      "<plist a='" + String(repeating: "x", count: 100_000) + "'/>"),
    // Binary property lists.
    .init("a binary header alone", .manifestUnreadable, line: nil, "bplist00"),
    .init("a truncated trailer", .manifestUnreadable, line: nil, bytes: Array(binary([[0x09]]).dropLast())),
    .init("a list that contains itself", .manifestUnreadable, line: nil, bytes: binary([[0xA1, 0]])),
    .init("2^60 objects", .manifestUnreadable, line: nil, bytes: binary([[0x09]], count: 1 << 60)),
    .init(
      "an array of 2^62 values", .manifestUnreadable, line: nil,
      bytes: binary([[0xAF, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0]])),
    .init(
      "objects that multiply", .manifestUnreadable, line: nil,
      bytes: nested(60, each: 2)),
    .init(
      "100 levels", .manifestUnreadable, line: nil,
      bytes: nested(100, each: 1)),
  ]

  static let contents: [Case] =
    [
      .init("an array at the root", .manifestWrongType, line: nil, list("<array/>")),
      .init("a string at the root", .manifestWrongType, line: nil, list("<string>1.0</string>")),
      .init(
        "keys that are equal once decoded", .manifestDuplicateKey, line: 5,
        list("<dict>\(identifier)\n\(version)\n<key>Content&#86;ersion</key><string>2</string></dict>")),
      .init("no identifier", .manifestMissingKey, line: 3, list("<dict>\(version)</dict>")),
      .init("no version", .manifestMissingKey, line: 3, list("<dict>\(identifier)</dict>")),
      .init(
        "a version that is a number", .manifestWrongType, line: 4,
        list("<dict>\(identifier)\n<key>ContentVersion</key><real>1.0</real></dict>")),
    ]
    + [
      "", ".", "..", "../evil", "/etc", "a/b", "a\\b", ".iapkg", "-rf", "a b", "é", "a\u{7F}", "a%2Fb", "C:x",
      String(repeating: "a", count: 101),
    ].map {
      Case(
        "the identifier '\($0.prefix(20))'", .manifestProductIdentifier, line: 4,
        list("<dict>\n<key>IAPProductIdentifier</key><string>\($0)</string>\(version)</dict>"))
    }
    + ["", ".", "1.", "-1", "1.0b", "1..0", "9223372036854775808", "١", "1 ", "1.0\n"].map {
      Case(
        "the version '\($0)'", .manifestContentVersion, line: 4,
        list("<dict>\n<key>ContentVersion</key><string>\($0)</string>\(identifier)</dict>"))
    }

  /// Returns a binary property list of encoded objects, the first of which is the root.
  private static func binary(_ objects: [[UInt8]], count: UInt64? = nil) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for object in objects {
      table += number(UInt64(bytes.count), size: 2)
      bytes += object
    }
    let tableOffset = UInt64(bytes.count)
    return bytes + table + [0, 0, 0, 0, 0, 0, 2, 1] + number(count ?? UInt64(objects.count), size: 8)
      + number(0, size: 8) + number(tableOffset, size: 8)
  }

  /// Returns nested arrays, each of which contains the next one `each` times.
  private static func nested(_ levels: UInt8, each: UInt8) -> [UInt8] {
    var objects = (1...levels).map { [0xA0 | each] + [UInt8](repeating: $0, count: Int(each)) }
    objects.append([0x09])
    return binary(objects)
  }

  private static func number(_ value: UInt64, size: UInt64) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  @Test(arguments: unsafe + unreadable + contents)
  func `a hostile manifest is refused in a package, and nothing is installed`(_ manifest: Case) throws {
    try HostilePackage(manifest.testDescription, manifest.rule) {
      $0.entries[0] = .file(Name.manifest, manifest.bytes)
    }.checkRefusal()
  }

  @Test(arguments: unsafe + unreadable + contents)
  func `a hostile manifest is refused in a folder, with its line`(_ manifest: Case) throws {
    let bench = try Bench([])
    try bench.makeContentFolder(manifest: manifest.bytes)
    let findings = try PackageValidator(context: WorkContext(jobs: 1))
      .validate("\(bench.path)/Book").findings
    #expect(findings.map(\.rule) == [manifest.rule], "\(findings)")
    #expect(findings.map(\.line) == [manifest.line], "\(findings)")
  }

  @Test func `a deflated manifest is refused like a stored one`() throws {
    try HostilePackage("an entity", .manifestUnsafeXml) {
      $0.entries[0] = .file(Name.manifest, Self.unsafe[0].bytes, method: .deflated)
    }.checkRefusal()
  }
}

extension Bench {
  /// Creates a content folder `Book` with one file.
  fileprivate func makeContentFolder(manifest: [UInt8]) throws {
    try folder.write(manifest, to: "Book/\(Name.manifest)")
    try folder.write([], to: "Book/Contents/a.txt")
  }
}
