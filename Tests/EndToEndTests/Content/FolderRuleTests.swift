import ContentPackage
import Foundation
import PackageForge
import TestSupport
import Testing

/// Every rule that a content folder can break, as `validate` reports it and `create` enforces it.
@Suite(.waiting) struct FolderRuleTests {
  /// A folder with one finding, and all the rules that it breaks.
  struct Case: CustomTestStringConvertible, Sendable {
    let rules: [String]
    /// Whether `create` still builds the package.
    let isPacked: Bool
    let spoil: @Sendable (Workspace) throws -> Void
    var testDescription: String { rules.joined(separator: ", ") }

    init(
      _ rules: String..., isPacked: Bool = false, spoil: @escaping @Sendable (Workspace) throws -> Void
    ) {
      self.rules = rules
      self.isPacked = isPacked
      self.spoil = spoil
    }
  }

  private static let layouts = [
    Case("package/root-item") { try $0.write("x", to: "Book/README.txt") },
    Case("package/contents-missing") { try $0.remove("Book/Contents") },
    Case("path/file-and-folder") {
      try $0.remove("Book/Contents")
      try $0.write("x", to: "Book/Contents")
    },
    Case("package/contents-empty", isPacked: true) {
      try $0.remove("Book/Contents")
      try $0.makeFolder("Book/Contents/empty")
    },
  ]

  private static let manifests = [
    Case("manifest/missing") { try $0.remove("Book/ContentInfo.plist") },
    Case("manifest/not-a-file") {
      try $0.remove("Book/ContentInfo.plist")
      try $0.makeFolder("Book/ContentInfo.plist")
    },
    Case("manifest/unreadable") { try $0.write("nonsense", to: "Book/ContentInfo.plist") },
    Case("manifest/unreadable") { try $0.makeSparseFile("Book/ContentInfo.plist", bytes: 1_048_577) },
    Case("manifest/unsafe-xml") {
      let manifest = ForgedArchive.manifest("&id;", "1.0")
      let declaration = "<!DOCTYPE plist [<!ENTITY id \"a\">]>"
      let lines = manifest.split(separator: "\n").map { $0.hasPrefix("<!DOCTYPE") ? declaration : String($0) }
      try $0.write(lines.joined(separator: "\n"), to: "Book/ContentInfo.plist")
    },
    Case("manifest/duplicate-key") {
      try $0.writeManifest(["ContentVersion": "<string>1</string>"], twice: true)
    },
    Case("manifest/missing-key") { try $0.writeManifest(["ContentVersion": "<string>1</string>"]) },
    Case("manifest/wrong-type") {
      let identifier = "<string>a</string>"
      try $0.writeManifest(["ContentVersion": "<real>1.0</real>", "IAPProductIdentifier": identifier])
    },
    Case("manifest/product-identifier") {
      try $0.write(ForgedArchive.manifest("../a", "1.0"), to: "Book/ContentInfo.plist")
    },
    Case("manifest/content-version") {
      try $0.write(ForgedArchive.manifest("a", "1.0-beta"), to: "Book/ContentInfo.plist")
    },
    Case("manifest/leading-zero", isPacked: true) {
      try $0.write(ForgedArchive.manifest("a", "1.01"), to: "Book/ContentInfo.plist")
    },
    Case("manifest/misspelled-key", "manifest/missing-key") {
      let identifier = "<string>a</string>"
      try $0.writeManifest(["ContentVersion": "<string>1</string>", "IAPProductionIdentifier": identifier])
    },
    Case("manifest/binary", isPacked: true) {
      let keys = ["ContentVersion": "1", "IAPProductIdentifier": "a"]
      let bytes = try PropertyListSerialization.data(fromPropertyList: keys, format: .binary, options: 0)
      try $0.write([UInt8](bytes), to: "Book/ContentInfo.plist")
    },
  ]

