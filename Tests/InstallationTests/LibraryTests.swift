import ContentPackage
import Foundation
import Installation
import SafeFiles
import Support
import Synchronization
import Testing
import ZipArchive

/// The use of the libraries by an app or a server, through their public API only.
struct LibraryTests {
  @Test func `content is packed, summarized, validated, installed, updated, rolled back and removed`() throws
  {
    let place = try BookPlace()
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
    #expect(try installer.dryRun(update).changes?.added.map(\.string) == ["Chapter/More.txt"])
    #expect(try installer.install(update).previousVersion == "1.0")

    let products = InstalledProducts(access)
    #expect(try products.status(verifying: true).products.map(\.installed.contentVersion.text) == ["1.1"])
    #expect(try products.status().products.allSatisfy { $0.inspection.isIntact && $0.previous.count == 1 })
    #expect(try products.rollBack(place.product).after?.contentVersion.text == "1.0")
    #expect(try installer.install(update).outcome == .installed)
    try products.remove(place.product)
    #expect(throws: InstallationError.self) { try products.status(of: [place.product]) }
  }

  @Test func `a canceled installation leaves nothing`() throws {
    let place = try BookPlace()
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
    let place = try BookPlace()
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
