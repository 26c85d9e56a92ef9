import ContentPackage
import Delivery
import PackageForge
import TestSupport
import Testing

/// Updates of large files, of which only the changed chunks are downloaded.
@Suite(.waiting) struct LargeUpdateTests {
  /// The compression of a large file in the package.
  enum Kind: CaseIterable {
    case stored, deflated

    var content: [UInt8] {
      let noise = Noise.bytes(9 << 20)
      // Three of four bits of each byte are random.
      return self == .stored ? noise : noise.map { $0 & 0x3F }
    }
  }

  private static let product = "com.example.book"
  private let work: Workspace

  init() throws { work = try Workspace() }

  /// Returns a number in the JSON document of a command.
  private func figure(_ arguments: [String], _ find: (JSON) -> JSON?) throws -> Int64 {
    let outcome = try work.iapkg(arguments + ["--format", "json"])
    #expect(outcome.code == 0, "\(outcome)")
    return try #require(find(outcome.document())?.integer, "\(outcome)")
  }

  /// Publishes and installs a version, and creates the folder and package of the next one. Its large file has one changed
  /// and one inserted byte.
  private func prepare(_ kind: Kind) throws {
    var content = kind.content
    try work.makeBook("Old")
    try work.write(content, to: "Old/Contents/large.dat")
    try work.iapkg("create", "Old", "-o", "Old.pkg").succeeds()
    content[6_000_000] ^= 1
    content.insert(7, at: 1_000)
    try work.makeBook("New", version: "1.1")
    try work.write(content, to: "New/Contents/large.dat")
    try work.iapkg("create", "New", "-o", "New.pkg").succeeds()
    try work.iapkg("publish", "Old.pkg", "--to", "store").succeeds()
    try work.iapkg("fetch", Self.product, "--from", "store").succeeds()
  }

  @Test(arguments: Kind.allCases)
  func `every command reports the same update size, and the update transfers as much`(_ kind: Kind) throws {
    try prepare(kind)
    let expected = try figure(["publish", "New.pkg", "--to", "store", "--dry-run"]) {
      $0["published"]?[0]?["updateBytes"]
    }
    // Two chunks of at most 256 KiB, and the index.
    #expect(expected < 600_000)
    for old in ["Old", "Old.pkg"] {
      for new in ["New", "New.pkg"] {
        #expect(try figure(["diff", old, new]) { $0["downloadBytes"] } == expected, "\(old) \(new)")
      }
    }
    for new in ["New", "New.pkg"] {
      let report = ["report", new, "--against", "store", "-o", "page.html", "--force"]
      #expect(try figure(report) { $0["updateBytes"] } == expected, "\(new)")
    }
    #expect(
      try figure(["release", "New", "--to", "store"]) { $0["published"]?[0]?["updateBytes"] } == expected)
    #expect(try figure(["outdated"]) { $0["products"]?[0]?["transferBytes"] } == expected)
    try work.iapkg("catalog", "--from", "store", "--html", "-o", "catalog.html").succeeds()
    #expect(try work.text("catalog.html").contains("\"updateBytes\":\(expected)"))
    let update = try work.iapkg("update", "--format", "json").exits(0).document()["products"]?[0]
    let transferred = try #require(update?["transferredBytes"]?.integer)
    // The catalog and the list of releases count too.
    #expect((expected...expected + 5_000).contains(transferred))
    #expect(try work.bytes("Documents/\(Self.product)/large.dat") == work.bytes("New/Contents/large.dat"))
    try work.iapkg("status", "--verify").succeeds()
  }

  @Test func `a file that another program deflated has small updates too`() throws {
    let content = Kind.stored.content
    var archive = ForgedArchive.book()
    archive.add(.file("Contents/large.dat", content, method: .deflated))
    try work.write(archive.bytes(), to: "Old.pkg")
    try work.iapkg("publish", "Old.pkg", "--to", "store").exits(0)
    var chunks = 0
    try work.publishedIndex("store/releases/\(Self.product)").read(packageBytes: Limits.maximumBytes) {
      chunks += $0.chunks.count
    }
    #expect(chunks == 0)
    try work.iapkg("fetch", Self.product, "--from", "store").exits(0)
    try work.makeBook("New", version: "1.1")
    try work.write(content + [1], to: "New/Contents/large.dat")
    let expected = try figure(["release", "New", "--to", "store"]) { $0["published"]?[0]?["updateBytes"] }
    #expect(expected < 300_000)
    #expect(try figure(["diff", "Old.pkg", "New"]) { $0["downloadBytes"] } == expected)
    #expect(try figure(["outdated"]) { $0["products"]?[0]?["transferBytes"] } == expected)
    try work.iapkg("update").exits(0)
    #expect(try work.bytes("Documents/\(Self.product)/large.dat") == content + [1])
  }
}
