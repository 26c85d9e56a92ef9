#if COMMAND_LINE_TOOL
import Foundation
import PackageForge
import SafeFiles
import Support
import TestSupport
import Testing
import ZipArchive

@testable import ContentPackage

/// Detection of input that is written to or replaced between two reads.
struct HeldInputTests {
  /// A temporary folder with a package, and the bytes of another package of the same size.
  private final class Place {
    let folder = "\(NSTemporaryDirectory())/iapkg-held-\(UUID().uuidString)"
    var package: String { folder + "/Book.pkg" }
    let other = ForgedArchive.book(contentVersion: "7.0").bytes()

    init() throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try write(ForgedArchive.book().bytes(), to: package)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Creates a file or overwrites it in place.
    func write(_ bytes: [UInt8], to path: String) throws {
      try Data(bytes).write(to: URL(fileURLWithPath: path), options: [])
    }

    func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: package))) }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder) }
  }

  private func bump(_ input: PackageEditor.Input, into destination: PackageEditor.Destination) throws {
    let editor = PackageEditor(.raise(.last), time: .first)
    _ = try editor.edit(input, into: destination)
  }

  @Test func `a package that was overwritten since it was opened is not replaced`() throws {
    let place = try Place()
    let input = try PackageEditor.Input.open(place.package, locking: true)
    try place.write(place.other, to: place.package)
    #expect(throws: SourceError.self) { try bump(input, into: .input) }
    #expect(throws: SourceError.self) {
      try bump(input, into: .output(.file(place.folder + "/New.pkg", replacing: false)))
    }
    #expect(try place.bytes() == place.other)
    #expect(try place.names() == ["Book.pkg"])
  }

  @Test func `a package that took the name meanwhile is not replaced`() throws {
    let place = try Place()
    let input = try PackageEditor.Input.open(place.package, locking: true)
    try place.write(place.other, to: place.folder + "/other")
    #expect(unsafe rename(place.folder + "/other", place.package) == 0)
    #expect(throws: SourceError.self) { try bump(input, into: .input) }
    #expect(try place.bytes() == place.other)
    #expect(try place.names() == ["Book.pkg"])
  }

  @Test func `a manifest that was replaced or has gone meanwhile is not replaced`() throws {
    let place = try Place()
    let manifest = place.folder + "/ContentInfo.plist"
    let text = Array(ForgedArchive.manifest("com.example.book", "3.0").utf8)
    try place.write(text, to: manifest)
    let input = try PackageEditor.Input.open(manifest, locking: true)
    try FileManager.default.removeItem(atPath: manifest)
    #expect(throws: SourceError.self) { try bump(input, into: .input) }
    #expect(!FileManager.default.fileExists(atPath: manifest))
    try place.write(text, to: manifest)
    #expect(throws: SourceError.self) { try bump(input, into: .input) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: manifest)) == Data(text))
  }

  @Test func `an input that one process holds is busy for others`() throws {
    let place = try Place()
    let input = try PackageEditor.Input.open(place.package, locking: true)
    #expect(throws: InputBusy.self) { try PackageEditor.Input.open(place.package, locking: true) }
    try bump(input, into: .input)
    // The old file is still locked, but no longer has a name.
    #expect(throws: Never.self) { try PackageEditor.Input.open(place.package, locking: true) }
  }

  @Test func `what was validated is what is compared`() throws {
    let place = try Place()
    let review = try PackageValidator().review(place.package)
    try place.write(ForgedArchive.book().bytes(), to: place.folder + "/Old.pkg")
    func compare() throws -> PackageComparison {
      try PackageComparison(
        of: place.folder + "/Old.pkg", with: review)
    }
    // Another package that takes the name is ignored.
    let opened = try #require(FileHandle(forWritingAtPath: place.package))
    try place.write(place.other, to: place.folder + "/other")
    #expect(unsafe rename(place.folder + "/other", place.package) == 0)
    #expect(try compare().new.contentVersion?.text == "1.0")
    try opened.truncate(atOffset: 10)
    #expect(throws: SourceError.self) { try compare() }
  }

  @Test func `a package that is cut off is named`() throws {
    let place = try Place()
    try place.write(ForgedArchive.book().bytes(), to: place.folder + "/Old.pkg")
    let source = try PackageSource.open(place.package)
    try place.write([], to: place.package)
    let item = try #require(source.items.first { $0.path.string == "Contents/pages/one.txt" })
    let error = #expect(throws: SourceError.self) { _ = try source.bytes(of: item) }
    #expect(error?.description == "cannot read \(place.package): it became shorter while it was read")
  }

  @Test func `a file of a folder whose time was put back after it was written is a changed source`() throws {
    let place = try Place()
    let file = place.folder + "/Book/text"
    try FileManager.default.createDirectory(atPath: place.folder + "/Book", withIntermediateDirectories: true)
    try place.write([1, 2, 3], to: file)
    let info = ContentInfo(
      productIdentifier: try #require(ProductIdentifier("a")),
      contentVersion: try #require(ContentVersion("1")))
    let review = try PackageBuilder().review(.open(contents: place.folder + "/Book", info))
    let script = "touch -r \"$0\" \"$0.time\" && printf abc >\"$0\" && touch -r \"$0.time\" \"$0\""
    #expect(try Launch(["/bin/sh", "-c", script, file]).run().code == 0)
    #expect(throws: SourceError.self) { try PackageBuilder().write(review, to: place.folder + "/New.pkg") }
  }
}
#endif
