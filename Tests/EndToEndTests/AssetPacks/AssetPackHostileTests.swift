import PackageForge
import TestSupport
import Testing

/// Download manifests and archives that another program wrote or that a stopped run left behind.
@Suite(.waiting) struct AssetPackHostileTests {
  private let packs: HostedPacks
  private var work: Workspace { packs.work }

  init() throws {
    packs = try HostedPacks()
    try packs.write("book", "first")
  }

  @Test(arguments: [
    ("", "it has keys other than assetPacks"), ("\"assetPacks\": {}", "not a list"),
    ("\"assetPacks\": [3]", "has no id"),
    (entry(size: "9223372036854775807"), "downloadSize"), (entry(size: "-1"), "downloadSize"),
    (entry(size: "1.5"), "downloadSize"), (entry(size: "1e3"), "downloadSize"),
    (entry(version: "9007199254740993"), "version"), (entry(version: "\"1\""), "version"),
    (entry(address: "http://packs.example.com/a"), "does not begin with https://"),
    (entry(policy: #"{"onDemand": {}, "essential": {}}"#), "not exactly one"),
    (entry(host: "{}"), "host"), (entry(more: #", "userInfo": []"#), "not an object"),
    (entry(more: #", "id": "book""#), "appears twice"),
    ("\"assetPacks\": \(String(repeating: "[", count: 5_000))", "is not a download manifest"),
  ])
  func `a manifest with wrong values is refused and kept`(_ members: String, _ message: String) throws {
    let text = "{\(members)}"
    try work.write(text, to: "store/ios/manifest.json")
    try packs.publish().fails(76, saying: message)
    try packs.verify().fails(76, saying: message)
    try packs.prune().fails(76, saying: message)
    #expect(try work.text("store/ios/manifest.json") == text)
  }

  private static func entry(
    version: String = "1", size: String = "3", address: String = "https://packs.example.com/a",
    policy: String = #"{"onDemand": {}}"#, host: String = #"{"thirdParty": {}}"#, more: String = ""
  ) -> String {
    #"""
    "assetPacks": [{"id": "book", "url": "\#(address)", "version": \#(version), "downloadSize": \#(size),
      "downloadPolicy": \#(policy), "host": \#(host)\#(more)}]
    """#
  }

  @Test func `control characters of a manifest are not printed`() throws {
    try work.write(
      #"{"assetPacks": [{"id": "\u001b[31mred", "url": "ftp://\u001b[31m"}]}"#, to: "store/ios/manifest.json")
    let outcome = try packs.publish().exits(76)
    #expect(!outcome.errors.contains("\u{1B}"))
  }

  @Test func `the largest version cannot be raised`() throws {
    try work.write("x", to: "store/ios/packs/book/9007199254740991-0123456789abcdef.aar")
    try work.write("{\(Self.entry())}", to: "store/ios/manifest.json")
    try packs.publish().fails(1, saying: "has the maximum version, 9007199254740991")
  }

  @Test func `files with other names are not taken for archives`() throws {
    for name in [
      "01-0123456789abcdef.aar", "-1-0123456789abcdef.aar", "7-0123456789ABCDEF.aar", "8-1.aar", "a/9.aar",
    ] {
      try work.write("x", to: "store/ios/packs/book/\(name)")
    }
    try packs.publish().succeeds()
    #expect(try packs.version("book") == 1)
  }

  @Test func `wrong bytes of a stopped run under the name of an archive are replaced`() throws {
    try packs.publish().succeeds()
    let name = try #require(try work.names(in: "store/ios/packs/book").first)
    let bytes = try work.bytes("store/ios/packs/book/\(name)")
    try work.remove("store/ios/manifest.json")
    try work.write(bytes.map { $0 ^ 1 }, to: "store/ios/packs/book/\(name)")
    try packs.publish().succeeds()
    try packs.verify().succeeds()
    #expect(try packs.version("book") == 1)
  }

  @Test func `a stopped first publication continues with its archives`() throws {
    try packs.publish().succeeds()
    try work.remove("store/ios/manifest.json")
    let report = try packs.publish("--format=json").succeeds().document()["manifests"]?[0]
    #expect(report?["uploadedBytes"] == 0 && report?["rebuilt"] == .bool(false))
  }

  @Test func `a manifest that would be too large to read is not written`() throws {
    let userInfo = #", "userInfo": {"text": "\#(String(repeating: "x", count: 1_000_000))"}"#
    for index in 0..<17 { try packs.write("pack\(index)", "x", more: userInfo) }
    try packs.publish().fails(1, saying: "would have 17", "userInfo")
    #expect(!work.exists("store/ios/manifest.json"))
  }
}
