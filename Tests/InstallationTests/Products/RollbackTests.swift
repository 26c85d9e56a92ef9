import ContentPackage
import TestSupport
import Testing
import ZipArchive

@testable import Installation

/// The return to previous versions.
struct RollbackTests {
  private let place: BookPlace

  init() throws { place = try BookPlace() }

  @discardableResult
  private func rollBack(dryRun isDryRun: Bool = false) throws -> InstalledProducts.Change {
    try place.products.rollBack(place.product, dryRun: isDryRun)
  }

  @Test func `a rollback restores the previous version, and a second one returns`() throws {
    try place.install("1.0")
    let old = try place.folder.snapshot(BookPlace.live)
    try place.install("2.0")
    let new = try place.folder.snapshot(BookPlace.live)
    let change = try rollBack()
    #expect(change.after?.contentVersion.text == "1.0" && change.before?.contentVersion.text == "2.0")
    #expect(try place.folder.snapshot(BookPlace.live) == old)
    var status = try place.status()
    #expect(status.installed.contentVersion.text == "1.0" && status.inspection.isIntact)
    try rollBack()
    #expect(try place.folder.snapshot(BookPlace.live) == new)
    status = try place.status()
    #expect(status.installed.contentVersion.text == "2.0" && status.inspection.isIntact)
  }

  @Test func `a rollback refuses a version that is not kept`() throws {
    try place.install("1.0")
    #expect(throws: InstallationError.noPreviousVersion(place.product)) { try rollBack() }
    try place.install("2.0")
    let before = try place.folder.snapshot()
    for version in ["2.0", "0.9", "3.0"] {
      let version = try #require(ContentVersion(version))
      let error = InstallationError.versionNotKept(
        place.product, version, kept: ["1.0"], installed: ContentVersion("2.0"))
      #expect(throws: error) { try place.products.rollBack(place.product, to: version) }
    }
    #expect(try place.folder.snapshot() == before)
  }

  @Test(arguments: ["a missing file", "a link in its place"])
  func `a rollback refuses a damaged version`(_ damage: String) throws {
    try place.install("1.0", "2.0")
    let previous = InstallationLayout.flat.previous("1.0")
    let isLink = damage == "a link in its place"
    try place.folder.remove(isLink ? previous : "\(previous)/cover.txt")
    if isLink { try place.folder.makeLink(previous, to: "/etc") }
    let before = try place.folder.snapshot()
    let error = #expect(throws: InstallationError.self) { try rollBack() }
    let missing = isLink ? ["cover.txt", "pages", "pages/one.txt"] : ["cover.txt"]
    let words = ["damaged", "1.0"] + missing.map { "\(previous)/\($0)" }
    #expect(place.summary(of: error) == words.joined(separator: ": "))
    #expect(try place.folder.snapshot() == before)
  }

  @Test func `a file in place of the product does not become a previous version`() throws {
    try place.install("1.0")
    try place.folder.remove(BookPlace.live)
    try place.write("mine", to: BookPlace.live)
    try place.install("2.0", with: .init(force: true))
    #expect(throws: InstallationError.noPreviousVersion(place.product)) { try rollBack() }
    #expect(try place.folder.text("\(BookPlace.kept)/com.example.book") == "mine")
  }

  @Test func `a rollback keeps added files`() throws {
    try place.install("1.0", "2.0")
    try place.write("mine", to: "\(BookPlace.live)/mine.txt")
    #expect(try place.relative(rollBack().kept) == ["\(BookPlace.kept)/2.0/mine.txt"])
    #expect(try place.folder.text("\(BookPlace.kept)/2.0/mine.txt") == "mine")
    try rollBack()
    #expect(try place.status().inspection.isIntact)
  }

  @Test(arguments: InstallationLayout.allCases)
  func `a rollback lists modified files, and then refuses to return to them`(
    _ layout: InstallationLayout
  ) throws {
    try place.install("1.0", "2.0", with: .init(layout: layout))
    try place.write("edited by me", to: "\(layout.current("2.0"))/cover.txt")
    for isDryRun in [true, false] {
      let modified = try rollBack(dryRun: isDryRun).modified
      #expect(modified.map(\.escaped) == [layout == .flat ? "cover.txt" : "2.0/cover.txt"])
    }
    let error = #expect(throws: InstallationError.self) { try rollBack() }
    #expect(place.summary(of: error) == "damaged: 2.0: \(layout.previous("2.0"))/cover.txt")
    let kept = "\(BookPlace.kept)/2.0/cover.txt"
    #expect(try place.relative(place.install("2.0").kept) == [kept])
    #expect(try place.folder.text(kept) == "edited by me")
    #expect(try rollBack().modified == [])
  }

  @Test func `a copy of the folder is intact and can be rolled back`() throws {
    try place.install("1.0", "2.0")
    let copy = try Launch(["cp", "-a", "Documents", "Copy"], in: place.path).run()
    #expect(copy.code == 0)
    let products = InstalledProducts(DocumentsAccess(path: place.folder.place("Copy"), isDurable: false))
    #expect(try products.status(verifying: true).products.map(\.inspection.isIntact) == [true])
    #expect(try products.rollBack(place.product).after?.contentVersion.text == "1.0")
    #expect(try products.status(verifying: true).products.map(\.inspection.isIntact) == [true])
  }
}
