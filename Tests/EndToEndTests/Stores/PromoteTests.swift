import ContentPackage
import Delivery
import TestSupport
import Testing

/// Promotion of releases to other channels.
@Suite(.waiting) struct PromoteTests {
  private let work: Workspace
  private let product = "com.example.book"

  init() throws { work = try Workspace() }

  private func publish(_ version: String, _ more: String...) throws {
    try work.makeBookPackage("\(version).pkg", version: version)
    try work.iapkg(["publish", "\(version).pkg", "--to", "store"] + more).succeeds()
  }

  private func promote(
    _ version: String, to channel: String = "stable", _ more: String...
  ) throws -> Outcome {
    try work.iapkg(["promote", product, version, "--channel", channel, "--to", "store"] + more)
  }

  private func fetched(_ more: String...) throws -> JSON? {
    let words = ["fetch", product, "--from", "store", "--dry-run", "--format=json"]
    return try work.iapkg(words + more).succeeds().document()["products"]?[0]?["contentVersion"]
  }

  @Test func `a promotion lists the same bytes in another channel and uploads nothing`() throws {
    try publish("1.0")
    try publish("1.1", "--channel", "beta")
    #expect(try fetched() == "1.0")
    let releases = try work.snapshot("store/releases")
    let planned = try promote("1.1", "--dry-run", "--format=json").succeeds().document()
    #expect(planned["outcome"] == "would-promote" && planned["sequence"] == 2)
    #expect(try fetched() == "1.0")
    let document = try promote("1.1", "--format=json").succeeds().document()
    #expect(document["command"] == "promote" && document["outcome"] == "promoted")
    #expect(document["sequence"] == 3 && document["channel"] == "stable")
    #expect(document["channels"] == .array(["beta", "stable"]))
    #expect(try work.snapshot("store/releases") == releases)
    #expect(try fetched() == "1.1")
    #expect(try fetched("--channel", "beta") == "1.1")
    #expect(try work.catalog().products.values.first?.contentVersion.text == "1.1")
    try work.iapkg("catalog", "verify", "--from", "store", "--deep").succeeds()
    let listed = try work.iapkg("catalog", "--from", "store", "--format=json").succeeds().document()
    let release = try #require(listed["products"]?[0]?["releases"]?[0])
    #expect(release["channel"] == "beta" && release["channels"] == .array(["beta", "stable"]))
    #expect(try work.iapkg("catalog", "--from", "store").succeeds().output.contains("1.1  beta, stable  "))
  }

  @Test func `a change reports the version as the release spells it`() throws {
    try publish("1.1", "--channel", "beta")
    #expect(try promote("1.1.0", "--format=json").succeeds().document()["contentVersion"] == "1.1")
    let withdraw = ["withdraw", product, "1.1.0", "--to", "store"]
    let document = try work.iapkg(withdraw + ["--reason", "a fault", "--format=json"]).succeeds().document()
    #expect(document["contentVersion"] == "1.1")
    let undone = try work.iapkg(withdraw + ["--undo"]).succeeds()
    #expect(undone.output == "com.example.book 1.1: no longer withdrawn, catalog 4\n")
  }

  @Test func `promoting a version again succeeds and changes nothing`() throws {
    try publish("1.0", "--channel", "beta")
    try promote("1.0").succeeds()
    let before = try work.snapshot("store")
    let again = try promote("1.0").succeeds()
    #expect(again.output == "com.example.book 1.0: is already in the channel 'stable', catalog 2\n")
    #expect(
      try promote("1.0", to: "beta", "--format=json").succeeds().document()["outcome"] == "already-promoted")
    #expect(try work.snapshot("store") == before)
    // The same package is published already, in both channels.
    for channel in ["beta", "stable"] {
      let words = ["publish", "1.0.pkg", "--to", "store", "--channel", channel]
      #expect(try work.iapkg(words).succeeds().output.contains("already published"))
    }
    try work.iapkg("publish", "1.0.pkg", "--to", "store", "--channel", "nightly").fails(
      1, saying: "in the channels 'beta', 'stable', from which it can be promoted",
      "[version/already-published]", "add it to the channel 'nightly' with iapkg promote")
  }

  @Test func `a version below the highest of the channel requires --allow-older`() throws {
    try publish("1.0", "--channel", "beta")
    try publish("2.0")
    let before = try work.snapshot("store")
    let refused = try promote("1.0").fails(
      1, saying: "[version/not-raised]", "use --allow-older to list an older version too", "is not above 2.0")
    #expect(!refused.errors.contains("bump"))
    try promote("1.0", "--dry-run").fails(1, saying: "[version/not-raised]")
    #expect(try work.snapshot("store") == before)
    try work.iapkg("withdraw", product, "2.0", "--reason", "x", "--to", "store").succeeds()
    try promote("1.0").fails(1, saying: "[version/not-raised]")
    try work.iapkg("withdraw", product, "2.0", "--undo", "--to", "store").succeeds()
    try promote("1.0", "--allow-older").succeeds()
    #expect(try fetched() == "2.0")
  }

  @Test func `a withdrawn, missing or incomplete release is not promoted`() throws {
    try publish("1.0", "--channel", "beta")
    try work.iapkg("withdraw", product, "1.0", "--reason", "a fault", "--to", "store").succeeds()
    try promote("1.0").fails(1, saying: "1.0 was withdrawn: a fault; undo it first")
    try work.iapkg("withdraw", product, "1.0", "--undo", "--to", "store").succeeds()
    try promote("3.0").fails(66, saying: "no version 3.0")
    try work.iapkg("promote", "com.example.other", "1.0", "--channel", "stable", "--to", "store").fails(66)
    try work.iapkg("promote", product, "1.0", "--channel", "stable", "--to", "nowhere").fails(66)
    try work.iapkg("promote", product, "1.0", "--to", "store").fails(64)
    try promote("1.0", to: "../x").fails(64, saying: "is not a channel")
    let folder = "store/releases/\(product)"
    let package = try "\(folder)/\(#require(work.names(in: folder).first { $0.hasSuffix(".pkg") }))"
    var bytes = try work.bytes(package)
    bytes[bytes.count / 2] ^= 1
    try work.write(bytes, to: package)
    try promote("1.0").fails(76, saying: ".pkg does not match the catalog")
    try publish("1.0", "--channel", "beta")
    try work.remove("\(folder)/\(#require(work.names(in: folder).first { $0.hasSuffix(".pages") }))")
    try promote("1.0").fails(69, saying: ".pages")
  }

  @Test func `prune keeps a release for each of its channels`() throws {
    try publish("1.0", "--channel", "beta")
    try promote("1.0").succeeds()
    try publish("2.0", "--channel", "beta")
    let pruned = try work.iapkg(
      "catalog", "prune", "--to", "store", "--keep", "1", "--format=json"
    ).succeeds().document()
    #expect(pruned["releases"] == .array([]))
    try publish("3.0")
    let next = try work.iapkg(
      "catalog", "prune", "--to", "store", "--keep", "1", "--format=json"
    ).succeeds().document()
    #expect(next["releases"]?.elements.map { $0["contentVersion"] } == ["1.0"])
  }

  @Test func `release compares with a promoted release`() throws {
    try work.makeBook()
    try work.iapkg("release", "Book", "--to", "store", "--channel", "beta").succeeds()
    try promote("1.0").succeeds()
    let document = try work.iapkg("release", "Book", "--to", "store", "--format=json").succeeds().document()
    #expect(document["published"]?[0]?["outcome"] == "unchanged")
  }
}
