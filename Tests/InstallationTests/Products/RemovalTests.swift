import ContentPackage
import TestSupport
import Testing

@testable import Installation

/// The files that stop a removal, and those that it deletes.
struct RemovalTests {
  private let place: BookPlace

  init() throws { place = try BookPlace() }

  /// Checks that a removal and its dry run refuse with the error, and change nothing.
  private func refuses(_ summary: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let before = try place.folder.snapshot("Documents")
    for isDryRun in [false, true] {
      let error = #expect(throws: InstallationError.self, sourceLocation: sourceLocation) {
        try place.remove(dryRun: isDryRun)
      }
      #expect(place.summary(of: error) == summary, sourceLocation: sourceLocation)
    }
    #expect(try place.folder.snapshot("Documents") == before, sourceLocation: sourceLocation)
  }

  /// Checks that a forced removal lists the files, and leaves nothing.
  private func deletes(_ files: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
    let deleted = try place.relative(place.remove(force: true).deleted)
    #expect(deleted.sorted() == files.sorted(), sourceLocation: sourceLocation)
    #expect(try place.folder.names("Documents") == [], sourceLocation: sourceLocation)
  }

  @Test func `a removal leaves nothing, not even its own folder after the last product`() throws {
    try place.install("1.0", "2.0")
    let other = try #require(ProductIdentifier("com.example.other"))
    #expect(try place.installer().install(place.forge("1.0", product: other.text)).outcome == .installed)
    #expect(try place.remove().deleted.isEmpty)
    #expect(try place.folder.names("Documents") == [".iapkg", other.text])
    #expect(try place.folder.names("\(BookPlace.work)/records") == [other.text])
    #expect(!place.folder.has("\(BookPlace.work)/previous"))
    try place.products.remove(other)
    #expect(try place.folder.names("Documents") == [])
    #expect(throws: InstallationError.notInstalled(other, path: place.documents)) {
      try place.products.remove(other)
    }
  }

  @Test(arguments: InstallationLayout.allCases, ["another", "a COVER"])
  func `an edit of the version in use stops a removal, also one of the same size`(
    _ layout: InstallationLayout, _ edit: String
  ) throws {
    try place.install("1.0", with: .init(layout: layout))
    let file = "\(layout.current("1.0"))/cover.txt"
    try place.write(edit, to: file)
    try refuses("modified: \(file)")
    #expect(try place.relative(place.remove(force: true, dryRun: true).deleted) == [file])
    #expect(try place.folder.text(file) == edit)
    try deletes(file)
  }

  @Test(arguments: InstallationLayout.allCases, ["another", "a COVER"])
  func `an edit of a previous version stops a removal`(_ layout: InstallationLayout, _ edit: String) throws {
    try place.install("1.0", "2.0", with: .init(layout: layout))
    let file = "\(layout.previous("1.0"))/cover.txt"
    try place.write(edit, to: file)
    try refuses("modified: \(file)")
    try deletes(file)
  }

  @Test func `an edit that an update has kept stops a removal`() throws {
    try place.install("1.0")
    try place.write("edited", to: "\(BookPlace.live)/cover.txt")
    try place.install("2.0")
    try refuses("modified: \(InstallationLayout.flat.previous("1.0"))/cover.txt")
  }

  @Test(arguments: InstallationLayout.allCases)
  func `files in and beside the folder of a previous version stop a removal`(
    _ layout: InstallationLayout
  ) throws {
    try place.install("1.0", "2.0", with: .init(layout: layout))
    let notes = "\(layout.versions)/notes.txt"
    try place.write("mine", to: notes)
    try refuses("\(layout == .flat ? "kept" : "unrecorded"): \(notes)")
    let page = "\(layout.previous("1.0"))/pages/mine.txt"
    try place.write("mine", to: page)
    try deletes(notes, page)
  }

  @Test func `a missing file stops no removal`() throws {
    try place.install("1.0", "2.0")
    for folder in [BookPlace.live, InstallationLayout.flat.previous("1.0")] {
      try place.folder.remove("\(folder)/cover.txt")
    }
    #expect(try place.remove().deleted.isEmpty)
    #expect(try place.folder.names("Documents") == [])
  }

  @Test(arguments: InstallationLayout.allCases)
  func `a file in place of the folder of a previous version stops a removal`(
    _ layout: InstallationLayout
  ) throws {
    try place.install("1.0", "2.0", with: .init(layout: layout))
    try place.folder.remove(layout.previous("1.0"))
    try place.write("mine", to: layout.previous("1.0"))
    try refuses("modified: \(layout.previous("1.0"))")
    try deletes(layout.previous("1.0"))
  }

  @Test(arguments: [(nil, 1), (nil, 0), (.versioned, 1)] as [(InstallationLayout?, Int)])
  func `a file beside the folders of previous versions is kept by an update, and stops a removal`(
    _ layout: InstallationLayout?, _ keptVersions: Int
  ) throws {
    try place.install("1.0", "2.0")
    let file = "\(InstallationLayout.flat.versions)/mine.txt"
    try place.write("mine", to: file)
    let installer = place.installer(.init(layout: layout, keptVersions: keptVersions))
    #expect(try place.relative(installer.dryRun(place.forge("3.0")).kept) == [file])
    #expect(try place.relative(installer.install(place.forge("3.0")).kept) == [file])
    #expect(try place.folder.text(file) == "mine")
    #expect(try place.relative(place.status().kept) == [file])
    try refuses("kept: \(file)")
    if keptVersions > 0 {
      #expect(try place.relative(place.products.rollBack(place.product).kept) == [file])
    }
    try deletes(file)
  }

  @Test(.enabled(if: BackupMark.isFile, "the mark is an attribute here"))
  func `an edit of the backup mark is kept by an update, and stops a removal`() throws {
    try place.install("1.0", with: .init(layout: .versioned, excludesFromBackup: true))
    let mark = "\(BookPlace.live)/CACHEDIR.TAG"
    let edited = try place.folder.text(mark).replacing("Signature", with: "signature")
    try place.write(edited, to: mark)
    try refuses("modified: \(mark)")
    let kept = "\(BookPlace.kept)/CACHEDIR.TAG"
    #expect(try place.relative(place.install("2.0", with: .init(layout: .flat)).kept) == [kept])
    #expect(try place.folder.text(kept) == edited)
  }
}
