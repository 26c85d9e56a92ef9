import Testing
import ZipArchive

@testable import ContentPackage

@Suite struct NameRecognizerTests {
  @Test(
    "a program, library or installer is recognised at the place that its name marks",
    arguments: [
      ("Contents/Tool.app/Contents/MacOS/Tool", "Contents/Tool.app"), ("Contents/x.ipa", "Contents/x.ipa"),
      ("Contents/a.APPEX", "Contents/a.APPEX"), ("Contents/a.xpc", "Contents/a.xpc"),
      ("Contents/a.framework/b.dylib", "Contents/a.framework"), ("Contents/b.dylib", "Contents/b.dylib"),
      ("Contents/a.bundle/x.png", "Contents/a.bundle"), ("Contents/a.kext/x", "Contents/a.kext"),
      ("Contents/a.apk", "Contents/a.apk"), ("Contents/a.Jar", "Contents/a.Jar"),
      ("Contents/a.command", "Contents/a.command"), ("Contents/a.\u{212A}ext/x", "Contents/a.\u{212A}ext"),
    ])
  func bundle(path: String, place: String) {
    let found = findings([path])
    #expect(found.map(\.rule) == [.fileExecutableBundle])
    #expect(found.map(\.path) == [EntryPath(place)])
  }

  @Test func `a bundle is one finding, whatever it holds`() {
    let found = findings([
      "Contents/A.app/x", "Contents/A.app/B.framework/b.js", "Contents/A.app/y.sh", "Contents/C.app/z",
    ])
    #expect(found.map(\.path) == [EntryPath("Contents/A.app"), EntryPath("Contents/C.app")])
  }

  @Test(
    "a script's source is recognised by its name",
    arguments: [
      "a.js", "a.mjs", "a.py", "a.ps1", "a.bat", "a.CMD", "a.vbs", "a.sh", "a.rb", "a.pl", "a.php",
      "a.applescript",
      "a.jsx",
    ])
  func script(name: String) {
    #expect(findings(["Contents/\(name)"]).map(\.rule) == [.fileScript])
  }

  @Test(
    "a name that its bytes should confirm may be code", arguments: ["a.exe", "a.DLL", "liba.so", "a.plugin"])
  func possible(name: String) {
    #expect(findings(["Contents/\(name)"]).map(\.rule) == [.filePossibleCode])
  }

  @Test(
    "a file that a system or version control left is junk, once for each place",
    arguments: [
      (["Contents/.DS_Store"], ["Contents/.DS_Store"]),
      (["Contents/a/._b.png", "__MACOSX/Contents/._c"], ["Contents/a/._b.png", "__MACOSX"]),
      (["Contents/Thumbs.db", "Contents/thumbs.db"], ["Contents/Thumbs.db", "Contents/thumbs.db"]),
      (["Contents/Desktop.ini"], ["Contents/Desktop.ini"]),
      (["Contents/.git/hooks/a.sh", "Contents/.git/config"], ["Contents/.git"]),
      (["Contents/.svn/entries", "Contents/CVS/Root"], ["Contents/.svn", "Contents/CVS"]),
      (["Contents/._Tool.app"], ["Contents/._Tool.app"]),
    ])
  func junk(paths: [String], places: [String]) {
    let found = findings(paths)
    #expect(found.allSatisfy { $0.rule == .fileJunk })
    #expect(found.map(\.path) == places.map { EntryPath($0) })
    #expect(paths.allSatisfy { NameRecognizer.isJunk(EntryPath($0)) })
  }

  @Test func `junk hides no bundle`() {
    let found = findings(["__MACOSX/Tool.app/x"])
    #expect(found.map(\.rule) == [.fileJunk, .fileExecutableBundle])
  }

  @Test(
    "an ordinary name is not recognised",
    arguments: [
      "a.lua", "a.html", "a.json", "a.ts", "a.tsx", "a.obj", "app", ".app", "a.app.png", "a.ＡＰＰ", "cvs",
      "a.git",
      ".gitignore", "thumbs", "a.", "js", ".js", "pl.lua", "a.b/c.d", "\u{FF}.png",
    ])
  func ordinary(name: String) {
    #expect(findings(["Contents/\(name)"]) == [])
    #expect(!NameRecognizer.isJunk(EntryPath("Contents/\(name)")))
  }

  @Test func `a folder is no script, but what has a bundle's name is one`() {
    let paths = [(EntryPath("Contents/jquery.js"), true), (EntryPath("Contents/a.app"), true)]
    #expect(NameRecognizer.findings(for: paths).map(\.rule) == [.fileExecutableBundle])
  }

  private func findings(_ paths: [String]) -> [Finding] {
    NameRecognizer.findings(for: paths.map { (EntryPath($0), false) })
  }
}
