import ContentPackage
import PackageForge
import Testing

/// Unusual but valid packages, which must be accepted.
struct AcceptedPackageTests {
  static let accepted: [HostilePackage] = [
    .init("a package as it should be") { _ in },
    .init("only stored entries") { $0.entries.removeAll { $0.madeAs == Name.deflated } },
    .init("only deflated entries") { $0.entries.removeAll { $0.madeAs == Name.stored } },
    .init("no folder entries") { $0.entries.removeAll { $0.madeAs == Name.folder } },
    .init("a folder entry of Contents") { $0.add(.folder("Contents/")) },
    .init("an empty file, stored and deflated") {
      $0.add(.file("Contents/empty", ""))
      $0.add(.file("Contents/none", "", method: .deflated))
    },
    .init("a deflated folder of no bytes, as Java writes it") {
      $0.add(ForgedEntry("Contents/java/", [], method: .deflated, mode: 0o040755))
    },
    .init("a descriptor with signature, as macOS writes it") {
      $0.add(.file("Contents/z", "z", method: .deflated, descriptor: ForgedDescriptor()))
    },
    .init("a descriptor without signature") {
      $0[Name.deflated].descriptor = ForgedDescriptor(hasSignature: false)
    },
    .init("a wide descriptor with signature") {
      $0[Name.deflated].descriptor = ForgedDescriptor(isWide: true)
    },
    .init("a wide descriptor without signature") {
      $0[Name.deflated].descriptor = ForgedDescriptor(hasSignature: false, isWide: true)
    },
    .init("a stored entry with a descriptor") {
      $0.add(.file("Contents/z", "z", descriptor: ForgedDescriptor()))
    },
    .init("an NFD name without a twin") { $0.add(.file("Contents/e\u{301}.txt", "x")) },
    .init("a ZIP64 end record") { $0.zip64 = ForgedZip64() },
    .init("a ZIP64 end record that replaces all numbers") {
      $0.zip64 = ForgedZip64()
      $0.end.entries = .max
      $0.end.entriesOnDisk = .max
      $0.end.directorySize = .max
      $0.end.directoryOffset = .max
      $0.end.disk = .max
      $0.end.directoryDisk = .max
    },
    .init("sizes in ZIP64 fields") {
      $0[Name.stored].extra = [.zip64(8, 8)]
      $0[Name.stored].size = .max
      $0[Name.stored].compressedSize = .max
    },
    .init("host MS-DOS without a mode") {
      $0[Name.stored].host = 0
      $0[Name.stored].externalAttributes = 0x20
    },
    .init("host MS-DOS throughout") {
      for index in $0.entries.indices {
        $0.entries[index].host = 0
        $0.entries[index].externalAttributes = $0.entries[index].madeAs.hasSuffix("/") ? 0x10 : 0x20
      }
    },
    .init("host Darwin with the mode of a file") { $0[Name.stored].host = 19 },
    .init("a part of exactly 255 bytes") {
      $0.add(.file("Contents/" + String(repeating: "x", count: 255), "x"))
    },
    .init("a path of exactly 1,023 bytes") { $0.add(.file(NameTests.path(bytes: 1023), "x")) },
    .init("64 levels") {
      $0.add(.file("Contents/" + Array(repeating: "d", count: 63).joined(separator: "/"), "x"))
    },
    .init("a link to a file, one to a folder and one to Contents") {
      $0.add(.link("Contents/pages/file", to: "../cover.txt"))
      $0.add(.link("Contents/folder", to: "pages/"))
      $0.add(.link("Contents/pages/contents", to: ".."))
    },
    .init("a deflated link") { $0.add(.link("Contents/link", to: "cover.txt", method: .deflated)) },
    .init("a target of 1,023 bytes") {
      $0.add(.link("Contents/pages/link", to: String(repeating: "./", count: 508) + "one.txt"))
    },
    .init("a chain of 40 links") {
      for number in 0..<40 {
        $0.add(.link("Contents/\(number)", to: number == 39 ? "cover.txt" : "\(number + 1)"))
      }
    },
    .init("fullwidth letters, which are other letters") {
      $0.add(.file("Contents/ａ", "x"))
      $0.add(.file("Contents/a", "x"))
      $0.add(.file("Contents/Ａb", "x"))
    },
    .init("dotless i, which only the Turkic languages fold") {
      $0.add(.file("Contents/ı", "x"))
      $0.add(.file("Contents/i", "x"))
    },
    .init("META-INF, as stores add it") { $0.add(.file("META-INF/com.apple.ZipMetadata.plist", "x")) },
    .init("a directory whose order differs from that of the file") { $0.directoryOrder = [3, 1, 0, 2] },
    .init("a manifest at the end") { $0.entries.append($0.entries.removeFirst()) },
    .init("times and owners") { $0[Name.stored].extra = [.time, .owner] },
    .init("a Unicode path that repeats the name") {
      $0[Name.stored].extra = [.unicodePath($0[Name.stored].name, for: $0[Name.stored].name)]
    },
    .init("ten million zeros, compressed to a tenth of a percent") {
      $0.add(.zeros("Contents/zeros", count: 10_000_000))
    },
  ]

