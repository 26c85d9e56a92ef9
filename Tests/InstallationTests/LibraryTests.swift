import ContentPackage
import Foundation
import Installation
import SafeFiles
import Support
import Synchronization
import Testing
import ZipArchive

/// The use of the libraries by an app or a server, with public names only.
struct LibraryTests {
  /// A folder for content, its packages and their installations.
  private final class Place {
    let path = NSTemporaryDirectory() + "iapkg-library-\(UUID().uuidString)"
    let product: ProductIdentifier

    init() throws {
      product = try #require(ProductIdentifier("com.example.book"))
      try FileManager.default.createDirectory(
        atPath: path + "/Book/Chapter", withIntermediateDirectories: true)
      try write("once upon a time", to: "Book/Chapter/Text.txt")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var documents: String { path + "/Documents" }

    func write(_ text: String, to name: String) throws {
      try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
    }

    func review(_ version: String) throws -> ContentReview {
      let info = ContentInfo(
        productIdentifier: product, contentVersion: try #require(ContentVersion(version)))
      return try PackageBuilder().review(.open(contents: path + "/Book", info))
    }

    /// Builds a package of the content.
    func makePackage(_ version: String) throws -> String {
      let package = "\(path)/Book-\(version).pkg"
      try PackageBuilder().write(review(version), to: package)
      return package
    }
  }

  @Test func `a file that was written after the review is not packed`() throws {
    let place = try Place()
    let review = try place.review("1.0")
    let text = place.path + "/Book/Chapter/Text.txt"
    try place.write("#!/bin/sh upon \n", to: "Book/Chapter/Text.txt")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: text)
    #expect(throws: SourceError.self) { try PackageBuilder().write(review, to: place.path + "/Book.pkg") }
    #expect(!FileManager.default.fileExists(atPath: place.path + "/Book.pkg"))
  }

  @Test func `content is packed, looked at, checked, installed, updated, put back and removed`() throws {
    let place = try Place()
    let package = try place.makePackage("1.0")
    let summary = try PackageSummary(of: package)
    #expect(summary.productIdentifier == place.product)
    #expect(
      summary.entries.map(\.path.string) == [
        "ContentInfo.plist", "Contents", "Contents/Chapter", "Contents/Chapter/Text.txt",
      ])
    let report = try PackageValidator().validate(package)
    #expect(report.isValid && report.findings.isEmpty)

    let access = DocumentsAccess(path: place.documents, isDurable: false)
    let installer = PackageInstaller(access: access)
    #expect(try installer.install(package).outcome == .installed)
    #expect(try installer.install(package).outcome == .upToDate)
    try place.write("and then", to: "Book/Chapter/More.txt")
    let update = try place.makePackage("1.1")
    #expect(try installer.rehearse(update).changes?.added.map(\.string) == ["Chapter/More.txt"])
    #expect(try installer.install(update).previousVersion == "1.0")

    let products = InstalledProducts(access)
    #expect(try products.status(verifying: true).products.map(\.installed.contentVersion.text) == ["1.1"])
    #expect(try products.status().products.allSatisfy { $0.inspection.isIntact && $0.previous.count == 1 })
    #expect(try products.rollBack(place.product).after?.contentVersion.text == "1.0")
    #expect(try installer.install(update).outcome == .installed)
    try products.remove(place.product)
    #expect(throws: InstallationError.self) { try products.status(of: [place.product]) }
  }

  @Test func `versions are compared, and raised where that is needed`() throws {
    let place = try Place()
    let published = try place.makePackage("1.0")
    try place.write("and then", to: "Book/Chapter/More.txt")
    let next = place.path + "/Next.pkg"
    try PackageBuilder().write(place.review("1.0"), to: next)
    let comparison = try PackageComparison(of: published, with: next)
    #expect(comparison.added.map(\.string) == ["Contents/Chapter/More.txt"])
    #expect(comparison.finding?.rule == .versionNotRaised)
    let version = try #require(try comparison.neededVersion(raising: .minor))
    #expect(version.text == "1.1")
    let editor = PackageEditor(.set(version, force: false), time: DOSTime(secondsSince1970: 1_767_225_600))
    #expect(try editor.edit(next).previousVersion.text == "1.0")
    #expect(try PackageComparison(of: published, with: next).finding == nil)
    #expect(throws: PackageEditor.EditingError.self) { try editor.edit(next) }
    #expect(Rule.versionNotRaised.summary.contains("version"))
  }

  @Test func `what breaks a rule is found, and cannot be packed`() throws {
    let place = try Place()
    try place.write("FOR1\0\0\u{1}\0BEAM", to: "Book/tool")
    let review = try place.review("1.0")
    #expect(!review.findings.areAcceptable)
    let error = try #require(throws: InvalidContent.self) {
      try PackageBuilder().write(review, to: place.path + "/Book.pkg")
    }
    #expect(error.findings.map(\.rule) == [.fileExecutableCode])
    #expect(error.findings.first?.path?.string == "Contents/tool")
    #expect(!FileManager.default.fileExists(atPath: place.path + "/Book.pkg"))
  }

  @Test func `an installation that is cancelled leaves nothing`() throws {
    let place = try Place()
    let package = try place.makePackage("1.0")
    let cancellation = Cancellation()
    cancellation.cancel()
    let installer = PackageInstaller(
      access: DocumentsAccess(
        path: place.documents, context: WorkContext(cancellation: cancellation)))
    #expect(throws: Interruption.self) { try installer.install(package) }
    #expect(!FileManager.default.fileExists(atPath: place.documents))
  }

  @Test func `an observer sees the work, and may cancel it`() throws {
    let place = try Place()
    let text = String(repeating: "all work and no play ", count: 20_000)
    try place.write(text, to: "Book/Chapter/Long.txt")
    let package = try place.makePackage("1.0")
    let progress = WorkProgress()
    let cancellation = Cancellation()
    let validator = PackageValidator(
      context: WorkContext(cancellation: cancellation, progress: progress))
    let first = Mutex<WorkProgress.State?>(nil)
    #expect(throws: Interruption.self) {
      try progress.watched(every: .milliseconds(1)) { state in
        first.withLock { if $0 == nil { $0 = state } }
        cancellation.cancel()
      } during: {
        while true { _ = try validator.validate(package) }
      }
    }
    let state = try #require(first.withLock { $0 })
    #expect(state.activity == .checking)
    #expect(state.path == package)
    #expect((0...1).contains(state.fraction ?? 0))
  }
}
