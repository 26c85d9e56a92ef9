import PackageForge
import SafeFiles
import TestSupport
import Testing
import ZipArchive

@testable import Installation

/// The repair of an installed version from its package.
struct RepairTests {
  private let place: BookPlace

  init() throws { place = try BookPlace() }

  @Test(arguments: InstallationLayout.allCases)
  func `a repair replaces only damaged items`(_ layout: InstallationLayout) throws {
    let package = try place.forge("2.0") { $0.add(.link("Contents/newest", to: "pages/one.txt")) }
    let options = PackageInstaller.Options(layout: layout, excludesFromBackup: true)
    #expect(try place.installer(options).install(package).outcome == .installed)
    let whole = try place.folder.snapshot(BookPlace.live)
    let content = layout.current("2.0")
    let cover = try identity("\(content)/cover.txt")
    try place.write("PAGE OF 2.0", to: "\(content)/pages/one.txt")
    try place.folder.remove("\(content)/newest")
    let prefix = layout == .flat ? "" : "2.0/"
    var damaged = ["\(prefix)newest", "\(prefix)pages/one.txt"]
    if BackupMark.isFile { damaged.append("CACHEDIR.TAG") }
    if layout == .versioned { damaged.append("current") }
    for name in ["CACHEDIR.TAG", "current"] where damaged.contains(name) {
      try place.folder.remove("\(BookPlace.live)/\(name)")
    }
    try place.write("mine", to: "\(content)/mine.txt")
    guard case .damaged = try place.installer(.init(layout: layout)).install(package).outcome else {
      Issue.record("the damage was not found")
      return
    }
    let other = try place.forge("1.0")
    #expect(throws: InstallationError.otherPackage(installedVersion: "2.0")) {
      try place.installer().repair(other)
    }
    let outcome = try place.installer().repair(package).outcome
    #expect(outcome == .repaired(damaged.map { EntryPath($0) }.sorted()))
    #expect(try place.folder.text("\(content)/mine.txt") == "mine")
    try place.folder.remove("\(content)/mine.txt")
    #expect(try place.folder.snapshot(BookPlace.live) == whole)
    #expect(try identity("\(content)/cover.txt") == cover)
    #expect(try place.status().inspection.isIntact)
  }

  private func identity(_ name: String) throws -> FileIdentity {
    try #require(try FileSystem.status(of: place.folder.place(name), followingLinks: false)).identity
  }

  @Test(arguments: InstallationLayout.allCases)
  func `a repair refuses another package even if nothing is damaged`(_ layout: InstallationLayout) throws {
    try place.install("1.0", with: .init(layout: layout))
    let whole = try place.folder.snapshot("Documents")
    #expect(throws: InstallationError.otherPackage(installedVersion: "1.0")) {
      try place.installer().repair(place.forge("2.0"))
    }
    #expect(try place.installer().repair(place.forge("1.0")).outcome == .upToDate)
    #expect(try place.folder.snapshot("Documents") == whole)
  }

  @Test func `a repair leaves a folder in place of a file`() throws {
    try place.install("1.0")
    let cover = "\(BookPlace.live)/cover.txt"
    try place.folder.remove(cover)
    try place.write("mine", to: "\(cover)/mine.txt")
    let before = try place.folder.snapshot("Documents")
    let error = #expect(throws: InstallationError.self) {
      try place.installer().repair(place.forge("1.0"))
    }
    #expect(place.summary(of: error) == "other kind: \(cover): a folder: the file")
    #expect(try place.folder.snapshot("Documents") == before)
  }
}
