import PackageForge
import TestSupport
import Testing

/// The identifiers of asset packs, which `export` keeps in `asset-packs.json`.
struct AssetPackIdentifierTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.makeBookPackage()
  }

  private func export(_ folder: String, _ words: String...) throws -> Outcome {
    try work.iapkg(["export", "Book.pkg", "--background-assets", folder] + words)
  }

  @Test func `a pack keeps its identifier in later exports`() throws {
    try export("One", "--asset-pack-id", "the-book").succeeds()
    let register = """
      {
        "schemaVersion": 1,
        "assetPacks": [
          { "assetPackID": "the-book", "productIdentifier": "com.example.book" }
        ]
      }

      """
    #expect(try work.text("asset-packs.json") == register)
    try export("Two").succeeds()
    #expect(try work.names(in: "Two") == [".iapkg-packs.json", "the-book"])
    #expect(try work.text("asset-packs.json") == register)
    try export("Three", "--asset-pack-id", "other").fails(
      1, saying: "has the ID the-book", "\"archived\": true")
    try work.write(
      register.replacing("book\" }", with: "book\", \"archived\": true }"), to: "asset-packs.json")
    try export("Three", "--asset-pack-id", "the-book").fails(1, saying: "is archived")
    try export("Three").succeeds()
    #expect(try work.names(in: "Three") == [".iapkg-packs.json", "com-example-book"])
    #expect(!work.exists("Four"))
  }

  @Test func `identifiers that App Store Connect refuses are usage errors`() throws {
    for identifier in ["com.example.book", "a_b", "-a", String(repeating: "a", count: 101)] {
      try export("Packs", "--asset-pack-id=\(identifier)").exits(64)
    }
  }

  @Test func `products whose identifiers collide are refused`() throws {
    try work.makeBookPackage("Other.pkg", product: "com.example-book")
    try work.iapkg("export", "Book.pkg", "Other.pkg", "--background-assets", "Packs")
      .fails(1, saying: "the asset pack ID com-example-book of com.example-book is used by com.example.book")
    try export("Packs").succeeds()
    try work.iapkg("export", "Other.pkg", "--background-assets", "More").fails(1, saying: "--asset-pack-id")
    #expect(!work.exists("More"))
  }

  @Test func `an invalid file of identifiers is refused`() throws {
    try work.write("{}", to: "ids.json")
    try export("Packs", "--asset-packs", "ids.json").fails(
      78, saying: "ids.json is not valid", "schemaVersion")
    try work.makeFolder("folder")
    try export("Packs", "--asset-packs", "folder").fails(66, saying: "folder")
    try export("Packs", "--asset-packs", "none/ids.json").fails(73, saying: "none/ids.json")
    #expect(!work.exists("Packs"))
    #expect(!work.exists("Packs"))
  }

  @Test func `the file of identifiers does not become content`() throws {
    try work.makeBook()
    try work.iapkg("export", "Book", "--background-assets", "Packs", "--asset-packs", "Book/asset-packs.json")
      .fails(73, saying: "would lie in Book")
    #expect(!work.exists("Packs") && !work.exists("Book/asset-packs.json"))
  }
}
