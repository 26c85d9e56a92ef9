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
  private let folder: TemporaryFolder
  private var package: String { folder.place("Book.pkg") }
  /// The bytes of another package of the same size.
  private let other = ForgedArchive.book(contentVersion: "7.0").bytes()

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(ForgedArchive.book().bytes(), to: "Book.pkg")
  }

  private func bump(_ input: PackageEditor.Input, into destination: PackageEditor.Destination) throws {
    let editor = PackageEditor(.raise(.last), time: .first)
    _ = try editor.edit(input, into: destination)
  }

  @Test func `a package overwritten since it was opened is not replaced`() throws {
    let input = try PackageEditor.Input.open(package, locking: true)
    try folder.write(other, to: "Book.pkg")
    #expect(throws: SourceError.self) { try bump(input, into: .input) }
    #expect(throws: SourceError.self) {
      try bump(input, into: .output(.file(folder.place("New.pkg"), replacing: false)))
    }
    #expect(try folder.bytes("Book.pkg") == other)
    #expect(try folder.names("") == ["Book.pkg"])
  }

  @Test func `content of a package that was overwritten since its check is not written to a folder`() throws {
    let review = try PackageValidator().review(package)
    try folder.write(other, to: "Book.pkg")
    #expect(throws: SourceError.self) {
      try ContentFolderWriter(WorkContext()).write(review, to: folder.place("Book"))
    }
    #expect(try folder.names("") == ["Book.pkg"])
  }

  @Test func `a package replaced since it was opened is not overwritten`() throws {
    let input = try PackageEditor.Input.open(package, locking: true)
    try folder.write(other, to: "other")
    #expect(unsafe rename(folder.place("other"), package) == 0)
    #expect(throws: SourceError.self) { try bump(input, into: .input) }
    #expect(try folder.bytes("Book.pkg") == other)
    #expect(try folder.names("") == ["Book.pkg"])
  }

  @Test func `a manifest that was deleted or replaced since it was opened is not replaced`() throws {
    let name = "ContentInfo.plist"
    let text = Array(ForgedArchive.manifest("com.example.book", "3.0").utf8)
    try folder.write(text, to: name)
    let input = try PackageEditor.Input.open(folder.place(name), locking: true)
    try folder.remove(name)
    #expect(throws: SourceError.self) { try bump(input, into: .input) }
    #expect(!folder.has(name))
    try folder.write(text, to: name)
    #expect(throws: SourceError.self) { try bump(input, into: .input) }
    #expect(try folder.bytes(name) == text)
  }

  @Test func `an input that is locked cannot be locked again`() throws {
    let input = try PackageEditor.Input.open(package, locking: true)
    #expect(throws: InputBusy.self) { try PackageEditor.Input.open(package, locking: true) }
    try bump(input, into: .input)
    // The old file is still locked, but no longer has a name.
    #expect(throws: Never.self) { try PackageEditor.Input.open(package, locking: true) }
  }

  @Test func `a comparison reads the validated file, not another one of the same name`() throws {
    let review = try PackageValidator().review(package)
    try folder.write(ForgedArchive.book().bytes(), to: "Old.pkg")
    func compare() throws -> PackageComparison {
      try PackageComparison(of: folder.place("Old.pkg"), with: review)
    }
    // Another package that takes the name is ignored.
    let opened = try #require(FileHandle(forWritingAtPath: package))
    try folder.write(other, to: "other")
    #expect(unsafe rename(folder.place("other"), package) == 0)
    #expect(try compare().new.contentVersion?.text == "1.0")
    try opened.truncate(atOffset: 10)
    #expect(throws: SourceError.self) { try compare() }
  }

  @Test func `the error for a truncated package names it`() throws {
    try folder.write(ForgedArchive.book().bytes(), to: "Old.pkg")
    let source = try PackageSource.open(package)
    try folder.write([], to: "Book.pkg")
    let item = try #require(source.items.first { $0.path.string == "Contents/pages/one.txt" })
    let error = #expect(throws: SourceError.self) { _ = try source.bytes(of: item) }
    #expect(error?.description == "cannot read \(package): it became shorter while it was read")
  }

  @Test func `a file that was written, and whose time was reset, is a changed source`() throws {
    try folder.write([1, 2, 3], to: "Book/text")
    let info = ContentInfo(
      productIdentifier: try #require(ProductIdentifier("a")),
      contentVersion: try #require(ContentVersion("1")))
    let review = try PackageBuilder().review(.open(contents: folder.place("Book"), info))
    let script = "touch -r \"$0\" \"$0.time\" && printf abc >\"$0\" && touch -r \"$0.time\" \"$0\""
    #expect(try Launch(["/bin/sh", "-c", script, folder.place("Book/text")]).run().code == 0)
    #expect(throws: SourceError.self) { try PackageBuilder().write(review, to: folder.place("New.pkg")) }
  }
}
#endif
