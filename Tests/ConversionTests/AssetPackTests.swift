import ContentPackage
import PackageForge
import SafeFiles
import Testing

@testable import Conversion

/// Asset packs of Background Assets.
struct AssetPackTests {
  private func manifest(
    _ policy: DownloadPolicy, _ platforms: [AssetPlatform] = [.iOS]
  ) throws -> String {
    let pack = try #require(ProductIdentifier("pack"))
    let product = try #require(ProductIdentifier("com.example.book"))
    let manifest = AssetPackManifest(identifier: pack, policy: policy, folder: product, platforms: platforms)
    return String(decoding: manifest.bytes, as: UTF8.self)
  }

  @Test func `a manifest has the keys that Apple documents`() throws {
    #expect(
      try manifest(DownloadPolicy(.onDemand, on: [.subsequentUpdate])) == """
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
          "platforms": ["iOS"]
        }

        """)
    #expect(
      try manifest(DownloadPolicy(.prefetch), [.iOS, .visionOS]).contains(
        """
        "prefetch": { "installationEventTypes": ["firstInstallation", "subsequentUpdate"] }
        """))
    #expect(
      try manifest(DownloadPolicy(.essential, on: [.firstInstallation])).contains(
        """
        "essential": { "installationEventTypes": ["firstInstallation"] }
        """))
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
    #expect(throws: ExportError.tooManyPacks(3, most: 2)) { try exporter.export(reviews, to: nil) }
    let (lower, upper) = try (#require(ProductIdentifier("a")), #require(ProductIdentifier("A")))
    #expect(throws: ExportError.collision(lower, upper)) {
      try exporter.export([reviews[0], reviews[2]], to: nil)
    }
    #expect(throws: ExportError.collision(lower, lower)) {
      try exporter.export([reviews[0], reviews[0]], to: nil)
    }
    let packs = try exporter.export([reviews[0], reviews[1]], to: nil)
    #expect(packs.map(\.identifier.text) == ["a", "b"])
  }
}
