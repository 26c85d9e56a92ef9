import PackageForge
import SafeFiles
import TestSupport
import Testing
import ZipArchive

@testable import Installation

/// The comparison of installed products with their records.
struct StatusTests {
  private let place: BookPlace

  init() throws { place = try BookPlace() }

  @Test func `the status lists missing, modified and extra items`() throws {
    let package = try place.forge("1.0") { $0.add(.file("Contents/pages/two.txt", "page two")) }
    #expect(try place.installer().install(package).outcome == .installed)
    try place.folder.remove("\(BookPlace.live)/cover.txt")
    try place.write("longer than it was before", to: "\(BookPlace.live)/pages/one.txt")
    try place.write("PAGE TWO", to: "\(BookPlace.live)/pages/two.txt")
    try place.write("mine", to: "\(BookPlace.live)/notes/mine.txt")
    let quick = try #require(try place.products.status().products.first).inspection
    #expect(!quick.isIntact && quick.missing.map(\.escaped) == ["cover.txt"])
    #expect(quick.modified.map(\.escaped) == ["pages/one.txt"])
    #expect(quick.extra.map(\.escaped) == ["notes"])
    let verified = try place.status().inspection
    #expect(verified.modified.map(\.escaped) == ["pages/one.txt", "pages/two.txt"])
    try place.folder.remove(BookPlace.live)
    #expect(
      try place.status().inspection.missing.map(\.escaped)
        == ["cover.txt", "pages", "pages/one.txt", "pages/two.txt"])
    #expect(try place.installer().install(package).outcome == .installed)
    #expect(try place.status().inspection.isIntact)
  }

  @Test func `an empty folder has no products, and a missing one is an error`() throws {
    let error = #expect(throws: FileError.self) { try place.products.status() }
    #expect(place.summary(of: error) == "cannot open Documents")
    try place.folder.makeFolder("Documents")
    #expect(try place.products.status().products.isEmpty)
    #expect(throws: InstallationError.notInstalled(place.product, path: place.documents)) {
      try place.products.status(of: [place.product])
    }
    #expect(try place.folder.names("Documents") == [])
  }
}
