import PackageForge
import TestSupport
import Testing

/// Imports of Xcode projects: references out of the project, and outputs within their sources.
@Suite(.waiting) struct ProjectImportTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.write("one", to: "App/pages/one.txt")
    try work.write("a secret", to: "shared/other.txt")
    try work.write(ForgedArchive.manifest("com.example.book", "1.0"), to: "App/Info.plist")
  }

  /// Creates a project with one target, which copies the folder at `path`.
  private func makeProject(
    _ path: String, tree: String = "<group>", manifest: String = "Info.plist", second: String? = nil
  ) throws {
    let target = """
      BOOK2 = { isa = PBXNativeTarget; name = Second; productName = Second; buildConfigurationList = LIST2;
        buildPhases = (COPY); productType = "com.apple.product-type.in-app-purchase-content"; };
      LIST2 = { isa = XCConfigurationList; buildConfigurations = (RELEASE2); defaultConfigurationName = Release; };
      RELEASE2 = { isa = XCBuildConfiguration; name = Release;
        buildSettings = { INFOPLIST_FILE = "\(second ?? "")"; }; };
      """
    let project = """
      {
        archiveVersion = 1; objectVersion = 46;
        objects = {
          ROOT = { isa = PBXProject; mainGroup = MAIN; buildConfigurationList = LIST; targets = (BOOK\(second == nil ? "" : ", BOOK2")); };
          \(second == nil ? "" : target)
          BOOK = { isa = PBXNativeTarget; name = Book; productName = Book; buildConfigurationList = LIST;
            buildPhases = (COPY); productType = "com.apple.product-type.in-app-purchase-content"; };
          LIST = { isa = XCConfigurationList; buildConfigurations = (RELEASE); defaultConfigurationName = Release; };
          RELEASE = { isa = XCBuildConfiguration; name = Release;
            buildSettings = { INFOPLIST_FILE = "\(manifest)"; }; };
          MAIN = { isa = PBXGroup; children = (PAGES); sourceTree = "<group>"; };
          PAGES = { isa = PBXFileReference; lastKnownFileType = folder; path = "\(path)"; sourceTree = "\(tree)"; };
          COPY = { isa = PBXResourcesBuildPhase; files = (FILE); };
          FILE = { isa = PBXBuildFile; fileRef = PAGES; };
        };
        rootObject = ROOT;
      }
      """
    try work.write(project, to: "App/Shop.xcodeproj/project.pbxproj")
  }

  private func run(_ output: String) throws -> Outcome {
    try work.iapkg("import", "App/Shop.xcodeproj", "-o", output, "--force")
  }

  @Test func `no output lies in a folder that a target copies, or replaces its manifest`() throws {
    try makeProject("pages")
    let before = try work.snapshot()
    for output in ["App/pages/New.pkg", "App/Shop.xcodeproj/New.pkg"] {
      try run(output).exits(73, saying: "would lie in")
    }
    try work.iapkg("import", "App/Shop.xcodeproj", "--folder", "App/pages/New").exits(
      73, saying: "would lie in")
    #expect(try work.snapshot() == before)
    try run("App/New.pkg").exits(0)
    try work.makeLink("App/link.pkg", to: "Info.plist")
    try run("App/link.pkg").exits(73, saying: "which is never replaced")
  }

  @Test(arguments: [
    ".", "./", "../Shop.xcodeproj", "../Shop.xcodeproj/", "../Shop.xcodeproj/.", "xcuserdata/..",
  ])
  func `a project can be the current folder or have any form of path`(_ path: String) throws {
    try makeProject("pages", manifest: "$(PROJECT_NAME)-Info.plist")
    try work.write(ForgedArchive.manifest("com.example.book", "1.0"), to: "App/Shop-Info.plist")
    try work.makeFolder("App/Shop.xcodeproj/xcuserdata")
    func run(_ output: String...) throws -> Outcome {
      try work.iapkg(
        ["import", path] + output,
        through: ["/bin/sh", "-c", "cd App/Shop.xcodeproj && exec \"$0\" \"$@\""])
    }
    try run().fails(73, saying: "would lie in", "name an output outside of it")
    try run("-o", "../../Book.pkg").exits(0)
    try run("--folder", "../../New").exits(0)
    #expect(try work.text("New/com.example.book/Contents/pages/one.txt") == "one")
    try work.iapkg("validate", "Book.pkg").succeeds()
  }

  @Test(arguments: [[], ["--force"], ["--dry-run"], ["--folder", "products"]])
  func `two targets with one product and version are refused before any output`(_ more: [String]) throws {
    try makeProject("pages", second: "Info.plist")
    let before = try work.snapshot()
    try work.iapkg(["import", "App/Shop.xcodeproj"] + more).exits(
      64, saying: "Book and Second both belong to the product com.example.book", "choose one with --target")
    #expect(try work.snapshot() == before)
    try work.iapkg("import", "App/Shop.xcodeproj", "--target", "Second").exits(0)
  }

  @Test func `two versions of a product become two packages, but not two folders`() throws {
    try work.write(ForgedArchive.manifest("com.example.book", "2.0"), to: "App/Second.plist")
    try makeProject("pages", second: "Second.plist")
    try work.iapkg("import", "App/Shop.xcodeproj", "--folder", "products").exits(
      64, saying: "Book and Second both belong to the product com.example.book; choose one with --target")
    try work.iapkg("import", "App/Shop.xcodeproj").exits(0)
    #expect(try work.bytes("com.example.book-1.0.pkg") != work.bytes("com.example.book-2.0.pkg"))
  }

  @Test func `a single target becomes a folder named after its product too`() throws {
    try makeProject("pages")
    let words = ["import", "App/Shop.xcodeproj", "--folder"]
    for options in [[], ["--target", "Book"]] {
      let document = try work.iapkg(words + ["out", "--dry-run", "--format=json"] + options).succeeds()
        .document()
      #expect(document["path"] == "out/com.example.book")
      #expect(!work.exists("out"))
      try work.iapkg(words + ["out"] + options).succeeds()
      #expect(try work.names(in: "out") == ["com.example.book"])
      try work.iapkg("validate", "out/com.example.book").succeeds()
      for option in [[], ["--dry-run"]] {
        try work.iapkg(words + ["out"] + options + option).fails(73, saying: "the folder is not empty")
        try work.iapkg(words + ["none/out"] + options + option).fails(73, saying: "cannot create none/out")
      }
      try work.remove("out")
    }
  }

  @Test(arguments: ["Book", "Book/Contents", "Book/Contents/pages", "Book/Contents/New", "Book/Documents"])
  func `nothing is installed into a content folder`(_ documents: String) throws {
    try work.makeBook()
    try work.makeBookPackage()
    try work.iapkg("publish", "Book.pkg", "--to", "store").exits(0)
    let before = try work.snapshot()
    for words in [["extract", "Book.pkg"], ["fetch", "com.example.book", "--from", "store"], ["update"]] {
      for option in [[], ["--dry-run"]] {
        try work.iapkg(words + ["--into", documents] + option).fails(
          73, saying: "content folder", "next package")
        #expect(try work.snapshot() == before)
      }
    }
    try work.iapkg("create", "Book", "-o", "Other.pkg").succeeds()
  }

  @Test func `no content folder is created in another one`() throws {
    try makeProject("pages")
    try work.makeBook()
    try work.makeBookPackage()
    let before = try work.snapshot()
    for option in [[], ["--dry-run"]] {
      for folder in ["Book", "Book/Contents", "Book/New", "Book/Contents/pages/New"] {
        try work.iapkg(["import", "App/Shop.xcodeproj", "--folder", folder] + option).fails(
          73, saying: "content folder", "become a part of its next package")
      }
      try work.iapkg(["import", "Book.pkg", "--folder", "Book/Contents/New"] + option).fails(
        73, saying: "is in the content folder")
      try work.iapkg(["export", "Book.pkg", "--background-assets", "Book/New"] + option).fails(
        73, saying: "is in the content folder")
    }
    try work.iapkg("init", "Book/Contents/New/Inner", "--product-id", "a", "--parents").fails(
      73, saying: "is in the content folder")
    #expect(try work.snapshot() == before)
  }

  @Test(arguments: ["../shared", "pages/../../shared", "link", "absolute"])
  func `a reference out of the project is refused in any form`(_ path: String) throws {
    try work.makeLink("App/link", to: "../shared")
    try makeProject(
      path == "absolute" ? work.place("shared") : path, tree: path == "absolute" ? "<absolute>" : "<group>")
    try run("New.pkg").fails(65, saying: "leads out of the folder of the project; copy its target")
    #expect(!work.exists("New.pkg"))
  }

  @Test func `a manifest outside of the project is refused`() throws {
    try work.write(ForgedArchive.manifest("com.example.book", "1.0"), to: "shared/Info.plist")
    try makeProject("pages", manifest: "../shared/Info.plist")
    try run("New.pkg").fails(65, saying: "'../shared/Info.plist' leads out of the folder of the project")
  }
}
