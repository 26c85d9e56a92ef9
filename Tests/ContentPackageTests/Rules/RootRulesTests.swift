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

  @Test func `only the manifest, Contents and META-INF belong in the root`() {
    #expect(rules(items("ContentInfo.plist", "Contents/a")) == [])
    #expect(rules(items("META-INF/", "META-INF/x", "Contents/a", "ContentInfo.plist")) == [])
    #expect(rules(items("ContentInfo.plist", "Contents/a", "Content/b")) == [.packageRootItem])
  }

  @Test func `an unknown folder in the root is one finding, for any contents`() {
    let findings = RootRules.findings(
      for: items("ContentInfo.plist", "Contents/a", "more/", "more/a", "more/b/c"))
    #expect(findings.map(\.rule) == [.packageRootItem])
    #expect(findings.first?.path == EntryPath("more"))
  }

  @Test func `junk in the root is ignored, and is not content`() {
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

  @Test func `a folder is not taken for misplaced content unless it has both root items`() {
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