  @Test(arguments: accepted)
  func `an unusual but valid package is accepted`(_ package: HostilePackage) throws {
    try package.checkAcceptance()
  }

  @Test(
    arguments: [
      "-rf", "--help", "~", "~root", "$HOME", "${x}", "%2e%2e", "%s%n", "*", "?", "...", "....", "..a", "a:b",
      "CON", "nul", "`id`", "$(id)", ";ls", "|", "&", "<x>", "'", "\"", "a b", ".hidden", "日本語", "한글", "❤️",
    ])
  func `an odd name is accepted`(_ name: String) throws {
    try HostilePackage("'\(name)'") { $0.add(.file("Contents/\(name)", "x")) }.checkAcceptance()
  }

  static let tolerated: [HostilePackage] = [
    .init("a UTF-8 name without its flag", .archiveUnflaggedName) {
      $0.add(.file("Contents/é", "x"))
      $0["Contents/é"].flags = 0
    },
    .init("a short archive comment", .archiveComment) { $0.end.comment = Array("made by hand".utf8) },
    .init("a comment of an entry", .archiveComment) { $0[Name.stored].central.comment = Array("why".utf8) },
    .init("executable permissions", .fileExecutablePermission) { $0[Name.stored].mode = 0o100755 },
    .init("executable permissions of host Darwin", .fileExecutablePermission) {
      $0[Name.stored].mode = 0o100711
      $0[Name.stored].host = 19
    },
    .init("unreadable permissions", .fileOddPermission) { $0[Name.stored].mode = 0o100000 },
    .init("a sticky file", .fileOddPermission) { $0[Name.stored].mode = 0o101644 },
    .init("a folder without execute permission", .fileOddPermission) { $0[Name.folder].mode = 0o040644 },
    .init("a sticky folder", .fileOddPermission) { $0[Name.folder].mode = 0o041777 },
    .init("a bidirectional control", .pathConfusing) { $0.add(.file("Contents/a\u{202E}gpj.txt", "x")) },
    .init("a bidirectional isolate", .pathConfusing) { $0.add(.file("Contents/a\u{2066}b", "x")) },
    .init("a zero-width space", .pathConfusing) { $0.add(.file("Contents/a\u{200B}b", "x")) },
    .init("a byte order mark", .pathConfusing) { $0.add(.file("Contents/\u{FEFF}a", "x")) },
    .init("an unassigned character", .pathConfusing) { $0.add(.file("Contents/a\u{378}", "x")) },
    .init("a leading space", .pathConfusing) { $0.add(.file("Contents/ a", "x")) },
    .init("a trailing space", .pathConfusing) { $0.add(.file("Contents/a ", "x")) },
    .init("a trailing dot", .pathConfusing) { $0.add(.file("Contents/a.", "x")) },
    .init("a folder with a trailing space and three files", .pathConfusing) {
      for name in ["a", "b", "c"] { $0.add(.file("Contents/folder /\(name)", "x")) }
    },
    .init("__MACOSX at the root", .fileJunk) {
      $0.add(.folder("__MACOSX/"))
      $0.add(.file("__MACOSX/Contents/._cover.txt", "x"))
    },
    .init("a companion file", .fileJunk) { $0.add(.file("Contents/._cover.txt", "x")) },
    .init("Finder settings", .fileJunk) { $0.add(.file("Contents/.DS_Store", "x")) },
    .init("Finder settings at the root", .fileJunk) { $0.add(.file(".DS_Store", "x")) },
    .init("a dangling link", .linkDangling) { $0.add(.link("Contents/link", to: "nothing")) },
    .init("a link to a file with a slash", .linkDangling) {
      $0.add(.link("Contents/link", to: "cover.txt/"))
    },
    .init("a link through a link to a file", .linkDangling) {
      $0.add(.link("Contents/file", to: "cover.txt"))
      $0.add(.link("Contents/link", to: "file/../cover.txt"))
    },
    .init("an empty Contents", .packageContentsEmpty) {
      $0.entries.removeLast(3)
      $0.add(.folder("Contents/"))
    },
  ]

  @Test(arguments: tolerated)
  func `a package with one warning is accepted with exactly that warning`(_ package: HostilePackage) throws {
    try package.checkAcceptance()
  }
}
