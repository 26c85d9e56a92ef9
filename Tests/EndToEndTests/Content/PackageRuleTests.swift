import ContentPackage
import PackageForge
import Testing
import ZipArchive

/// Rules that `validate` applies to a package with a sound container.
@Suite(.waiting) struct PackageRuleTests {
  /// A package with one finding, and all the rules that it breaks.
  struct Case: CustomTestStringConvertible, Sendable {
    let rules: [String]
    let spoil: @Sendable (inout ForgedArchive) -> Void
    var testDescription: String { rules.joined(separator: ", ") }

    init(_ rules: String..., spoil: @escaping @Sendable (inout ForgedArchive) -> Void) {
      self.rules = rules
      self.spoil = spoil
    }

    /// Adds these entries to cause the finding.
    init(_ rules: String..., with entries: ForgedEntry...) {
      self.rules = rules
      spoil = { archive in archive.entries += entries }
    }

    /// Replaces the manifest to cause the finding.
    init(_ rules: String..., manifest: String) {
      self.rules = rules
      spoil = { $0["ContentInfo.plist"] = .file("ContentInfo.plist", manifest) }
    }
  }

  private static let layouts = [
    Case("package/root-item", with: .file("README.txt", "x")),
    Case("package/contents-missing") { $0.entries.removeLast(3) },
    Case("package/contents-empty") { archive in
      archive.entries.removeLast(3)
      archive.add(.folder("Contents/"))
    },
    Case("manifest/missing") { $0.entries.removeFirst() },
    Case("manifest/not-a-file") { $0["ContentInfo.plist"] = .folder("ContentInfo.plist/") },
    Case("manifest/unreadable", manifest: "nonsense"),
    Case(
      "manifest/unsafe-xml",
      manifest: "<!DOCTYPE plist [<!ENTITY a SYSTEM \"/etc/passwd\">]><plist><dict/></plist>"),
    Case("manifest/missing-key", "manifest/missing-key", manifest: "<plist><dict/></plist>"),
    Case("manifest/wrong-type", manifest: "<plist><array/></plist>"),
    Case("manifest/product-identifier", manifest: ForgedArchive.manifest(".hidden", "1.0")),
    Case("manifest/content-version", manifest: ForgedArchive.manifest("a", "")),
    Case("manifest/leading-zero", manifest: ForgedArchive.manifest("a", "1.00")),
  ]

  private static let paths = [
    Case("path/traversal", with: .file("Contents/./x", "x")),
    Case("path/traversal", with: .file("Contents/../Contents/x", "x")),
    Case("path/empty", with: .file("Contents//x", "x")),
    Case("path/characters", with: .file("Contents/a\u{1}b", "x")),
    Case("path/characters", with: .file("Contents/a\\b", "x")),
    Case("path/duplicate", with: .file("Contents/cover.txt", "x")),
    Case("path/collision", with: .file("Contents/COVER.TXT", "x")),
    Case("path/collision", with: .file("Contents/é", "x"), .file("Contents/e\u{301}", "x")),
    Case("path/file-and-folder", with: .file("Contents/cover.txt/x", "x")),
    Case("path/too-long", with: .file("Contents/" + String(repeating: "x", count: 256), "x")),
    Case("path/confusing", with: .file("Contents/gpj.\u{202E}x", "x")),
    Case("path/confusing", with: .file("Contents/zero\u{200B}width", "x")),
  ]

  private static let links = [
    Case("link/absolute", with: .link("Contents/link", to: "/etc/passwd")),
    Case("link/escapes", with: .link("Contents/link", to: "..")),
    Case("link/loop", with: .link("Contents/link", to: "link")),
    Case("link/target", with: .link("Contents/link", to: "")),
    Case("link/target", with: .link("Contents/link", to: String(repeating: "x", count: 1024))),
    Case("link/dangling", with: .link("Contents/link", to: "nowhere")),
    Case("link/through-link", with: .link("Contents/link", to: "pages"), .file("Contents/link/x", "x")),
    Case("link/forbidden-place") {
      $0["ContentInfo.plist"] = .link("ContentInfo.plist", to: "Contents/cover.txt")
    },
  ]