  private static let names = [
    Case("path/characters") { try $0.write("x", to: "Book/Contents/new\nline") },
    Case("path/characters") { try $0.write("x", to: "Book/Contents/back\\slash") },
    Case("path/encoding") { work in
      let script = "printf x > \"$(printf 'Book/Contents/\\377')\""
      try work.run(["/bin/sh", "-c", script]).exits(0)
    },
    Case("path/collision") {
      try $0.write("x", to: "Book/Contents/Straße")
      try $0.write("x", to: "Book/Contents/STRASSE")
    },
    Case("path/too-long") {
      try $0.write("x", to: "Book/Contents/" + String(repeating: "d/", count: 63) + "x")
    },
    Case("path/confusing", isPacked: true) { try $0.write("x", to: "Book/Contents/trailing dot.") },
  ]

  private static let links = [
    Case("link/absolute") { try $0.makeLink("Book/Contents/link", to: "/etc/passwd") },
    Case("link/escapes") { try $0.makeLink("Book/Contents/link", to: "../ContentInfo.plist") },
    Case("link/escapes", "link/escapes") {
      try $0.makeLink("Book/Contents/pages/up", to: "../..")
      try $0.makeLink("Book/Contents/via", to: "pages/up/x")
    },
    Case("link/loop", "link/loop") {
      try $0.makeLink("Book/Contents/a", to: "b")
      try $0.makeLink("Book/Contents/b", to: "a")
    },
    Case("link/target") { try $0.makeLink("Book/Contents/link", to: "a\\b") },
    Case("link/dangling", isPacked: true) { try $0.makeLink("Book/Contents/link", to: "nowhere") },
    Case("link/forbidden-place") {
      try $0.remove("Book/Contents")
      try $0.makeLink("Book/Contents", to: "elsewhere")
    },
  ]

  private static let files = [
    Case("file/executable-code") { try $0.write(Samples.elf, to: "Book/Contents/picture.png") },
    Case("file/executable-code", "file/executable-permission") {
      try $0.write("#!/bin/sh\nrm -rf /\n", to: "Book/Contents/notes.txt", permissions: 0o755)
    },
    Case("file/script", isPacked: true) {
      try $0.write("#!/bin/sh\nrm -rf /\n", to: "Book/Contents/notes.txt")
    },
    Case("file/executable-bundle") { try $0.write("x", to: "Book/Contents/Game.app/Contents/MacOS/Game") },
    Case("file/executable-bundle") {
      try $0.write(Samples.infoPlist, to: "Book/Contents/Game.app/Info.plist")
    },
    Case("file/executable-bundle", "file/executable-code") {
      try $0.write(Samples.elf, to: "Book/Contents/org.foo.framework/foo")
    },
    Case("file/executable-bundle") {
      try $0.write(Samples.infoPlist, to: "Book/Contents/Any/Contents/Info.plist")
      try $0.write("x", to: "Book/Contents/Any/Contents/MacOS/Game")
    },
    Case("file/executable-bundle") { try $0.write("x", to: "Book/Contents/Any/Contents/MacOS/Game") },
    Case("file/executable-bundle") { try $0.write(Samples.infoPlist, to: "Book/Contents/Any/Info.plist") },
    Case("file/executable-bundle") { try $0.write(Samples.infoPlist, to: "Book/Contents/Info.plist") },
    Case(isPacked: true) {
      try $0.write(
        "<plist version=\"1.0\"><dict><key>Level</key><integer>1</integer></dict></plist>",
        to: "Book/Contents/Any/Info.plist")
      try $0.write(
        Samples.infoPlist.replacingOccurrences(of: "Game", with: "$(EXECUTABLE_NAME)"),
        to: "Book/Contents/Sources/Info.plist")
      try $0.write("x", to: "Book/Contents/Any/MacOS/x")
    },
    Case("file/possible-code", isPacked: true) { try $0.write("x", to: "Book/Contents/level.bundle") },
    Case("file/possible-code", isPacked: true) {
      try $0.write("x", to: "Book/Contents/com.example.app/Info.plist")
    },
    Case("file/possible-code", isPacked: true) { try $0.write("x", to: "Book/Contents/attack.command") },
    Case("file/secret", isPacked: true) { try $0.write("A=1", to: "Book/Contents/.env") },
    Case("file/nested-executable") {
      try $0.write(ForgedArchive([.file("lib/a", Samples.elf)]), to: "Book/Contents/book.epub")
    },
    Case("file/nested-executable") { try $0.write(Samples.pictureWithClass, to: "Book/Contents/cover.png") },
    Case("file/nested-executable") { try $0.write(Samples.compressedELF, to: "Book/Contents/data.gz") },
    Case("file/nested-archive", isPacked: true) {
      try $0.write([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], to: "Book/Contents/more.7z")
    },
    Case("file/script", isPacked: true) { try $0.write("alert(1)", to: "Book/Contents/main.js") },
    Case("file/script", isPacked: true) {
      try $0.write("let x: number = 1\n", to: "Book/Contents/main.mts")
      try $0.write(Array("MTSM".utf8) + [0, 4, 0, 1, 0, 2, 0, 3], to: "Book/Contents/tree.mts")
    },
    Case("file/script", isPacked: true) {
      try $0.write(
        ForgedArchive([.file("a.ts", "let x = 1\n"), .file("b.ts", [0x47, 0x40, 0, 0x10])]),
        to: "Book/Contents/data.zip")
    },
    Case("file/possible-code", isPacked: true) { try $0.write("MZ", to: "Book/Contents/data") },
    Case("file/special") { try $0.run(["mkfifo", "Book/Contents/fifo"]).exits(0) },
    Case("file/set-id") { try $0.write("x", to: "Book/Contents/x", permissions: 0o4644) },
    Case("file/executable-permission", isPacked: true) {
      try $0.write("x", to: "Book/Contents/x", permissions: 0o755)
    },
    Case("file/odd-permission", isPacked: true) {
      try $0.write("x", to: "Book/Contents/x", permissions: 0o1644)
    },
    Case("file/junk", isPacked: true) { try $0.write("x", to: "Book/Contents/.DS_Store") },
    Case("file/junk", isPacked: true) { try $0.write("x", to: "Book/Contents/Icon\r") },
  ]

