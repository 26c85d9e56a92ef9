import ContentPackage
import PackageForge
import Testing
import ZipArchive

/// Names that are forbidden in a package.
struct NameTests {
  static let duplicates: [HostilePackage] = [
    .init("a duplicate name", .pathDuplicate) { $0.add(.file(Name.stored, "other")) },
    .init("a duplicate name with the same content", .pathDuplicate) {
      $0.add(.file(Name.stored, "page one"))
    },
    .init("two manifests", .pathDuplicate) {
      $0.add(.file(Name.manifest, ForgedArchive.manifest("com.example.other", "9")))
    },
    .init("a duplicate folder", .pathDuplicate) { $0.add(.folder(Name.folder)) },
    .init("a link that a file replaces", .pathDuplicate) {
      $0.add(.link("Contents/link", to: "cover.txt"))
      $0.add(.file("Contents/link", "x"))
    },
    .init("a file that a link replaces", .pathDuplicate) { $0.add(.link(Name.stored, to: "../cover.txt")) },
  ]

  @Test(arguments: duplicates)
  func `a duplicate name is refused`(_ package: HostilePackage) throws { try package.checkRefusal() }

  static let characters: [HostilePackage] =
    [0x00, 0x01, 0x07, 0x0A, 0x0D, 0x1B, 0x1F, 0x7F, UInt8(ascii: "\\")].map {
      HostilePackage(name: Array("Contents/a".utf8) + [$0] + Array("b".utf8), .pathCharacters)
    } + [
      HostilePackage(name: "Contents/a\u{9B}31m", .pathCharacters),
      HostilePackage(name: "Contents/a\u{85}", .pathCharacters),
      HostilePackage(name: "Contents/..\\..\\evil", .pathCharacters),
      HostilePackage(name: Array("Contents/a.txt\0.png".utf8), .pathCharacters),
      HostilePackage(name: Array("Contents/trailing\0".utf8), .pathCharacters),
    ]

  @Test(arguments: characters)
  func `a name with a control character, DEL or a backslash is refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  static let encodings: [HostilePackage] =
    ([
      [0xFF], [0x61, 0x80], [0xC0, 0xAF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0xAF],
      [0xF0, 0x80, 0x80, 0xAF],
      [0xED, 0xA0, 0x80], [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE3, 0x81],
      [0x82, 0xA0],
    ] as [[UInt8]]).flatMap { name in
      ([0, 1 << 11] as [UInt16]).map { flags in
        HostilePackage("\(name) with the flags \(flags)", .pathEncoding) {
          $0.add(.file("Contents/name", "x"))
          $0["Contents/name"].name = Array("Contents/".utf8) + name
          $0["Contents/name"].flags = flags
        }
      }
    }

  @Test(arguments: encodings)
  func `a name that is invalid, overlong or surrogate UTF-8 is refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  static let places: [HostilePackage] = [
    HostilePackage(name: "/etc/passwd", .pathAbsolute),
    HostilePackage(name: "/Contents/a", .pathAbsolute),
    HostilePackage(name: "//server/share", .pathAbsolute),
    HostilePackage(name: "\\\\server\\share", .pathAbsolute, .pathCharacters),
    HostilePackage(name: "C:/x", .pathAbsolute),
    HostilePackage(name: "C:x", .pathAbsolute),
    HostilePackage(name: "c:Contents/x", .pathAbsolute),
    HostilePackage(name: "Contents/./a", .pathTraversal),
    HostilePackage(name: "Contents/../a", .pathTraversal),
    HostilePackage(name: "Contents/pages/../../../../evil", .pathTraversal),
    HostilePackage(name: "../evil", .pathTraversal),
    HostilePackage(name: "./Contents/evil", .pathTraversal),
    HostilePackage(name: "..", .pathTraversal),
    HostilePackage(name: ".", .pathTraversal),
    HostilePackage(name: "Contents/..", .pathTraversal),
    HostilePackage(name: "Contents/.", .pathTraversal),
    HostilePackage(name: "Contents//a", .pathEmpty),
    HostilePackage(name: "", .pathEmpty),
    .init("a folder with two slashes", .pathEmpty) { $0.add(.folder("Contents/empty//")) },
    .init("a folder that is only a slash", .pathEmpty) { $0.add(.folder("/")) },
    .init("a folder named ..", .pathTraversal) { $0.add(.folder("Contents/../")) },
  ]

  @Test(arguments: places)
  func `a name that starts at a root or drive, or has a step or an empty part, is refused`(
    _ package: HostilePackage
  ) throws { try package.checkRefusal() }

