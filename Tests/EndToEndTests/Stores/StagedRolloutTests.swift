import ContentPackage
import Delivery
import Support
import TestSupport
import Testing

/// Staged rollouts to two clients of a store behind nginx.
@Suite(.waiting, .enabled(if: ["nginx", "python3"].allSatisfy(Machine.has)))
struct StagedRolloutTests {
  private let work: Workspace
  private let server: WebServer
  private let product = "com.example.book"

  /// A store with version 1.0, which both clients have. For versions 2.0 and 3.0, the client `first` is in every rollout
  /// from 10 %, and `last` in none below 90 %.
  init() throws {
    work = try Workspace()
    try work.makeBookPackage("1.0.pkg", version: "1.0")
    try work.iapkg("publish", "1.0.pkg", "--to", "store").succeeds()
    server = try WebServer(work, "store")
    try makeClient("first") { $0 < 0.1 }
    try makeClient("last") { $0 >= 0.9 }
  }

  /// Returns the position of a client in the rollout of a version, from 0 up to 1. A client whose position is below the
  /// share takes part.
  ///
  /// The position is the first 53 bits of the SHA-256 of its number, the product and the version.
  private func position(_ number: String, _ version: String) -> Double {
    let digest = SHA256Digest(of: Array("\(number)\0\(product)\0\(version)".utf8)).hexadecimal
    return Double((UInt64(digest.prefix(16), radix: 16) ?? 0) >> 11) / Double(1 << 53 as UInt64)
  }