  @Test(arguments: layouts + manifests + names + links + files)
  func `validate and create report the same findings, and create refuses errors`(_ finding: Case) throws {
    let work = try Workspace()
    try work.makeBook()
    try finding.spoil(work)
    #expect(try work.rules(in: "Book").sorted() == finding.rules.sorted())
    let builder = PackageBuilder(context: WorkContext(jobs: 1))
    let review = try builder.review(.open(work.place("Book")))
    #expect(review.findings.areAcceptable == finding.isPacked)
    let found = Set(review.findings.map(\.rule.rawValue))
    for rule in finding.rules where rule != "package/contents-empty" || !finding.isPacked {
      #expect(found.contains(rule), "\(review.findings)")
    }
    if finding.isPacked { try builder.write(review, to: work.place("Book.pkg")) }
  }
}

/// File headers of programs.
enum Samples {
  /// The header of a 64-bit executable for x86-64 (System V ABI, chapter 4).
  static let elf: [UInt8] =
    [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9) + [2, 0, 62, 0]
    + [UInt8](repeating: 0, count: 44)

  /// An image, represented by its first bytes, followed by an archive with a Java class.
  static let pictureWithClass: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 9, count: 5000)
    + ForgedArchive([.file("Main", [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61])]).bytes()

  /// `elf`, compressed with gzip.
  static let compressedELF: [UInt8] = [
    0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0xAB, 0x77, 0xF5, 0x71, 0x63, 0x62, 0x64, 0x64, 0x80, 0x01,
    0x26,
    0x06, 0x3B, 0x06, 0x52, 0, 0, 0x93, 0x0B, 0xA1, 0x57, 0x40, 0, 0, 0,
  ]

  /// An `Info.plist` that names the executable `Game`.
  static let infoPlist =
    "<plist version=\"1.0\"><dict><key>CFBundleExecutable</key><string>Game</string></dict></plist>"
}

extension Workspace {
  /// Writes a manifest with these keys, whose values are XML.
  fileprivate func writeManifest(_ keys: [String: String], twice: Bool = false) throws {
    let text = keys.sorted(by: <).map { "<key>\($0.key)</key>\($0.value)" }.joined()
    try write(
      "<plist version=\"1.0\"><dict>\(text)\(twice ? text : "")</dict></plist>", to: "Book/ContentInfo.plist")
  }
}
