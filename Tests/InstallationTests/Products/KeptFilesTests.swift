import ContentPackage
import Foundation
import TestSupport
import Testing
import ZipArchive

@testable import Installation

/// The files of the user in a product that changes.
struct KeptFilesTests {
  private let place: BookPlace

  init() throws { place = try BookPlace() }

  @Test(arguments: InstallationLayout.allCases)
  func `files in a version are kept when that version is deleted`(_ layout: InstallationLayout) throws {
    try place.install("1.0", "2.0", with: .init(layout: layout))
    let previous = layout.previous("1.0")
    try place.write("mine", to: "\(previous)/pages/mine.txt")
    try place.write("edited by me", to: "\(previous)/cover.txt")
    if layout == .versioned {
      let error = #expect(throws: InstallationError.self) { try place.install("3.0") }
      #expect(place.summary(of: error) == "unrecorded: \(previous)/pages/mine.txt")
    }
    try place.install("3.0", with: .init(force: true))
    #expect(!place.folder.has(previous))
    let kept = ["\(BookPlace.kept)/1.0/cover.txt", "\(BookPlace.kept)/1.0/pages/mine.txt"]
    #expect(try kept.map(place.folder.text) == ["edited by me", "mine"])
    #expect(try place.folder.names("\(BookPlace.kept)/1.0") == ["cover.txt", "pages"])
    #expect(try place.relative(place.install("4.0").kept) == kept)
    try place.folder.remove("\(BookPlace.work)/kept/com.example.book")
    #expect(try place.remove().deleted.isEmpty)
    #expect(try place.folder.names("Documents") == [])
  }

  @Test(arguments: InstallationLayout.allCases)
  func `an edit of equal length and time is kept when its version is deleted`(
    _ layout: InstallationLayout
  ) throws {
    try place.install("1.0", with: .init(layout: layout))
    let file = "\(layout.current("1.0"))/cover.txt"
    let attributes = try FileManager.default.attributesOfItem(atPath: place.folder.place(file))
    let time = try #require(attributes[.modificationDate])
    try place.write("A cover", to: file)
    try FileManager.default.setAttributes(
      [.modificationDate: time], ofItemAtPath: place.folder.place(file))
    try place.install("2.0")
    #expect(try place.relative(place.install("3.0").kept) == ["\(BookPlace.kept)/1.0/cover.txt"])
    #expect(try place.folder.names("\(BookPlace.kept)/1.0") == ["cover.txt"])
    #expect(try place.folder.text("\(BookPlace.kept)/1.0/cover.txt") == "A cover")
  }

  @Test(arguments: InstallationLayout.allCases, ["", "/pages"])
  func `a file of a private folder is kept where only its user can read it`(
    _ layout: InstallationLayout, _ folder: String
  ) throws {
    try place.install("1.0", with: .init(layout: layout))
    let home = layout.current("1.0") + folder
    try place.folder.setPermissions(0o700, of: folder.isEmpty ? BookPlace.live : home)
    try place.write("secret", to: "\(home)/diary")
    try place.install("2.0", with: .init(force: true, keptVersions: 0))
    #expect(try place.folder.text("\(BookPlace.kept)/1.0\(folder)/diary") == "secret")
    #expect(try place.folder.snapshot()[BookPlace.kept] == "folder 700")
  }

  @Test func `a file beside versions stays, and every change lists it`() throws {
    try place.install("1.0", "2.0", with: .init(layout: .versioned))
    let file = "\(BookPlace.live)/2.0/mine.txt"
    try place.write("mine", to: file)
    let installer = place.installer(.init(force: true))
    #expect(try place.relative(installer.dryRun(place.forge("3.0")).kept) == [file])
    #expect(try place.relative(installer.install(place.forge("3.0")).kept) == [file])
    for isDryRun in [true, false] {
      let change = try place.products.rollBack(place.product, dryRun: isDryRun)
      #expect(place.relative(change.kept) == [file])
    }
    #expect(try place.relative(place.status().kept) == [file])
  }

  @Test func `a folder with the name of the new version is kept, and that version is not listed`() throws {
    try place.install("1.0", with: .init(layout: .versioned))
    try place.write("mine", to: "\(BookPlace.live)/2.0/mine.txt")
    try place.folder.makeFolder("\(BookPlace.live)/3.0")
    for version in ["2.0", "3.0"] {
      let kept = try place.install(version, with: .init(force: true)).kept
      #expect(place.relative(kept) == ["\(BookPlace.kept)/2.0/mine.txt"])
    }
    #expect(try place.folder.text("\(BookPlace.live)/3.0/cover.txt") == "a cover")
  }

