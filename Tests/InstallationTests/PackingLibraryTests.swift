#if COMMAND_LINE_TOOL
import ContentPackage
import Foundation
import SafeFiles
import Testing
import ZipArchive

/// The use of the libraries by a build server, through their public API only.
struct PackingLibraryTests {
  @Test func `a file that was written after the review is not packed`() throws {
    let place = try BookPlace()
    let review = try place.review("1.0")
    let text = place.path + "/Book/Chapter/Text.txt"
    try place.write("#!/bin/sh upon \n", to: "Book/Chapter/Text.txt")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: text)
    #expect(throws: SourceError.self) { try PackageBuilder().write(review, to: place.path + "/Book.pkg") }
    #expect(!FileManager.default.fileExists(atPath: place.path + "/Book.pkg"))
  }

  @Test func `versions are compared, and raised if necessary`() throws {
    let place = try BookPlace()
    let published = try place.makePackage("1.0")
    try place.write("and then", to: "Book/Chapter/More.txt")
    let next = place.path + "/Next.pkg"
    try PackageBuilder().write(place.review("1.0"), to: next)
    let comparison = try PackageComparison(of: published, with: next)
    #expect(comparison.added.map(\.string) == ["Contents/Chapter/More.txt"])
    #expect(comparison.finding?.rule == .versionNotRaised)
    let version = try #require(try comparison.requiredVersion(raising: .minor))
    #expect(version.text == "1.1")
    let editor = PackageEditor(.set(version, force: false), time: DOSTime(secondsSince1970: 1_767_225_600))
    #expect(try editor.edit(next).previousVersion.text == "1.0")
    #expect(try PackageComparison(of: published, with: next).finding == nil)
    #expect(throws: PackageEditor.EditingError.self) { try editor.edit(next) }
    #expect(Rule.versionNotRaised.summary.contains("version"))
  }

  @Test func `content that breaks a rule is reported, and cannot be packed`() throws {
    let place = try BookPlace()
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
}
#endif
