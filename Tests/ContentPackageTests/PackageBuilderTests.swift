#if COMMAND_LINE_TOOL
import SafeFiles
import TestSupport
import Testing
import ZipArchive

@testable import ContentPackage

struct PackageBuilderTests {
  @Test(arguments: [true, false])
  func `content with an error is refused, also by a dry run`(isDryRun: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("FOR1\0\0\u{1}\0BEAM", to: "Book/tool")
    let info = try ContentInfo(
      productIdentifier: #require(ProductIdentifier("a")), contentVersion: #require(ContentVersion("1")))
    let builder = PackageBuilder()
    let review = try builder.review(.open(contents: folder.place("Book"), info))
    let place = OutputDestination(.file(folder.place("Book.pkg"), replacing: false))
    let error = try #require(throws: InvalidContent.self) {
      try builder.write(review, to: place, dryRun: isDryRun)
    }
    #expect(error.findings.map(\.rule) == [.fileExecutableCode])
    #expect(try folder.names("") == ["Book"])
  }
}
#endif
