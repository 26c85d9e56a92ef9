import ContentPackage
import Foundation
import PackageForge
import SafeFiles
import Support
import Testing
import ZipArchive

/// Operations that are cancelled before they start.
struct CancellationTests {
  private static let cancelled: Cancellation = {
    let cancellation = Cancellation()
    cancellation.cancel()
    return cancellation
  }()

  /// A package in a temporary folder, which is deleted with the value.
  private final class Place {
    let folder = NSTemporaryDirectory() + "iapkg-cancellation-\(UUID().uuidString)"
    var package: String { folder + "/Book.pkg" }

    init() throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(ForgedArchive.book().bytes()).write(to: URL(fileURLWithPath: package))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
  }

  @Test func `nothing is opened`() throws {
    let place = try Place()
    #expect(throws: Interruption.self) {
      try PackageSource.open(place.package, cancellation: Self.cancelled)
    }
    #expect(throws: Interruption.self) {
      try FolderSource.open(place.folder, cancellation: Self.cancelled)
    }
    #expect(throws: Interruption.self) {
      try PackageSummary(of: place.package, cancellation: Self.cancelled)
    }
    #expect(throws: Interruption.self) {
      try PackageComparison(
        of: place.package, with: place.package, context: WorkContext(cancellation: Self.cancelled))
    }
    #expect(throws: Interruption.self) {
      try PackageValidator(context: WorkContext(cancellation: Self.cancelled)).validate(place.package)
    }
  }

  @Test func `no rule is applied`() throws {
    let place = try Place()
    let source = try PackageSource.open(place.package)
    #expect(throws: Interruption.self) {
      try ContentReview(of: source, limits: Limits(), cancellation: Self.cancelled)
    }
    let bad = (1...3).map { PathItem(EntryPath("Contents/a\\\($0)"), .link(target: Array("/".utf8))) }
    let tree = PathTree(PathItems(bad))
    #expect(PathRules.findings(in: tree).count == 3)
    #expect(PathRules.findings(in: tree, cancellation: Self.cancelled).isEmpty)
    #expect(LinkRules.findings(in: tree).count == 3)
    #expect(LinkRules.findings(in: tree, cancellation: Self.cancelled).isEmpty)
    #expect(LinkRules.findings(in: PathTree(PathItems(bad), cancellation: Self.cancelled)).isEmpty)
    let junk = [(path: EntryPath("Contents/.DS_Store"), isFolder: false)]
    #expect(NameRecognizer.findings(for: junk).count == 1)
    #expect(NameRecognizer.findings(for: junk, cancellation: Self.cancelled).isEmpty)
  }
}