  private static let files = [
    Case("file/executable-code", with: .file("Contents/x", Samples.elf, method: .deflated)),
    Case(
      "file/executable-bundle", with: .file("Contents/A.app/Contents/MacOS/A", "x"),
      .file("Contents/A.app/Contents/MacOS/B", "x")),
    Case(
      "file/executable-bundle",
      with: .file("Contents/A.framework/Info.plist", Samples.infoPlist, method: .deflated)),
    Case(
      "file/nested-executable",
      with: .file("Contents/x.zip", ForgedArchive([.file("a", Samples.elf)]).bytes(), method: .deflated)),
    Case("file/secret", with: .file("Contents/id_rsa", "x")),
    Case(
      "file/nested-executable", with: .file("Contents/x.png", Samples.pictureWithClass, method: .deflated)),
    Case("file/nested-executable", with: .file("Contents/x.png", Samples.pictureWithClass)),
    Case("file/nested-executable", with: .file("Contents/x.gz", Samples.compressedELF, method: .deflated)),
    Case("file/nested-archive", with: .file("Contents/x.zip", [0x50, 0x4B, 3, 4, 9, 9])),
    Case("file/script", with: .file("Contents/x.py", "x")),
    Case("file/possible-code", with: .file("Contents/x", "MZ")),
    Case("file/special", with: ForgedEntry("Contents/x", [], mode: 0o010644)),
    Case("file/set-id", with: .file("Contents/x", "x", permissions: 0o2644)),
    Case("file/executable-permission", with: .file("Contents/x", "x", permissions: 0o755)),
    Case("file/odd-permission", with: .file("Contents/x", "x", permissions: 0o044)),
    Case("file/junk", with: .file("Contents/.DS_Store", "x")),
  ]

  @Test(arguments: layouts + paths + links + files)
  func `a broken rule is reported`(_ finding: Case) throws {
    let work = try Workspace()
    var archive = ForgedArchive.book()
    finding.spoil(&archive)
    try work.write(archive, to: "Book.pkg")
    let findings = try work.findings(in: "Book.pkg")
    #expect(findings.map(\.rule.rawValue).sorted() == finding.rules.sorted(), "\(findings)")
  }

  @Test func `a package without its extension is reported`() throws {
    let work = try Workspace()
    try work.write(ForgedArchive.book(), to: "Book.zip")
    try work.write(ForgedArchive.book(), to: "Book.PKG")
    #expect(try work.rules(in: "Book.zip") == ["package/extension"])
    #expect(try work.rules(in: "Book.PKG") == ["package/extension"])
  }

  @Test func `a package zipped one folder too deep is reported by name`() throws {
    let work = try Workspace()
    var archive = ForgedArchive()
    for entry in ForgedArchive.book().entries {
      var moved = entry
      moved.name = Array("My Book/".utf8) + entry.name
      archive.add(moved)
    }
    for number in 0..<100 { archive.add(.file("My Book/Contents/\(number)", "x")) }
    archive.add(.file("__MACOSX/._My Book", "x"))
    try work.write(archive, to: "Book.pkg")
    let findings = try work.findings(in: "Book.pkg").filter { $0.severity == .error }
    #expect(findings.map(\.rule) == [.packageRootItem])
    #expect(findings.first?.path?.escaped == "My Book")
    #expect(findings.first?.remedy == "pack the items of 'My Book' instead of the folder itself")
  }

  @Test func `a declared size over the limit is refused before anything is decoded`() throws {
    let work = try Workspace()
    var archive = ForgedArchive.book()
    archive["Contents/cover.txt"].size = 2_200_000_000
    archive["Contents/cover.txt"].local.size = 0
    try work.write(archive, to: "Book.pkg")
    #expect(try work.rules(in: "Book.pkg").contains("size/over-limit"))
    try work.iapkg("extract", "Book.pkg").fails(1, saying: "[size/over-limit]")
    #expect(try work.names() == ["Book.pkg"])
  }
}