  @Test(arguments: ["update", "rollback"])
  func `a file in place of the link is listed where it is kept`(_ change: String) throws {
    try place.install("1.0", "3.0", with: .init(layout: .versioned))
    if change == "update" { try place.products.rollBack(place.product) }
    let link = "\(BookPlace.live)/current"
    try place.folder.remove(link)
    try place.write("mine", to: link)
    for isDryRun in [true, false] {
      let (modified, kept): ([EntryPath], LocatedPaths)
      if change == "update" {
        let package = try place.forge("2.0")
        let result = try isDryRun ? place.installer().dryRun(package) : place.install("2.0")
        (modified, kept) = (result.replacedModified, result.kept)
      } else {
        let result = try place.products.rollBack(place.product, dryRun: isDryRun)
        (modified, kept) = (result.modified, result.kept)
      }
      #expect(modified == [InstallationLayout.current])
      #expect(place.relative(kept) == [isDryRun ? link : "\(BookPlace.kept)/current"])
    }
    #expect(try place.folder.text("\(BookPlace.kept)/current") == "mine")
  }

  @Test(arguments: InstallationLayout.allCases)
  func `a folder without files is listed neither before a change nor after`(
    _ layout: InstallationLayout
  ) throws {
    try place.install("1.0", with: .init(layout: layout))
    try place.folder.makeFolder("\(BookPlace.live)/mine/empty")
    let installer = place.installer(.init(force: true))
    #expect(try installer.dryRun(place.forge("2.0")).kept.isEmpty)
    #expect(try installer.install(place.forge("2.0")).kept.isEmpty)
    let home = layout == .flat ? "\(BookPlace.kept)/1.0" : BookPlace.live
    #expect(place.folder.has("\(home)/mine/empty"))
  }

  @Test func `folders without files beside kept files are listed nowhere, and stop no removal`() throws {
    try place.install("1.0", "2.0")
    let previous = InstallationLayout.flat.versions
    for folder in ["\(previous)/mine/empty", "\(previous)/1.0/empty", "\(BookPlace.kept)/1.0"] {
      try place.folder.makeFolder(folder)
    }
    #expect(try place.status().kept.isEmpty)
    let file = "\(previous)/mine/notes.txt"
    try place.write("mine", to: file)
    #expect(try place.relative(place.status().kept) == [file])
    let error = #expect(throws: InstallationError.self) { try place.remove() }
    #expect(place.summary(of: error) == "kept: \(file)")
    try place.folder.remove(file)
    #expect(try place.remove().deleted.isEmpty)
    #expect(try place.folder.names("Documents") == [])
  }

  @Test func `kept files are listed only by an installation that changes the version`() throws {
    try place.install("1.0")
    try place.write("mine", to: "\(BookPlace.live)/mine.txt")
    try place.install("2.0", with: .init(force: true))
    let repeated = try place.installer().install(place.forge("2.0"))
    #expect(repeated.outcome == .upToDate && repeated.kept.isEmpty)
    try place.folder.remove("\(BookPlace.live)/cover.txt")
    let repaired = try place.installer().repair(place.forge("2.0"))
    #expect(repaired.outcome == .repaired([EntryPath("cover.txt")]) && repaired.kept.isEmpty)
    #expect(try place.relative(place.status().kept) == ["\(BookPlace.kept)/1.0/mine.txt"])
  }

  @Test(arguments: InstallationLayout.allCases)
  func `a change of the layout keeps intact versions, and the edits of a damaged one`(
    _ layout: InstallationLayout
  ) throws {
    try place.install("1.0", "2.0", with: .init(layout: layout))
    try place.write("edited by me", to: "\(layout.current("2.0"))/cover.txt")
    let kept = "\(BookPlace.kept)/2.0/cover.txt"
    #expect(try place.relative(place.install("3.0", with: .init(layout: layout.other)).kept) == [kept])
    #expect(try place.folder.text(kept) == "edited by me")
    try place.products.rollBack(place.product)
    let status = try place.status()
    #expect(status.installed.contentVersion.text == "1.0" && status.inspection.missing.isEmpty)
  }

  @Test(arguments: InstallationLayout.allCases, ["edited by me", "A cover"])
  func
    `a change of the layout keeps an intact version in place of a damaged one, and reports the damaged one`(
      _ layout: InstallationLayout, _ edit: String
    ) throws
  {
    try place.install("1.0", "2.0", "3.0", with: .init(layout: layout, keptVersions: 2))
    try place.write(edit, to: "\(layout.previous("2.0"))/cover.txt")
    let change = place.installer(.init(layout: layout.other))
    let before = try place.folder.snapshot("Documents")
    #expect(try change.dryRun(place.forge("3.0")).damagedVersions == ["2.0"])
    #expect(try place.folder.snapshot("Documents") == before)
    let result = try change.install(place.forge("3.0"))
    let kept = "\(BookPlace.kept)/2.0/cover.txt"
    #expect(result.damagedVersions == ["2.0"] && place.relative(result.kept) == [kept])
    #expect(try place.folder.text(kept) == edit)
    #expect(try place.products.rollBack(place.product).after?.contentVersion.text == "1.0")
  }

  @Test func `an update keeps a damaged version if no older one is intact, and does not report it`() throws {
    try place.install("1.0", "2.0")
    try place.write("edited by me", to: "\(BookPlace.live)/cover.txt")
    try place.write("also edited", to: "\(InstallationLayout.flat.previous("1.0"))/cover.txt")
    #expect(try place.install("3.0").damagedVersions == [])
    #expect(try place.folder.names(InstallationLayout.flat.versions) == ["2.0"])
  }
}
