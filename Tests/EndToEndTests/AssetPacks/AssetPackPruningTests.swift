import PackageForge
import TestSupport
import Testing

/// `export --download-manifest --prune`: old archives of self-hosted asset packs.
@Suite(.waiting) struct AssetPackPruningTests {
  private let packs: HostedPacks
  private var work: Workspace { packs.work }

  /// Publishes three versions of a pack and one of another.
  init() throws {
    packs = try HostedPacks()
    try packs.write("game", "first")
    for content in ["first", "second", "third"] {
      try packs.write("book", content)
      try packs.publish().succeeds()
    }
  }

  @Test func `archives that the manifest has not named for long are deleted`() throws {
    try work.write("half", to: "store/ios/packs/book/.4-0123456789abcdef.aar.iapkg-1234")
    try work.write("mine", to: "store/ios/packs/notes.txt")
    #expect(try packs.prune("--older-than=1").succeeds().output.contains("0 files deleted"))
    try packs.age(days: 2)
    #expect(try packs.prune().succeeds().output.contains("0 files deleted"))
    try work.remove("store/.iapkg-lock")
    let before = try work.snapshot("store")
    let planned = try packs.prune("--older-than=1", "--dry-run", "--format=json").succeeds().document()
    #expect(planned["deleted"]?.elements.count == 3)
    #expect(try work.snapshot("store") == before)
    let pruned = try packs.prune("--older-than=1", "--format=json").succeeds().document()
    #expect(pruned["deleted"] == planned["deleted"] && pruned["deletedBytes"] == planned["deletedBytes"])
    #expect(try packs.archives("book") == ["3"] && packs.archives("game") == ["1"])
    #expect(work.exists("store/ios/packs/notes.txt"))
    try packs.verify().succeeds()
  }

  @Test func `an archive stays as long as a recent manifest named it`() throws {
    try packs.age(days: 40)
    try packs.write("book", "fourth")
    try packs.publish().succeeds()
    try packs.prune().succeeds()
    #expect(try packs.archives("book") == ["3", "4"])
  }

  @Test func `an archive of a stopped run is written again before a manifest names it`() throws {
    let old = try work.bytes("store/ios/manifest.json")
    try packs.write("book", "fourth")
    try packs.publish().succeeds()
    try packs.age(days: 40)
    try work.write(old, to: "store/ios/manifest.json")
    try packs.publish().succeeds()
    try packs.prune().succeeds()
    #expect(try packs.archives("book") == ["3", "4"] && packs.version("book") == 4)
  }

  @Test func `an old archive that no manifest named does not replace the named one`() throws {
    let old = try work.bytes("store/ios/manifest.json")
    for content in ["fourth", "fifth"] {
      try packs.write("book", content)
      try packs.publish().succeeds()
      try work.write(old, to: "store/ios/manifest.json")
    }
    try packs.age(days: 40)
    try packs.write("book", "sixth")
    try packs.publish().succeeds()
    try packs.prune().succeeds()
    #expect(try packs.archives("book") == ["3", "4", "6", "8"])
    try packs.age(days: 40)
    try packs.prune().succeeds()
    #expect(try packs.archives("book") == ["8"])
  }

  @Test func `the newest archive of a removed pack stays, so that its version never falls`() throws {
    try work.remove("Packs/book")
    try packs.publish("--remove=book").succeeds()
    try packs.age(days: 40)
    try packs.prune().succeeds()
    #expect(try packs.archives("book") == ["3"])
    try packs.write("book", "again")
    try packs.publish().succeeds()
    #expect(try packs.version("book") == 4)
  }

  @Test func `nothing is deleted without a valid manifest`() throws {
    try packs.age(days: 40)
    try work.write("{}", to: "store/ios/manifest.json")
    try packs.prune().fails(76, saying: "is not a download manifest")
    try work.remove("store/ios/manifest.json")
    try packs.prune().fails(69, saying: "manifest.json is missing")
    #expect(try packs.archives("book") == ["1", "2", "3"])
    try packs.prune("--platform=macOS").fails(66, saying: "has no asset packs")
    try packs.prune(of: "nowhere").fails(66, saying: "has no asset packs")
    #expect(!work.exists("nowhere"))
  }

  @Test func `a bucket is pruned like a folder`() throws {
    let bucket = try BucketServer(work)
    let store = "\(bucket.folder)/shop"
    for content in ["first", "second", "third"] {
      try packs.write("book", content)
      try packs.publish(to: BucketServer.store, environment: bucket.environment).exits(0)
    }
    try packs.age(days: 40, store)
    try packs.prune(of: BucketServer.store, environment: bucket.environment).exits(0)
    #expect(try packs.archives("book", in: store) == ["3"])
    try packs.verify(BucketServer.store, environment: bucket.environment).exits(0)
  }

  @Test func `options of a publication are refused`() throws {
    for option in [
      "--older-than=0", "--older-than=36501", "--verify", "--base-url=https://a.example", "--remove=book",
      "--at-least=2", "--new-manifest", "--background-assets=Packs", "--pack", "--policy=essential", "Packs",
      "--exclude=a", "--asset-packs=a.json",
    ] { try packs.prune(option).exits(64) }
    try packs.publish("--older-than=3").exits(64)
    try packs.publish("--policy=essential").exits(64)
    try packs.publish("--platform=iOS").exits(64)
    try packs.publish("--exclude=a").exits(64)
  }
}
