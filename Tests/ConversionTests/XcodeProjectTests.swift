import ContentPackage
import Foundation
import PackageForge
import PropertyList
import SafeFiles
import TestSupport
import Testing
import ZipArchive

@testable import Conversion

/// Xcode projects with targets for hosted content.
struct XcodeProjectTests {
  /// A handwritten project: two targets with content and one without, groups, a folder reference, localized files, a
  /// phase that copies files to a subpath, settings in braces and in parentheses.
  private static let project = """
    // !$*UTF8*$!
    {
      archiveVersion = 1;
      objectVersion = 46;
      objects = {
        ROOT /* Project object */ = {
          isa = PBXProject; mainGroup = MAIN; buildConfigurationList = PLIST; targets = (APP, BOOK, GAME, );
        };
        APP = { isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; };
        BOOK = {
          isa = PBXNativeTarget; name = "Book \\"One\\""; productName = Book; buildConfigurationList = BLIST;
          buildPhases = (BRES, BCOPY); productType = "com.apple.product-type.in-app-purchase-content";
        };
        GAME = {
          isa = PBXNativeTarget; name = Game; buildConfigurationList = GLIST; buildPhases = (GRES);
          productType = "com.apple.product-type.in-app-purchase-content";
        };
        PLIST = { isa = XCConfigurationList; buildConfigurations = (PDEBUG, PRELEASE);
          defaultConfigurationName = Release; };
        PDEBUG = { isa = XCBuildConfiguration; name = Debug; buildSettings = { PREFIX = wrong; }; };
        PRELEASE = { isa = XCBuildConfiguration; name = Release; buildSettings = {
          PREFIX = com.example; VERSION = 1.2; LEVEL = base; }; };
        BLIST = { isa = XCConfigurationList; buildConfigurations = (BRELEASE); defaultConfigurationName = Release; };
        BRELEASE = { isa = XCBuildConfiguration; name = Release; buildSettings = {
          INFOPLIST_FILE = "$(SRCROOT)/Book/Book-Info.plist"; PRODUCT_ID = "${PREFIX}.$(PRODUCT_NAME:lower)";
          LEVEL = "$(inherited).3"; }; };
        GLIST = { isa = XCConfigurationList; buildConfigurations = (GRELEASE); defaultConfigurationName = Release; };
        GRELEASE = { isa = XCBuildConfiguration; name = Release; buildSettings = { INFOPLIST_FILE = "Game/Info.plist"; }; };
        MAIN = { isa = PBXGroup; children = (BOOKGROUP, LEVELS); sourceTree = "<group>"; };
        BOOKGROUP = { isa = PBXGroup; path = Book; children = (COVER, PAGES, TEXT, NOTES, ASSETS); sourceTree = "<group>"; };
        COVER = { isa = PBXFileReference; path = "the cover.txt"; sourceTree = "<group>"; };
        PAGES = { isa = PBXFileReference; lastKnownFileType = folder; path = pages; sourceTree = "<group>"; };
        ASSETS = { isa = PBXFileReference; path = Media.xcassets; sourceTree = "<group>"; };
        TEXT = { isa = PBXVariantGroup; name = text.strings; children = (EN, DE); sourceTree = "<group>"; };
        EN = { isa = PBXFileReference; name = en; path = en.lproj/text.strings; sourceTree = "<group>"; };
        DE = { isa = PBXFileReference; name = de; path = de.lproj/text.strings; sourceTree = "<group>"; };
        NOTES = { isa = PBXFileReference; name = Notes; path = notes/a.txt; sourceTree = "<group>"; };
        LEVELS = { isa = PBXFileReference; path = Game/levels.json; sourceTree = SOURCE_ROOT; };
        BRES = { isa = PBXResourcesBuildPhase; files = (F1, F2, F3, F5); };
        BCOPY = { isa = PBXCopyFilesBuildPhase; dstPath = "extra/notes"; dstSubfolderSpec = 7; files = (F4); };
        GRES = { isa = PBXResourcesBuildPhase; files = (F6); };
        F1 = { isa = PBXBuildFile; fileRef = COVER; }; F2 = { isa = PBXBuildFile; fileRef = PAGES; };
        F3 = { isa = PBXBuildFile; fileRef = TEXT; }; F4 = { isa = PBXBuildFile; fileRef = NOTES; };
        F5 = { isa = PBXBuildFile; fileRef = ASSETS; }; F6 = { isa = PBXBuildFile; fileRef = LEVELS; };
      };
      rootObject = ROOT /* Project object */;
    }
    """

  private static let manifest = ForgedArchive.manifest("$(PRODUCT_ID)", "$(VERSION).${LEVEL}")
    .replacingOccurrences(of: "base", with: "4")

