import ContentPackage
import PackageForge
import TestSupport
import Testing
import ZipArchive

@testable import Installation

/// Installations over a version of the product.
struct UpdateTests {
  private let place: BookPlace

  init() throws { place = try BookPlace() }

  /// Forges a package with one more page, and a link to it.
  private func forgeTwoPages(_ version: String) throws -> String {
    try place.forge(version) {
      $0.add(.file("Contents/pages/two.txt", "page two"))
      $0.add(.link("Contents/newest", to: "pages/two.txt"))
    }
  }

  @Test func `an update replaces the whole content, and keeps one previous version`() throws {
    #expect(try place.installer().install(forgeTwoPages("1.0")).outcome == .installed)
    let first = try place.folder.snapshot(BookPlace.live)
    #expect(try place.install("1.1").previousVersion == "1.0")
    #expect(
      try place.folder.snapshot(BookPlace.live) == [
        "cover.txt": "file 644 a cover", "pages": "folder 755", "pages/one.txt": "file 644 page of 1.1",
      ])
    let previous = "\(BookPlace.work)/previous/com.example.book"
    #expect(try place.folder.snapshot("\(previous)/1.0") == first)
    #expect(try place.folder.names("\(BookPlace.work)/records") == ["com.example.book"])
    try place.install("1.2")
    #expect(try place.folder.names(previous) == ["1.1"])
    #expect(try place.folder.text("\(previous)/1.1/pages/one.txt") == "page of 1.1")
    #expect(try place.folder.names(BookPlace.work) == ["lock", "previous", "records"])
  }

  @Test func `a dry run returns the changes and makes none`() throws {
    #expect(try place.installer().dryRun(place.forge("1.0")).outcome == .installed)
    #expect(!place.folder.has("Documents"))
    try place.install("1.0")
    let update = try forgeTwoPages("2.0")
    let before = try place.folder.snapshot()
    let changes = try #require(try place.installer().dryRun(update).changes)
    #expect(changes.added.map(\.escaped) == ["newest", "pages/two.txt"])
    #expect(changes.changed.map(\.escaped) == ["pages/one.txt"])
    #expect(changes.removed.isEmpty)
    #expect(try place.remove(dryRun: true).before?.contentVersion.text == "1.0")
    #expect(throws: InstallationError.noPreviousVersion(place.product)) {
      try place.products.rollBack(place.product, dryRun: true)
    }
    #expect(try place.folder.snapshot() == before)
  }

  @Test func `an update lists modified files, and keeps them in the previous version`() throws {
    try place.install("1.0")
    try place.write("mine, and longer", to: "\(BookPlace.live)/cover.txt")
    for result in [try place.installer().dryRun(place.forge("2.0")), try place.install("2.0")] {
      #expect(result.replacedModified == [EntryPath("cover.txt")] && result.keepsPrevious)
    }
    #expect(
      try place.folder.text("\(InstallationLayout.flat.previous("1.0"))/cover.txt") == "mine, and longer")
    #expect(try place.installer().install(place.forge("2.0")).replacedModified == [])
  }

  @Test(arguments: ["1.0", "1.0.0"])
  func `the same version changes nothing`(_ version: String) throws {
    try place.install("1.0")
    let before = try place.folder.snapshot("Documents")
    let result = try place.installer().install(place.forge(version, page: "page of 1.0"))
    #expect(result.outcome == .upToDate && result.previousVersion == "1.0")
    #expect(try place.folder.snapshot("Documents") == before)
  }

  @Test func `a forced installation of the same version replaces modified files and keeps a copy of them`()
    throws
  {
    try place.install("1.0")
    try place.write("spoiled, and longer", to: "\(BookPlace.live)/cover.txt")
    let result = try place.install("1.0", with: .init(force: true))
    #expect(result.replacedModified == [EntryPath("cover.txt")] && !result.keepsPrevious)
    #expect(try place.folder.text("\(BookPlace.live)/cover.txt") == "a cover")
    #expect(try place.folder.text("\(BookPlace.kept)/1.0/cover.txt") == "spoiled, and longer")
    #expect(!place.folder.has("\(BookPlace.work)/previous"))
  }

  @Test func `a lower version is refused, unless a downgrade is allowed`() throws {
    try place.install("1.10")
    let before = try place.folder.snapshot("Documents")
    let old = try place.forge("1.9")
    for isForced in [false, true] {
      let installer = place.installer(.init(force: isForced))
      #expect(try installer.dryRun(old).outcome == .downgradeRefused)
      #expect(try installer.install(old).outcome == .downgradeRefused)
    }
    #expect(try place.folder.snapshot("Documents") == before)
    #expect(try place.install("1.9", with: .init(allowDowngrade: true)).previousVersion == "1.10")
    #expect(try place.status().installed.contentVersion.text == "1.9")
  }

  @Test func `an update keeps layout and backup mark unless another layout is requested`() throws {
    try place.install("1.0", with: .init(layout: .versioned, excludesFromBackup: true))
    let installed = try place.folder.snapshot(BookPlace.live)
    #expect(try place.installer().install(place.forge("1.0")).outcome == .upToDate)
    #expect(try place.folder.snapshot(BookPlace.live) == installed)
    let changes = try place.installer().dryRun(place.forge("2.0")).changes
    #expect(changes?.added.contains(EntryPath("2.0")) == true)
    try place.install("2.0")
    let names = try Set(place.folder.names(BookPlace.live))
    #expect(names.isSuperset(of: ["2.0", "current"]))
    #expect(names.contains("CACHEDIR.TAG") == BackupMark.isFile)
    #expect(try place.status().inspection.isIntact)
    try place.install("2.0", with: .init(layout: .flat))
    #expect(try place.folder.names(BookPlace.live).contains("cover.txt"))
  }

  @Test func `the layout can change with the version or without`() throws {
    try place.install("1.0")
    try place.install("1.0", with: .init(layout: .versioned))
    #expect(try place.folder.names(BookPlace.live) == ["1.0", "current"])
    try place.install("2.0", with: .init(layout: .flat))
    #expect(try place.folder.names(BookPlace.live) == ["cover.txt", "pages"])
    #expect(try place.status().inspection.isIntact)
  }

  @Test func `versioned content is in a folder of its version, beside a relative link`() throws {
    try place.install("1.0", with: .init(layout: .versioned))
    #expect(try place.folder.names(BookPlace.live) == ["1.0", "current"])
    try place.install("2.0", with: .init(layout: .versioned))
    #expect(try place.folder.names(BookPlace.live) == ["1.0", "2.0", "current"])
    #expect(try place.folder.snapshot(BookPlace.live)["current"] == "link to 2.0")
    #expect(try place.folder.text("\(BookPlace.live)/current/pages/one.txt") == "page of 2.0")
    try place.products.rollBack(place.product)
    #expect(try place.folder.names(BookPlace.live) == ["1.0", "2.0", "current"])
    #expect(try place.folder.snapshot(BookPlace.live)["current"] == "link to 1.0")
    #expect(try place.status().layout == .versioned)
  }

  @Test func `a product can be excluded from backups, unless its content has the name of the mark`() throws {
    try place.install("1.0")
    try place.install("1.0", with: .init(excludesFromBackup: true))
    #expect(try place.status().inspection.isIntact)
    guard BackupMark.isFile else { return }
    let signature = "Signature: 8a477f597d28d172789f06886806bc55\n"
    #expect(try place.folder.text("\(BookPlace.live)/CACHEDIR.TAG").hasPrefix(signature))
    let update = try place.forge("2.0") { $0.add(.file("Contents/CACHEDIR.TAG", "mine")) }
    let before = try place.folder.snapshot()
    #expect(throws: InstallationError.backupMarkConflict) {
      try place.installer(.init(excludesFromBackup: true)).install(update)
    }
    #expect(try place.folder.snapshot() == before)
  }
}
