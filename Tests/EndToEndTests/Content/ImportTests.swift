import Foundation
import PackageForge
import TestSupport
import Testing

/// `import`: an installer package made by Xcode becomes a package or a content folder.
struct ImportTests {
  /// Builds an installer package like Xcode's, with bsdtar and cpio.
  private func makeInstaller(
    _ name: String, of folder: String = "Book", through filter: String = "gzip", format: String = "odc",
    _ options: String = "", in work: Workspace
  ) throws {
    try work.write("<installer-gui-script/>", to: "x/Distribution")
    try work.write("<pkg-info/>", to: "x/Book.pkg/PackageInfo")
    try work.write("a list", to: "x/Book.pkg/Bom")
    let script = """
      (cd \(folder) && find . | cpio -o --format=\(format) --quiet | \(filter)) > x/Book.pkg/Payload &&
      cd x && bsdtar --format xar \(options) -cf ../\(name) Distribution Book.pkg
      """
    let made = try work.run(["sh", "-c", script])
    #expect(made.code == 0, "\(made)")
    try work.remove("x")
  }

  private static let canMake = Machine.has("bsdtar") && Machine.has("cpio")

  @Test(
    .enabled(if: canMake, "bsdtar or cpio is not installed"),
    arguments: [
      "gzip", "cat", "xz", "bzip2", "zstd -q", "xz -9 --check=none --block-size=300",
      "xz --check=sha256 --x86 --lzma2",
    ])
  func `an installer package becomes the package that create makes`(_ filter: String) throws {
    guard let program = filter.split(separator: " ").first, Machine.has(String(program)) else { return }
    let work = try Workspace()
    try work.makeBook()
    try makeInstaller("Old.pkg", through: filter, in: work)
    let outcome = try work.iapkg("import", "Old.pkg").exits(0, saying: "note: omitted: ")
    #expect(outcome.errors.contains("Book.pkg/Bom") && outcome.errors.contains("Distribution"))
    try work.iapkg("create", "Book", "-o", "made.pkg").succeeds()
    #expect(try work.bytes("com.example.book-1.0.pkg") == work.bytes("made.pkg"))
  }

  @Test(.enabled(if: canMake, "bsdtar or cpio is not installed"), arguments: ["newc", "crc"])
  func `a payload in a newer format of cpio is read too`(_ format: String) throws {
    let work = try Workspace()
    try work.makeBook()
    try makeInstaller("Old.pkg", format: format, in: work)
    try work.iapkg("import", "Old.pkg", "--folder", "New", "--quiet").succeeds()
    #expect(try work.snapshot("New") == work.snapshot("Book"))
  }

