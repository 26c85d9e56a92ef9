import ContentPackage
import SafeFiles
import TestSupport
import Testing
import ZipArchive

@testable import Installation

/// Reading files of installed versions.
struct InstalledContentTests {
  @Test(arguments: InstallationLayout.allCases)
  func `the files of all versions can be read, with their digests`(_ layout: InstallationLayout) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let product = try #require(ProductIdentifier("com.example.book"))
    let access = DocumentsAccess(path: folder.place("Documents"), isDurable: false)
    #expect(throws: FileError.self) { try InstalledProducts(access).contents(of: product) }
    for version in ["1.0", "2.0"] {
      try folder.write("text of \(version)", to: "Book/text")
      let info = ContentInfo(
        productIdentifier: product, contentVersion: try #require(ContentVersion(version)))
      let review = try PackageValidator().review(of: FolderSource.open(contents: folder.place("Book"), info))
      // Reviewed content can be installed from any source.
      let installer = PackageInstaller(options: .init(layout: layout), access: access)
      #expect(try installer.install(review, named: "Book").outcome == .installed)
    }
    let contents = try InstalledProducts(access).contents(of: product)
    #expect(contents.map(\.version.contentVersion.text) == ["2.0", "1.0"])
    for content in contents {
      let text = Array("text of \(content.version.contentVersion)".utf8)
      let file = try content.tree.openFile(Array("text".utf8))
      #expect(try file.bytes(at: 0, count: 100) == text)
      let items = content.version.items
      var reader = InstalledItems.Reader(items)
      #expect(items.count == 1)
      #expect(
        try reader.item(at: 0)
          == .file(EntryPath("text"), size: Int64(text.count), ContentDigest(of: text, .standard)))
    }
  }
}