  private func makeProject(_ project: String = project) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      project.replacingOccurrences(of: "LEVEL = base", with: "LEVEL = 4"),
      to: "Shop.xcodeproj/project.pbxproj")
    try folder.write(Self.manifest, to: "Book/Book-Info.plist")
    try folder.write(ForgedArchive.manifest("com.example.game", "3"), to: "Game/Info.plist")
    for (path, text) in [
      ("Book/the cover.txt", "cover"), ("Book/pages/1/one.txt", "one"), ("Book/pages/two.txt", "two"),
      ("Book/en.lproj/text.strings", "en"), ("Book/de.lproj/text.strings", "de"), ("Book/notes/a.txt", "a"),
      ("Book/Media.xcassets/Contents.json", "{}"), ("Game/levels.json", "[]"),
    ] {
      try folder.write(text, to: path)
    }
    return folder
  }

  private func open(_ target: String, in folder: TemporaryFolder) throws -> ImportedContent {
    try ContentImporter().open(
      target: target, ofProject: "\(folder.path)/Shop.xcodeproj", spoolFolder: FileSystem.temporaryFolder)
  }

  @Test func `targets become the trees that Xcode builds`() throws {
    let folder = try makeProject()
    let path = "\(folder.path)/Shop.xcodeproj"
    #expect(ContentImporter.isProject(path))
    #expect(try ContentImporter.targets(ofProject: path) == ["Book \"One\"", "Game"])
    let book = try open("Book \"One\"", in: folder)
    #expect(
      book.source.items.map(\.path.escaped) == [
        "ContentInfo.plist", "Contents", "Contents/Media.xcassets", "Contents/Media.xcassets/Contents.json",
        "Contents/de.lproj", "Contents/de.lproj/text.strings", "Contents/en.lproj",
        "Contents/en.lproj/text.strings",
        "Contents/extra", "Contents/extra/notes", "Contents/extra/notes/a.txt", "Contents/pages",
        "Contents/pages/1",
        "Contents/pages/1/one.txt", "Contents/pages/two.txt", "Contents/the cover.txt",
      ])
    #expect(try Importing.text(book, "Contents/pages/1/one.txt") == "one")
    let info = try PackageBuilder().review(book).contentInfo
    #expect(info?.packageName == "com.example.book-1.2.4.3.pkg")
    #expect(book.changes.count == 3, "\(book.changes)")
    #expect(
      book.changes.first == "Contents/Media.xcassets is copied as it is, although Xcode would compile it")
    #expect(
      try PackageBuilder().review(open("Game", in: folder)).contentInfo?.packageName
        == "com.example.game-3.pkg")
  }

  @Test func `a missing target is reported with the existing targets`() throws {
    let folder = try makeProject()
    #expect {
      try open("App", in: folder)
    } throws: { error in
      guard case ConversionError.noTarget(_, wanted: "App", let names) = error else { return false }
      return names == ["Book \"One\"", "Game"]
    }
  }

  @Test(arguments: [
    ("PREFIX = com.example; ", ""), ("PREFIX = com.example", "PREFIX = \"$(PREFIX)\""),
    ("$(PRODUCT_NAME:lower)", "$(PRODUCT_NAME:rot13)"), ("INFOPLIST_FILE", "OTHER_FILE"),
    ("dstSubfolderSpec = 7", "dstSubfolderSpec = 0"), ("fileRef = COVER", "fileRef = NOTHING"),
    ("rootObject = ROOT", "rootObject = MAIN"), ("{\n  archiveVersion = 1;", "("),
    ("product-type.in-app-purchase-content", "product-type.bundle"),
    ("path = \"the cover.txt\"; sourceTree = \"<group>\"", "path = x; sourceTree = SDKROOT"),
    (
      "MAIN = { isa = PBXGroup; children = (BOOKGROUP", "MAIN = { isa = PBXGroup; children = (MAIN, BOOKGROUP"
    ),
  ]) func `an invalid project is refused`(_ old: String, _ new: String) throws {
    #expect(Self.project.contains(old))
    let folder = try makeProject(Self.project.replacingOccurrences(of: old, with: new))
    #expect {
      try open("Book \"One\"", in: folder)
    } throws: { error in
      if case ConversionError.damaged = error { true } else { false }
    }
  }

  /// Creates the project with its settings in configuration files.
  private func makeConfiguredProject(_ base: String, others: [(String, String)] = []) throws
    -> TemporaryFolder
  {
    let folder = try makeProject(
      Self.project.replacingOccurrences(
        of: "PREFIX = com.example; VERSION = 1.2; LEVEL = base;", with: "LEVEL = 2;"
      )
      .replacingOccurrences(
        of: "PRELEASE = { isa = XCBuildConfiguration;",
        with: "PRELEASE = { isa = XCBuildConfiguration; baseConfigurationReference = PCONF;"
      )
      .replacingOccurrences(
        of: "BRELEASE = { isa = XCBuildConfiguration;",
        with: "BRELEASE = { isa = XCBuildConfiguration; baseConfigurationReference = BCONF;"
      )
      .replacingOccurrences(
        of: "    MAIN = {",
        with: """
              PCONF = { isa = PBXFileReference; path = Config/Shop.xcconfig; sourceTree = SOURCE_ROOT; };
              BCONF = { isa = PBXFileReference; path = Config/Book.xcconfig; sourceTree = SOURCE_ROOT; };
              MAIN = {
          """))
    try folder.write(base, to: "Config/Shop.xcconfig")
    try folder.write("LEVEL = $(inherited).7 // of the book\n", to: "Config/Book.xcconfig")
    for (path, text) in others { try folder.write(text, to: path) }
    return folder
  }

  @Test func `settings come from configuration files too`() throws {
    let folder = try makeConfiguredProject(
      """
      // Settings of the shop
      #include "parts/Common.xcconfig"
      #include? "none.xcconfig"
      VERSION=1.2
      PREFIX[sdk=macosx*] = wrong
      VERSION[config=Debug] = 9
      PREFIX[sdk=iphoneos*][arch=arm64] = com.example
      """,
      others: [
        (
          "Config/parts/Common.xcconfig",
          "PREFIX = com.wrong  \r\nVERSION = 0 // for now\n#include? \"../none\"\n"
        )
      ])
    let book = try open("Book \"One\"", in: folder)
    #expect(try PackageBuilder().review(book).contentInfo?.packageName == "com.example.book-1.2.2.7.3.pkg")
  }

  @Test func `brackets in the value of a setting are no condition`() throws {
    let folder = try TemporaryFolder()
    try folder.write("A[sdk=*] = [1] = b\nB = x[2]/y = z\n", to: "a.xcconfig")
    let file = try ConfigurationFile(folder.place("a.xcconfig"), in: folder.path, of: folder.path)
    #expect(file.settings.map { "\($0)>\($1)" } == ["A[sdk=*]>[1] = b", "B>x[2]/y = z"])
  }

  @Test(arguments: [
    "#include \"Shop.xcconfig\"", "#include \"../../outside.xcconfig\"", "#include \"/etc/hosts\"",
    "#include here",
    "PREFIX = $(PREFIX)",
  ])
  func `configuration files that include files outside of the project, or themselves, are refused`(
    _ line: String
  ) throws {
    let folder = try makeConfiguredProject("PREFIX = com.example\nVERSION = 1\n\(line)\n")
    try Data("VERSION = 2".utf8).write(to: URL(fileURLWithPath: folder.path + ".outside"))
    defer { try? FileManager.default.removeItem(atPath: folder.path + ".outside") }
    #expect {
      try open("Book \"One\"", in: folder)
    } throws: { error in
      if case ConversionError.damaged = error { true } else { line.contains("outside") && error is FileError }
    }
  }

  @Test(arguments: [
    ("$(NONE:default=3)", "3"), ("$(EMPTY:default=3)", "3"), ("$(VERSION:default=3)", "1.2"),
    ("${NONE:lower:default=${VERSION}.4}", "1.2.4"), ("$(NONE:default=$(EMPTY:default=5).6)", "5.6"),
    ("$(VER$(NONE:default=SION))", "1.2"), ("$(LEVEL)", "4.4"), ("2$(NONE:default=)", "2"),
  ])
  func `a default replaces an empty or missing setting`(_ text: String, _ version: String) throws {
    let folder = try makeProject(
      Self.project.replacingOccurrences(
        of: "PREFIX = com.example;", with: "PREFIX = com.example; EMPTY = \"\";"
      )
      .replacingOccurrences(of: "$(inherited).3", with: "$(inherited).$(NONE:default=$(inherited))")
      .replacingOccurrences(of: "LEVEL = base", with: "LEVEL = \"$(inherited:default=4)\""))
    try folder.write(ForgedArchive.manifest("$(PRODUCT_ID)", text), to: "Book/Book-Info.plist")
    let book = try open("Book \"One\"", in: folder)
    #expect(try PackageBuilder().review(book).contentInfo?.contentVersion.text == version)
  }

  @Test func `settings with too many references are refused`() throws {
    let settings = (0..<20).map { "A\($0) = \"$(A\($0 + 1))$(A\($0 + 1))\";" }.joined(separator: " ")
    let folder = try makeProject(
      Self.project.replacingOccurrences(
        of: "PREFIX = com.example;", with: "PREFIX = \"com.example$(A0)\"; A20 = \"\"; \(settings)"))
    #expect {
      try open("Book \"One\"", in: folder)
    } throws: { error in
      if case ConversionError.damaged(_, let found) = error { found.contains("references") } else { false }
    }
  }

  @Test func `a missing configuration file is an error`() throws {
    let folder = try makeConfiguredProject("#include \"none.xcconfig\"")
    #expect(throws: FileError.self) { try open("Book \"One\"", in: folder) }
  }

  @Test func `a missing file is an error`() throws {
    let folder = try makeProject(Self.project.replacingOccurrences(of: "path = pages", with: "path = none"))
    #expect(throws: FileError.self) { try open("Book \"One\"", in: folder) }
  }
}
