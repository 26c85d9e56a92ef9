import ContentPackage
import PackageForge
import SafeFiles
import Support
import TestSupport
import Testing
import ZipArchive

/// Operations that are canceled before they start.
struct CancellationTests {
  private static let canceled: Cancellation = {
    let cancellation = Cancellation()
    cancellation.cancel()
    return cancellation
  }()

  private let folder: TemporaryFolder
  private var package: String { folder.place("Book.pkg") }

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(ForgedArchive.book().bytes(), to: "Book.pkg")
  }

  @Test func `a canceled operation opens nothing`() throws {
    #expect(throws: Interruption.self) {
      try PackageSource.open(package, cancellation: Self.canceled)
    }
    #expect(throws: Interruption.self) {
      try FolderSource.open(folder.path, cancellation: Self.canceled)
    }
    #expect(throws: Interruption.self) {
      try PackageSummary(of: package, cancellation: Self.canceled)
    }
    #expect(throws: Interruption.self) {
      try PackageComparison(
        of: package, with: package, context: WorkContext(cancellation: Self.canceled))
    }
    #expect(throws: Interruption.self) {
      try PackageValidator(context: WorkContext(cancellation: Self.canceled)).validate(package)
    }
  }

  @Test func `a canceled operation applies no rule`() throws {
    let source = try PackageSource.open(package)
    #expect(throws: Interruption.self) {
      try ContentReview(of: source, limits: Limits(), cancellation: Self.canceled)
    }
    let bad = (1...3).map { PathItem(EntryPath("Contents/a\\\($0)"), .link(target: Array("/".utf8))) }
    let tree = PathTree(PathItems(bad))
    #expect(PathRules.findings(in: tree).count == 3)
    #expect(PathRules.findings(in: tree, cancellation: Self.canceled).isEmpty)
    #expect(LinkRules.findings(in: tree).count == 3)
    #expect(LinkRules.findings(in: tree, cancellation: Self.canceled).isEmpty)
    #expect(LinkRules.findings(in: PathTree(PathItems(bad), cancellation: Self.canceled)).isEmpty)
    let junk = [(path: EntryPath("Contents/.DS_Store"), isFolder: false)]
    #expect(NameRecognizer.findings(for: junk).count == 1)
    #expect(NameRecognizer.findings(for: junk, cancellation: Self.canceled).isEmpty)
  }
}
