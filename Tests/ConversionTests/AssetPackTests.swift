import ContentPackage
import PackageForge
import SafeFiles
import StrictJSON
import Testing

@testable import Conversion

/// Asset packs of Background Assets.
struct AssetPackTests {
  private func manifest(
    _ policy: DownloadPolicy, _ platforms: [AssetPlatform] = [.iOS]
  ) -> String {
    let manifest = AssetPackManifest(
      identifier: "pack", policy: policy, selectors: [.directory("com.example.book")], platforms: platforms)
    return String(decoding: manifest.bytes, as: UTF8.self)
  }

  @Test func `a manifest has the keys that Apple documents`() {
    #expect(
      manifest(DownloadPolicy(.onDemand, on: [.subsequentUpdate])) == """
        {
          "assetPackID": "pack",
          "downloadPolicy": {
            "onDemand": {}
          },
          "fileSelectors": [
            {
              "directory": "com.example.book"
            }
          ],
          "platforms": [
            "iOS"
          ]
        }

        """)
    let prefetched = manifest(DownloadPolicy(.prefetch), [.iOS, .visionOS]).filter { !$0.isWhitespace }
    #expect(
      prefetched.contains(
        #""prefetch":{"installationEventTypes":["firstInstallation","subsequentUpdate"]}"#))
    let essential = manifest(DownloadPolicy(.essential, on: [.firstInstallation])).filter { !$0.isWhitespace }
    #expect(essential.contains(#""essential":{"installationEventTypes":["firstInstallation"]}"#))
  }

  private func review(_ product: String) throws -> ContentReview {
    let bytes = ForgedArchive.book(productIdentifier: product).bytes()
    return try PackageValidator().review(of: PackageSource.open(MemoryBytes(bytes)))
  }

  @Test func `packs that cannot belong to one app are refused`() throws {
    var options = AssetPackExporter.Options()
    options.maximumPackCount = 2
    let exporter = AssetPackExporter(options)
    let reviews = try ["a", "b", "A"].map(review)
    #expect(throws: ExportError.tooManyPacks(3, maximum: 2)) { try exporter.export(reviews, to: nil) }
    let (lower, upper) = try (#require(ProductIdentifier("a")), #require(ProductIdentifier("A")))
    #expect(throws: ExportError.collision(lower, upper)) {
      try exporter.export([reviews[0], reviews[2]], to: nil)
    }
    #expect(throws: ExportError.collision(lower, lower)) {
      try exporter.export([reviews[0], reviews[0]], to: nil)
    }
    let packs = try exporter.export([reviews[0], reviews[1]], to: nil)
    #expect(packs.map(\.identifier.text) == ["a", "b"])
    let (dots, hyphens) = try (#require(ProductIdentifier("a.b")), #require(ProductIdentifier("a-b")))
    let taken = try ExportError.identifierInUse(#require(AssetPackIdentifier("a-b")), hyphens, by: dots)
    #expect(throws: taken) { try exporter.export([review("a.b"), review("a-b")], to: nil) }
  }

  @Test(arguments: ["Manifest.json", "manifest.JSON"])
  func `a product with the name of the manifest of an asset pack is refused`(_ name: String) throws {
    let product = try #require(ProductIdentifier(name))
    #expect(throws: ExportError.reservedName(product)) {
      try AssetPackExporter().export([review(name)], to: nil)
    }
    let packs = try AssetPackExporter().export([review("Manifest")], to: nil)
    #expect(packs.map(\.identifier.text) == ["Manifest"])
  }

  @Test(arguments: [
    ("com.example.book", "com-example-book"), ("com.example.big_book", "com-example-big-book"),
    ("_book", "book"), ("Book-2", "Book-2"), ("_._", nil),
  ])
  func `hyphens replace the dots and underscores of a product`(_ product: String, _ expected: String?) throws
  {
    let product = try #require(ProductIdentifier(product))
    #expect(AssetPackIdentifier(of: product)?.text == expected)
  }

  @Test func `an identifier has only characters that App Store Connect accepts`() {
    for text in ["", "-a", "a.b", "a_b", "a b", "ä", "a/b", String(repeating: "a", count: 101)] {
      #expect(AssetPackIdentifier(text) == nil, "\(text)")
    }
    #expect(AssetPackIdentifier(String(repeating: "a", count: 100)) != nil)
  }
}

/// The file that keeps the identifiers of asset packs.
struct AssetPackRegisterTests {
  private func register(_ entries: String) throws -> AssetPackRegister {
    try AssetPackRegister(bytes: Array(#"{"schemaVersion": 1, "assetPacks": [\#(entries)]}"#.utf8))
  }

  private func product(_ text: String) throws -> ProductIdentifier { try #require(ProductIdentifier(text)) }
  private func pack(_ text: String) throws -> AssetPackIdentifier { try #require(AssetPackIdentifier(text)) }

  @Test func `a product keeps its identifier, and an archived one is never assigned again`() throws {
    var register = try register(
      #"""
      {"assetPackID": "old", "productIdentifier": "a", "archived": true},
      {"assetPackID": "new", "productIdentifier": "a"}, {"assetPackID": "b", "productIdentifier": "b", "archived": true}
      """#)
    #expect(try register.identifier(for: product("a")).text == "new")
    #expect(throws: ExportError.archived(try pack("b"), try product("b"))) {
      try register.identifier(for: product("b"))
    }
    #expect(throws: ExportError.archived(try pack("OLD"), try product("c"))) {
      try register.identifier(for: product("c"), wanted: pack("OLD"))
    }
    #expect(throws: ExportError.identifierInUse(try pack("New"), try product("c"), by: try product("a"))) {
      try register.identifier(for: product("c"), wanted: pack("New"))
    }
    #expect(
      throws: ExportError.otherIdentifier(
        try product("a"), recorded: try pack("new"), wanted: try pack("newer"))
    ) { try register.identifier(for: product("a"), wanted: pack("newer")) }
    #expect(try register.identifier(for: product("b"), wanted: pack("b-2")).text == "b-2")
    #expect(throws: ExportError.noIdentifier(try product("_"))) { try register.identifier(for: product("_")) }
    #expect(try AssetPackRegister(bytes: register.bytes).bytes == register.bytes)
    #expect(String(decoding: register.bytes, as: UTF8.self).contains("\"archived\": true }"))
  }

  @Test(arguments: [
    #"{"assetPackID": "a.b", "productIdentifier": "a"}"#, #"{"assetPackID": "a"}"#,
    #"{"assetPackID": "a", "productIdentifier": "/"}"#,
    #"{"assetPackID": "a", "productIdentifier": "a", "color": 1}"#,
    #"{"assetPackID": "a", "productIdentifier": "a"}, {"assetPackID": "A", "productIdentifier": "b"}"#,
    #"{"assetPackID": "a", "productIdentifier": "a"}, {"assetPackID": "b", "productIdentifier": "a"}"#,
  ])
  func `a file that contradicts itself is refused`(_ entries: String) {
    #expect(throws: DocumentError.self) { try register(entries) }
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"schemaVersion": 2, "assetPacks": []}"#, #"{"schemaVersion": 1, "packs": []}"#,
  ])
  func `a file of another format is refused`(_ text: String) {
    #expect(throws: DocumentError.self) { try AssetPackRegister(bytes: Array(text.utf8)) }
  }
}