  @Test func `a killed import leaves only files that the next import removes`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeSparseFile("Book/Contents/large", bytes: 1_900_000_000)
    try work.makeFolder("made")
    let program = try work.start([BuiltProgram.path, "import", "Book", "--folder", "made/New"])
    try Waiting.until { try !work.names(in: "made").isEmpty }
    program.running.send(SIGKILL)
    _ = try program.outcome()
    #expect(try work.names(in: "made").allSatisfy { $0.hasPrefix(".New.iapkg-") })
    try work.remove("Book/Contents/large")
    try work.iapkg("import", "Book", "--folder", "made/New", "--quiet").succeeds()
    #expect(try work.names(in: "made") == ["New"])
  }

  @Test(.enabled(if: canMake, "bsdtar or cpio is not installed"))
  func `an installer package becomes a content folder`() throws {
    let work = try Workspace()
    try work.makeBook()
    try makeInstaller("Old.pkg", through: "gzip", "--options compression=none", in: work)
    try work.iapkg("import", "Old.pkg", "--folder", "New", "--quiet").succeeds()
    #expect(try work.snapshot("New") == work.snapshot("Book"))
    let before = try work.snapshot()
    try work.iapkg("import", "Old.pkg", "--folder", "New").fails(73, saying: "the folder is not empty")
    try work.iapkg("import", "Old.pkg", "--folder", "New", "--force").exits(64)
    try work.iapkg("import", "Old.pkg", "--folder", "x", "-o", "y.pkg").exits(64)
    try work.iapkg("import", "Old.pkg", "--folder", "Old.pkg").fails(73)
    try work.iapkg("import", "Old.pkg", "--folder", "none/New").fails(73)
    try work.iapkg("import", "Old.pkg", "--folder", "Other", "--dry-run", "--quiet").succeeds()
    #expect(try work.snapshot() == before)
    try work.makeFolder("Empty")
    try work.iapkg("import", "Old.pkg", "--folder", "Empty", "--quiet").succeeds()
    #expect(try work.snapshot("Empty") == work.snapshot("Book"))
  }

  @Test func `a folder that StoreKit unpacked becomes a clean content folder`() throws {
    let work = try Workspace()
    try work.makeBook("cache/123.zip")
    try work.write("x", to: "cache/123.zip/META-INF/com.apple.ZipMetadata.plist")
    try work.write("x", to: "cache/123.zip/Contents/.DS_Store")
    try work.setPermissions(0o755, of: "cache/123.zip/ContentInfo.plist")
    let outcome = try work.iapkg("import", "cache/123.zip", "--folder=Clean", "--format=json").exits(0)
    #expect(try outcome.document()["dropped"] == .array(["META-INF", "Contents/.DS_Store"]))
    #expect(try work.names(in: "Clean") == ["ContentInfo.plist", "Contents"])
    #expect(!work.exists("Clean/Contents/.DS_Store"))
    try work.iapkg("validate", "--strict", "Clean").succeeds()
    try work.iapkg("import", "cache/123.zip", "-o", "cache/123.zip/a.pkg").fails(73)
    try work.iapkg("import", "cache/123.zip", "--folder", "cache/123.zip/a").fails(73)
  }

  @Test func `the content of a ZIP archive may be in a folder`() throws {
    let work = try Workspace()
    try work.makeBook("Book")
    #expect(try work.run(["zip", "-qrX", "Book.zip", "Book"]).code == 0)
    try work.iapkg("import", "Book.zip").exits(0, saying: "moved the content out of the folder Book")
    try work.iapkg("create", "Book", "-o", "made.pkg").succeeds()
    #expect(try work.bytes("com.example.book-1.0.pkg") == work.bytes("made.pkg"))
    try work.write("no archive", to: "text.pkg")
    try work.iapkg("import", "text.pkg").fails(65)
    try work.iapkg("import", "none.pkg").fails(66)
  }

  @Test func `an interrupted import leaves nothing behind`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeSparseFile("Book/Contents/large", bytes: 1_900_000_000)
    try work.makeFolder("made")
    let program = try work.start([BuiltProgram.path, "import", "Book", "--folder", "made/New"])
    try Waiting.until { try !work.names(in: "made").isEmpty }
    program.running.send(SIGTERM)
    try program.outcome().exits(-SIGTERM)
    #expect(try work.names(in: "made").isEmpty)
  }

  @Test func `a refused payload leaves nothing behind`() throws {
    let work = try Workspace()
    let payload = ForgedPayload.book(
      adding: .file("../../out.txt", "x"), .link("./Contents/out", to: "../../.."),
      .file("./Contents/out/file", "x"))
    try work.write(ForgedInstaller(payload).bytes(), to: "in/Old.pkg")
    let before = try work.snapshot()
    try work.iapkg("import", "in/Old.pkg", "--folder", "in/New").fails(
      1, saying: "[path/traversal]", "[link/escapes]")
    try work.iapkg("import", "in/Old.pkg", "-o", "in/New.pkg").fails(1, saying: "[path/traversal]")
    try work.write(Array("xar!".utf8), to: "in/cut.pkg")
    try work.iapkg("import", "in/cut.pkg", "-o", "in/New.pkg").fails(65, saying: "its header is truncated")
    try work.remove("in/cut.pkg")
    #expect(try work.snapshot() == before)
  }

  @Test(arguments: [
    ["info", "Old.pkg"], ["bump", "Old.pkg"], ["bump", "Old"], ["diff", "Old.pkg", "good.pkg"],
    ["diff", "good.pkg", "Old.pkg"], ["extract", "Old.pkg"], ["publish", "Old.pkg", "--to", "store"],
    ["create", "Old.pkg"], ["create", "Book", "--against", "Old.pkg"],
    ["validate", "good.pkg", "--against", "Old.pkg", "--quiet"],
  ]) func `every other command refuses an installer package in one line`(_ words: [String]) throws {
    let work = try Workspace()
    try work.makeBook()
    try work.iapkg("create", "Book", "-o", "good.pkg").succeeds()
    let installer = ForgedInstaller(.book()).bytes()
    try work.write(installer, to: "Old.pkg")
    try work.write(installer, to: "Old")
    let outcome = try work.iapkg(words).exits(
      65, saying: "is an installer package made by Xcode", "iapkg import")
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
  }

  @Test func `validate reports an installer package as a finding`() throws {
    let work = try Workspace()
    try work.write(ForgedInstaller(.book()).bytes(), to: "Old.pkg")
    let outcome = try work.iapkg("validate", "Old.pkg", "--format=json").exits(1)
    let findings = try outcome.document()["packages"]?[0]?["findings"]
    #expect(findings?[0]?["rule"] == "archive/not-a-zip")
    #expect(findings?[0]?["remedy"] == "convert it with iapkg import")
    #expect(findings?.elements.count == 1)
  }

  @Test func `junk in a ZIP archive is left out, and not counted`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.iapkg("create", "Book", "-o", "made.pkg").succeeds()
    let made = try work.iapkg("info", "made.pkg", "--format=json").document()
    let junk = [
      "Contents/.DS_Store", "Contents/._cover.txt", "Contents/.git/config", "Contents/pages/draft~",
      "__MACOSX/._Contents",
    ]
    let archive = ForgedArchive(
      [
        .file("ContentInfo.plist", ForgedArchive.manifest("com.example.book", "1.0")), .folder("Contents/"),
        .file("Contents/cover.txt", "a cover"), .folder("Contents/pages/"),
        .file("Contents/pages/one.txt", "page one"),
      ] + junk.map { .file($0, "a secret") })
    for (number, name) in ["x.zip", "Old.pkg"].enumerated() {
      try work.write(archive, to: name)
      let document = try work.iapkg("import", name, "-o", "\(number).pkg", "--format=json").exits(0)
        .document()
      #expect(
        document["dropped"]
          == .array([
            "Contents/.DS_Store", "Contents/._cover.txt", "Contents/.git", "Contents/pages/draft~",
            "__MACOSX",
          ]))
      #expect(document["entries"] == made["entries"] && document["contentBytes"] == made["contentBytes"])
      #expect(try work.bytes("\(number).pkg") == work.bytes("made.pkg"))
      try work.iapkg("import", name, "--folder", "New\(number)").exits(0)
      #expect(try work.snapshot("New\(number)") == work.snapshot("Book"))
    }
  }

  @Test func `the settings of the source choose the compression`() throws {
    let work = try Workspace()
    try work.makeBook("cache/Book")
    try work.write(String(repeating: "x", count: 10_000), to: "cache/Book/Contents/long.txt")
    try work.iapkg("import", "cache/Book", "-o", "Deflated.pkg").exits(0)
    try work.write("compression:\n  \"long.*\": store\n", to: "cache/Book/.iapkg.yml")
    try work.iapkg("import", "cache/Book", "-o", "Stored.pkg").exits(0)
    try work.iapkg("create", "cache/Book", "-o", "made.pkg").succeeds()
    #expect(try work.bytes("Stored.pkg") == work.bytes("made.pkg"))
    #expect(try work.bytes("Stored.pkg").count > work.bytes("Deflated.pkg").count + 9_000)
    try work.remove("cache/Book/.iapkg.yml")
    try work.write("compression:\n  \"/Book/Contents/long.txt\": store\n", to: "cache/.iapkg.yml")
    try work.iapkg("import", "cache", "-o", "Inner.pkg").exits(0)
    #expect(try work.bytes("Inner.pkg") == work.bytes("made.pkg"))
  }

  @Test func `a folder around an Xcode project is refused with the name of the project`() throws {
    let work = try Workspace()
    try work.write("// !$*UTF8*$!", to: "Shop/Shop.xcodeproj/project.pbxproj")
    try work.iapkg("import", "Shop", "-o", "Shop.pkg").fails(65, saying: "iapkg import Shop/Shop.xcodeproj")
    try work.write("// !$*UTF8*$!", to: "Shop/Book.xcodeproj/project.pbxproj")
    try work.iapkg("import", "Shop", "-o", "Shop.pkg").fails(
      65, saying: "iapkg import Shop/Book.xcodeproj or Shop/Shop.xcodeproj")
  }
}