  /// Names that a file system may not distinguish from `Contents/pages/one.txt`, `Contents/cover.txt` or the item added
  /// first.
  static let collisions: [HostilePackage] = [
    .init("another letter case", .pathCollision) { $0.add(.file("Contents/COVER.txt", "x")) },
    .init("another letter case of a folder", .pathCollision) { $0.add(.file("Contents/Pages/two.txt", "x")) },
    .init("another letter case of an empty folder", .pathCollision) { $0.add(.folder("Contents/PAGES/")) },
    .init("another letter case of Contents", .pathCollision) { $0.add(.file("contents/x", "x")) },
    .init("a file beside Contents in another letter case", .pathCollision) { $0.add(.file("CONTENTS", "x")) },
    .init("another letter case of ContentInfo.plist", .pathCollision) {
      $0.add(.file("contentinfo.plist", "x"))
    },
    .init("ContentInfo.plist with a long s", .pathCollision) {
      $0.add(.file("ContentInfo.pli\u{17F}t", "x"))
    },
    pair("ß and ss", "Contents/straße", "Contents/STRASSE"),
    pair("capital sharp s and ss", "Contents/\u{1E9E}", "Contents/ss"),
    pair("Kelvin sign and k", "Contents/\u{212A}", "Contents/k"),
    pair("Ångström sign and å", "Contents/\u{212B}", "Contents/å"),
    pair("final sigma", "Contents/ς", "Contents/Σ"),
    pair("a ligature", "Contents/ﬀ", "Contents/FF"),
    pair("composed and decomposed", "Contents/é", "Contents/e\u{301}"),
    pair("composed capital and decomposed", "Contents/É/x", "Contents/e\u{301}/y"),
    pair("marks in another order", "Contents/a\u{323}\u{307}", "Contents/a\u{307}\u{323}"),
    pair(
      "Hangul syllables and letters", "Contents/한글",
      "Contents/\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"),
    pair("far down", "Contents/a/b/c/d/X", "Contents/a/b/c/d/x"),
  ]

  private static func pair(_ description: String, _ one: String, _ other: String) -> HostilePackage {
    HostilePackage(description, .pathCollision) {
      $0.add(.file(one, "1"))
      $0.add(.file(other, "2"))
    }
  }

  @Test(arguments: collisions)
  func `names that a file system may treat as equal are refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  static let doubles: [HostilePackage] = [
    .init("a file that is also a folder with entries", .pathFileAndFolder) {
      $0.add(.file("Contents/pages/one.txt/two.txt", "x"))
    },
    .init("a file that is also a folder", .pathFileAndFolder) { $0.add(.folder("Contents/cover.txt/")) },
    .init("a folder that is also a file", .pathFileAndFolder) { $0.add(.file("Contents/pages", "x")) },
    .init("Contents a file", .pathFileAndFolder) {
      $0.entries.removeLast(3)
      $0.add(.file("Contents", "x"))
    },
    .init("Contents a file and a folder", .pathFileAndFolder) { $0.add(.file("Contents", "x")) },
    .init("the manifest also a folder", .pathFileAndFolder) { $0.add(.file("ContentInfo.plist/x", "x")) },
    .init("the manifest a folder that is not listed", .manifestNotAFile) {
      $0.entries.removeFirst()
      $0.add(.file("ContentInfo.plist/x", "x"))
    },
  ]

  @Test(arguments: doubles)
  func `a file that is also a folder is refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  static let lengths: [HostilePackage] = [
    .init("a part of 256 bytes", .pathTooLong) {
      $0.add(.file("Contents/" + String(repeating: "x", count: 256), "x"))
    },
    .init("a part of 128 characters in 256 bytes", .pathTooLong) {
      $0.add(.file("Contents/" + String(repeating: "é", count: 128), "x"))
    },
    .init("a folder of 256 bytes with three files", .pathTooLong) {
      let folder = "Contents/" + String(repeating: "x", count: 256)
      for name in ["a", "b", "c"] { $0.add(.file("\(folder)/\(name)", "x")) }
    },
    .init("a path of 1,024 bytes", .pathTooLong) { $0.add(.file(path(bytes: 1024), "x")) },
    .init("a path of 65,535 bytes", .pathTooLong) { $0.add(.file(path(bytes: 65_535), "x")) },
    .init("65 levels", .pathTooLong) {
      $0.add(.file("Contents/" + Array(repeating: "d", count: 64).joined(separator: "/"), "x"))
    },
    .init("30,000 levels", .pathTooLong) {
      $0.add(.file("Contents/" + Array(repeating: "d", count: 30_000).joined(separator: "/"), "x"))
    },
  ]

  /// Returns a path of `bytes` bytes, in components of 199.
  static func path(bytes: Int) -> String {
    let parts = Array(repeating: String(repeating: "p", count: 199), count: bytes / 200 + 1)
    return String(("Contents/" + parts.joined(separator: "/")).prefix(bytes))
  }

  @Test(arguments: lengths)
  func `a part, a path or a depth over the limits is refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  static let rootItems: [HostilePackage] = [
    .init("a file at the root", .packageRootItem) { $0.add(.file("readme.txt", "x")) },
    .init("a folder at the root with files", .packageRootItem) {
      $0.add(.file("Other/a", "x"))
      $0.add(.file("Other/b", "x"))
    },
    .init("no Contents", .packageContentsMissing) { $0.entries.removeLast(3) },
    .init("no manifest", .manifestMissing) { $0.entries.removeFirst() },
    .init("the manifest in Contents", .manifestMissing) {
      $0[Name.manifest].name = Array("Contents/ContentInfo.plist".utf8)
    },
    .init("the manifest a folder", .manifestNotAFile) {
      $0.entries[0] = .folder("ContentInfo.plist/")
    },
    .init("everything in one folder", .packageRootItem) {
      for index in $0.entries.indices {
        $0.entries[index].name = Array("Book/".utf8) + $0.entries[index].name
      }
    },
  ]

  @Test(arguments: rootItems)
  func `missing and unknown root items are refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }
}
