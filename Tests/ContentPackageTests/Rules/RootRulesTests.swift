import Testing
import ZipArchive

@testable import ContentPackage

struct RootRulesTests {
  /// Items with these paths. A trailing slash makes a folder.
  private func items(_ paths: String...) -> [ContentItem] {
    paths.enumerated().map { index, path in
      let isFolder = path.hasSuffix("/")
      return ContentItem(
        path: EntryPath(isFolder ? String(path.dropLast()) : path), kind: isFolder ? .folder : .file, size: 1,
        permissions: nil, index: index)
    }
  }

  private func rules(_ items: [ContentItem]) -> [Rule] { RootRules.findings(for: items).map(\.rule) }

  @Test func `manifest, content and META-INF are all that belongs there`() {
    #expect(rules(items("ContentInfo.plist", "Contents/a")) == [])
    #expect(rules(items("META-INF/", "META-INF/x", "Contents/a", "ContentInfo.plist")) == [])
    #expect(rules(items("ContentInfo.plist", "Contents/a", "Content/b")) == [.packageRootItem])
  }

  @Test func `a stranger is one finding, whatever it holds`() {
    let findings = RootRules.findings(
      for: items("ContentInfo.plist", "Contents/a", "more/", "more/a", "more/b/c"))
    #expect(findings.map(\.rule) == [.packageRootItem])
    #expect(findings.first?.path == EntryPath("more"))
  }

  @Test func `junk is no stranger, and no content`() {
    #expect(rules(items("ContentInfo.plist", "Contents/a", ".DS_Store", "__MACOSX/x", "Thumbs.db")) == [])
    #expect(rules(items("ContentInfo.plist", "Contents/", "Contents/.DS_Store")) == [.packageContentsEmpty])
  }

  @Test func `content one folder too deep is reported once and by name`() {
    let findings = RootRules.findings(
      for: items("Book/ContentInfo.plist", "Book/Contents/a", "__MACOSX/._Book"))
    #expect(findings.map(\.rule) == [.packageRootItem])
    #expect(findings.first?.path == EntryPath("Book"))
    #expect(findings.first?.message.contains("'Book/ContentInfo.plist'") == true)
  }

  @Test func `what only resembles that is not taken for it`() {
    #expect(rules(items("Book/a")).contains(.manifestMissing))
    #expect(rules(items("Contents/ContentInfo.plist")) == [.manifestMissing])
    #expect(rules(items("Book/ContentInfo.plist", "Contents/a")) == [.packageRootItem, .manifestMissing])
  }

  @Test func `missing root items are reported`() {
    #expect(rules(items("Contents/a")) == [.manifestMissing])
    #expect(rules(items("ContentInfo.plist")) == [.packageContentsMissing])
    #expect(rules(items("ContentInfo.plist", "Contents/", "Contents/b/")) == [.packageContentsEmpty])
    #expect(rules(items("ContentInfo.plist/", "Contents/a")) == [.manifestNotAFile])
  }
}