  private func makeClient(_ client: String, _ isWanted: (Double) -> Bool) throws {
    let numbers = (0...).lazy.map { (index: Int) in String(index, radix: 16, width: 32) }
    let number = try #require(
      numbers.first { number in ["2.0", "3.0"].allSatisfy { isWanted(position(number, $0)) } })
    try fetch(client).succeeds()
    try work.write("\(number)\n", to: "\(client)/.iapkg/number")
  }

  @discardableResult
  private func fetch(_ client: String, _ more: String...) throws -> Outcome {
    try work.iapkg(
      ["fetch", product, "--from", server.address, "--into", client] + more)
  }

  private func outdated(_ client: String, _ more: String...) throws -> Outcome {
    try work.iapkg(["outdated", "--into", client] + more)
  }

  private func update(_ client: String, _ more: String...) throws -> Outcome {
    try work.iapkg(["update", "--into", client] + more)
  }

  private func publish(_ version: String, _ more: String...) throws {
    try work.makeBookPackage("\(version).pkg", version: version)
    try work.iapkg(["publish", "\(version).pkg", "--to", "store"] + more).succeeds()
  }

  @discardableResult
  private func rollout(_ share: String, _ more: String...) throws -> Outcome {
    try work.iapkg(["rollout", product, "--to", "store", "--share", share] + more)
  }

  private func installed(_ client: String) throws -> String? {
    try work.iapkg("status", "--into", client, "--format=json").succeeds().document()["products"]?[0]?[
      "contentVersion"]?.text
  }

  @Test func `a release in rollout reaches the clients of its share, and all at the end`() throws {
    try publish("2.0", "--rollout", "10%")
    #expect(
      try outdated("first").succeeds().output.contains(
        "2.0 is available, in rollout (10 %); an update transfers"))
    let newer = try outdated("first", "--exit-code", "--format=json").exits(1).document()
    #expect(newer["products"]?[0]?["availableVersion"] == "2.0")
    #expect(newer["products"]?[0]?["share"] == .number(0.1) && newer["pending"] == .array([]))
    #expect(
      try outdated("last").succeeds().output.contains(
        "everything is up to date\ncom.example.book: 2.0 is in rollout (10 %), and not yet for this folder; iapkg "
      ))
    let held = try outdated("last", "--exit-code", "--format=json").succeeds().document()
    #expect(held["products"] == .array([]) && held["pending"]?[0]?["contentVersion"] == "2.0")
    #expect(
      held["pending"]?[0]?["installedVersion"] == "1.0" && held["pending"]?[0]?["share"] == .number(0.1))
    for client in ["first", "last"] { try update(client).succeeds() }
    #expect(try installed("first") == "2.0" && installed("last") == "1.0")
    #expect(try fetch("last").succeeds().output.contains("1.0 is already installed"))

    #expect(
      try rollout("50%").succeeds().output == "com.example.book 2.0: in rollout (50 %), catalog 3\n")
    try update("last").succeeds()
    #expect(try installed("last") == "1.0")
    #expect(
      try work.iapkg("catalog", "--from", "store").succeeds().output.contains(
        "in 2 files and ContentInfo.plist, in rollout (50 %)\n"))
    let ended = try rollout("100%", "--format=json").succeeds().document()
    #expect(ended["outcome"] == "changed" && ended["rollout"] == .null && ended["contentVersion"] == "2.0")
    #expect(try update("last").succeeds().output.contains("installed com.example.book 2.0"))
    #expect(try outdated("first").succeeds().output == "everything is up to date\n")
    try rollout("50%").fails(66, saying: "no version of com.example.book in store is in rollout")
    try work.iapkg("catalog", "verify", "--from", "store", "--deep").succeeds()
  }

  @Test func `a dry run of a rollout shows it, and changes nothing`() throws {
    try publish("2.0", "--rollout", "10%")
    let before = try work.snapshot("store")
    let planned = try rollout("50%", "--dry-run", "--format=json").succeeds().document()
    #expect(planned["outcome"] == "would-change" && planned["rollout"]?["share"] == .number(0.5))
    #expect(planned["sequence"] == 2)
    #expect(
      try rollout("100%", "--dry-run").succeeds().output
        == "com.example.book 2.0: would be for all clients, catalog 2\n")
    #expect(try rollout("10%", "--dry-run").succeeds().output.contains("in rollout (10 %) already"))
    try work.iapkg(
      ["rollout", product, "2.0", "--share", "50%", "--to", server.address, "--dry-run"],
      environment: ["no_proxy": "127.0.0.1"]
    ).exits(0)
    #expect(try work.snapshot("store") == before)
  }

  @Test func `a paused rollout reaches no further client, and removes nothing`() throws {
    try publish("2.0", "--rollout", "10%")
    try update("first").succeeds()
    let paused = try rollout("0%", "--format=json").succeeds().document()
    #expect(paused["rollout"]?["share"] == 0 && paused["rollout"]?["until"] == .null)
    #expect(try rollout("0%").succeeds().output.contains("in rollout (0 %), paused already"))
    for more in [[], ["--now"]] {
      let output = try work.iapkg(["update", "--into", "last"] + more).succeeds().output
      #expect(
        output.contains("2.0 is in rollout (0 %), paused until the publisher resumes it with iapkg rollout"))
      #expect(try installed("last") == "1.0")
    }
    #expect(
      try outdated("last").succeeds().output.contains(
        "2.0 is in rollout (0 %), paused until the publisher resumes it"))
    #expect(try update("first").succeeds().output.contains("2.0 is up to date"))
    #expect(try fetch("first").succeeds().output.contains("2.0 is already installed"))
    #expect(try installed("first") == "2.0")
  }

  @Test func `a first installation follows the rollout too`() throws {
    let other = "com.example.other"
    try work.makeBookPackage("other.pkg", product: other)
    try work.iapkg("publish", "other.pkg", "--to", "store", "--rollout", "0%").succeeds()
    let words = ["fetch", other, "--from", server.address, "--into", "last"]
    try work.iapkg(words).fails(66, saying: "\(other) 1.0 is in rollout (0 %)", "it is paused")
    let output = try work.iapkg("fetch", other, "--from", server.address, "-o", "other-copy.pkg")
    output.fails(66, saying: "\(other) 1.0 is in rollout (0 %), and it is paused")
    #expect(!output.errors.contains("Documents"))
    try work.iapkg(words + ["--content-version", "1.0"]).succeeds()
  }

  @Test func `update --now and fetch --output skip the rollout`() throws {
    try publish("2.0", "--rollout", "0.0001%")
    #expect(try update("last", "--now").succeeds().output.contains("installed com.example.book 2.0"))
    try work.iapkg(["fetch", product, "--from", server.address, "-o", "file.pkg"]).exits(0)
    #expect(try work.bytes("file.pkg") == work.bytes("2.0.pkg"))
  }

  @Test func `release and publish start a rollout, and refuse invalid shares and schedules`() throws {
    try work.makeBook(version: "2.0")
    try work.write("more", to: "Book/Contents/more.txt")
    for words in [["release", "Book"], ["publish", "1.0.pkg"]] {
      for bad in ["10", "101%", "-1%", "NaN", "NaN%", "1e2%", "9223372036854775808%", "0.00001%"] {
        try work.iapkg(words + ["--to", "store", "--rollout=\(bad)"]).fails(64, saying: "is not a share")
      }
      for bad in ["7", "0d", "-1d", "367d", "9223372036854775807d", "9223372036854775808h", "1w", "", "d"] {
        try work.iapkg(words + ["--to", "store", "--rollout", "10%", "--schedule=\(bad)"]).fails(64)
      }
      try work.iapkg(words + ["--to", "store", "--rollout", "10%", "--schedule", "367d"]).fails(
        64, saying: "--schedule is 367d, expected 1h to 366d")
      try work.iapkg(words + ["--to", "store", "--schedule", "7d"]).fails(64, saying: "--rollout")
      for share in ["0%", "100%"] {
        try work.iapkg(words + ["--to", "store", "--rollout", share, "--schedule", "7d"]).fails(
          64, saying: "--schedule requires a share that grows")
      }
    }
    try rollout("200%").fails(64, saying: "is not a share")
    try rollout("0%", "--schedule", "7d").fails(64, saying: "pauses")
    try work.iapkg("release", "Book", "--to", "store", "--rollout", "10%").succeeds()
    try update("first").succeeds()
    try update("last").succeeds()
    #expect(try installed("first") == "2.0" && installed("last") == "1.0")
    // Publishers compare with the newest release of the channel.
    #expect(
      try work.iapkg("release", "Book", "--to", "store", "--dry-run", "--format=json").succeeds().document()[
        "published"]?[0]?["outcome"] == "unchanged")
    let scheduled = try work.iapkg(
      "rollout", product, "2.0", "--to", "store", "--share", "20%", "--schedule", "48h", "--format=json"
    ).succeeds().document()["rollout"]
    let since = try #require(scheduled?["since"]?.text.flatMap(Timestamp.init))
    #expect(scheduled?["until"]?.text == since.adding(days: 2).description)
    try work.iapkg("rollout", product, "3.0", "--to", "store", "--share", "20%").fails(66)
    try work.iapkg("withdraw", product, "2.0", "--reason", "a fault", "--to", "store").succeeds()
    try work.iapkg("rollout", product, "2.0", "--to", "store", "--share", "20%").fails(
      1, saying: "was withdrawn: a fault")
  }

  @Test func `a critical release skips the rollout, and is announced`() throws {
    try publish("2.0", "--rollout", "0%", "--critical-below", "2.0")
    for client in ["first", "last"] {
      #expect(
        try outdated(client).succeeds().output.contains("2.0 is available, critical, in rollout (0 %); an"))
      let document = try outdated(client, "--exit-code", "--format=json").exits(2).document()
      #expect(document["products"]?[0]?["critical"] == true)
    }
    try update("last").succeeds()
    #expect(try installed("last") == "2.0")
    try publish("3.0", "--rollout", "10%")
    // The later release stays critical below 2.0, also when the critical one was pruned.
    let first = try outdated("first", "--exit-code", "--format=json").exits(2).document()
    #expect(first["products"]?[0]?["availableVersion"] == "3.0" && first["products"]?[0]?["critical"] == true)
    try rollout("100%").succeeds()
    try work.iapkg("catalog", "prune", "--keep", "1", "--to", "store").succeeds()
    try outdated("first", "--exit-code").exits(2)
    let last = try outdated("last", "--exit-code", "--format=json").exits(1).document()
    #expect(last["products"]?[0]?["critical"] == false)
    #expect(try outdated("last").succeeds().output.contains("3.0 is available; an update"))
  }

  @Test func `a release that is critical for all has no rollout`() throws {
    try publish("2.0", "--critical")
    #expect(
      try work.iapkg("catalog", "--from", "store").succeeds().output.contains(
        "in 2 files and ContentInfo.plist, critical\n"))
    let list = try work.iapkg("catalog", "--from", "store", "--format=json").succeeds().document()
    #expect(list["products"]?[0]?["releases"]?[0]?["critical"]?["below"] == .null)
    #expect(list["products"]?[0]?["releases"]?[1]?["critical"] == .null)
    try work.iapkg("rollout", product, "2.0", "--share", "0%", "--to", "store").fails(
      1, saying: "2.0 is critical, so it skips rollouts; stop it with iapkg withdraw")
    try outdated("last", "--exit-code").exits(2)
    try work.iapkg("withdraw", product, "2.0", "--reason", "x", "--to", "store").succeeds()
    try outdated("last", "--exit-code").succeeds()
    for words in [["publish", "1.0.pkg"], ["release", "Book"]] {
      let words = words + ["--to", "store", "--critical"]
      try work.iapkg(words + ["--rollout", "10%"]).fails(
        64, saying: "--critical cannot be combined with --rollout")
      try work.iapkg(words + ["--critical-below", "2.0"]).fails(64, saying: "cannot be combined")
    }
    try work.iapkg("publish", "1.0.pkg", "--to", "store", "--critical-below", "x").fails(64)
    try work.makeBook(version: "4.0")
    try work.write("more", to: "Book/Contents/more.txt")
    try work.iapkg("release", "Book", "--to", "store", "--critical").succeeds()
    try outdated("first", "--exit-code").exits(2)
  }
}
