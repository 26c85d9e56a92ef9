import Testing
import ZipArchive

@testable import ContentPackage

@Suite struct NameRecognizerTests {
  @Test(arguments: [
    ("Contents/Tool.app/Contents/MacOS/Tool", "Contents/Tool.app"), ("Contents/x.ipa", "Contents/x.ipa"),
    ("Contents/a.APPEX", "Contents/a.APPEX"), ("Contents/a.xpc", "Contents/a.xpc"),
    ("Contents/a.framework/b.dylib", "Contents/a.framework"), ("Contents/b.dylib", "Contents/b.dylib"),
    ("Contents/a.bundle/x.png", "Contents/a.bundle"), ("Contents/a.kext/x", "Contents/a.kext"),
    ("Contents/a.apk", "Contents/a.apk"), ("Contents/a.Jar", "Contents/a.Jar"),
    ("Contents/a.workflow/x", "Contents/a.workflow"),
    ("Contents/a.\u{212A}ext/x", "Contents/a.\u{212A}ext"),
  ])
  func `the name of a program, library or installer is a warning at its own path`(path: String, named: String)
  {
    let found = findings([path])
    #expect(found.map(\.rule) == [.filePossibleCode])
    #expect(found.map(\.path) == [EntryPath(named)])
  }

  @Test func `a bundle is one finding, for any contents`() {
    let found = findings([
      "Contents/A.app/x", "Contents/A.app/B.framework/b.js", "Contents/A.app/y.sh", "Contents/C.app/z",
    ])
    #expect(found.map(\.path) == [EntryPath("Contents/A.app"), EntryPath("Contents/C.app")])
  }

  @Test(arguments: [
    "a.js", "a.mjs", "a.py", "a.ps1", "a.bat", "a.CMD", "a.vbs", "a.sh", "a.rb", "a.pl", "a.php", "a.lua",
    "a.tsx", "a.gd", "a.cs", "a.kt",
    "a.applescript",
    "a.jsx",
  ])
  func `script source is recognized by its name`(name: String) {
    #expect(findings(["Contents/\(name)"]).map(\.rule) == [.fileScript])
  }

  @Test(
    arguments: [
      ("a.ts", Array("let x = 1\n".utf8), true), ("a.MTS", [], true), ("a.js", Array("x".utf8), false),
      // A schematic of Minetest begins with its signature and a version; a transport stream with a sync byte.
      ("a.mts", Array("MTSM".utf8) + [0, 4, 0, 1, 0, 2], false), ("a.ts", [0x47, 0x40, 0, 0x10], false),
      ("a.ts", Array("\u{E9}".utf8.dropLast()), false),
      ("a.ts", [0x20] + Array(String(repeating: "\u{E9}", count: 2048).utf8.dropLast()), true),
      ("A.app/a.ts", Array("x".utf8), false),
    ] as [(String, [UInt8], Bool)])
  func `a name that is also common for binary formats is source only if the bytes are text`(
    name: String, bytes: [UInt8], isSource: Bool
  ) {
    let found = NameRecognizer.source(EntryPath("Contents/\(name)"), bytes)
    #expect((found?.kind == .scriptSource) == isSource)
  }

  @Test(arguments: [
    "a.exe", "a.DLL", "liba.so", "a.plugin", "attack.command", "a.mobileconfig", "a.desktop", "a.reg",
    "a.url",
    "a.workflow", "a.terminal", "a.chm", "a.crx", "a.xpi", "a.jmod",
  ])
  func `a name of a code format is possible code`(name: String) {
    #expect(findings(["Contents/\(name)"]).map(\.rule) == [.filePossibleCode])
  }

  @Test(arguments: [
    (["Contents/.DS_Store"], ["Contents/.DS_Store"]),
    (["Contents/a/._b.png", "__MACOSX/Contents/._c"], ["Contents/a/._b.png", "__MACOSX"]),
    (["Contents/Thumbs.db", "Contents/thumbs.db"], ["Contents/Thumbs.db", "Contents/thumbs.db"]),
    (["Contents/Desktop.ini"], ["Contents/Desktop.ini"]),
    (["Contents/.git/hooks/a.sh", "Contents/.git/config"], ["Contents/.git"]),
    (["Contents/.svn/entries", "Contents/CVS/Root"], ["Contents/.svn", "Contents/CVS"]),
    (["Contents/._Tool.app"], ["Contents/._Tool.app"]),
    (["Contents/.hg/store", "Contents/.gitignore"], ["Contents/.hg", "Contents/.gitignore"]),
    (["Contents/.gitattributes", "Contents/a.txt~"], ["Contents/.gitattributes", "Contents/a.txt~"]),
    (["Contents/.a.txt.swp", "Contents/Icon\r"], ["Contents/.a.txt.swp", "Contents/Icon\r"]),
    (["Contents/__pycache__/a.cpython-311.pyc"], ["Contents/__pycache__"]),
  ])
  func `a file of a system or of version control is junk, with one finding for each folder`(
    paths: [String], expected: [String]
  ) {
    let found = findings(paths)
    #expect(found.allSatisfy { $0.rule == .fileJunk })
    #expect(found.map(\.path) == expected.map { EntryPath($0) })
    #expect(paths.allSatisfy { NameRecognizer.isJunk(EntryPath($0), isFolder: false) })
  }

  @Test func `junk hides no bundle`() {
    let found = findings(["__MACOSX/Tool.app/x"])
    #expect(found.map(\.rule) == [.fileJunk, .filePossibleCode])
  }

  @Test(arguments: [
    "a.html", "a.ts", "a.mts", "a.json", "a.obj", "app", ".app", "a.app.png", "a.ＡＰＰ", "cvs",
    "a.git",
    "thumbs", "a.", "js", ".js", "a.b/c.d", "\u{FF}.png", "core/x", "node_modules/x", "~",
    "a.swp", ".swp",
    "a~b", "Icon", "Icon\r\n", "a~/b", "hg",
  ])
  func `an ordinary name is not recognized`(name: String) {
    #expect(findings(["Contents/\(name)"]) == [])
    #expect(!NameRecognizer.isJunk(EntryPath("Contents/\(name)"), isFolder: false))
  }

  @Test func `a folder is never a script or a backup, but its name may be that of a bundle`() {
    let paths = ["jquery.js", "a.app", "backup~", "Icon\r", ".a.swp"].map {
      (EntryPath("Contents/\($0)"), true)
    }
    #expect(NameRecognizer.findings(for: paths).map(\.path) == [EntryPath("Contents/a.app")])
  }

  private func findings(_ paths: [String]) -> [Finding] {
    NameRecognizer.findings(for: paths.map { (EntryPath($0), false) })
  }
}
