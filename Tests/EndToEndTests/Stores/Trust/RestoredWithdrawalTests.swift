import TestSupport
import Testing

/// A catalog from before a withdrawal, restored from a backup: the withdrawn version is not offered again silently.
@Suite(.waiting, .enabled(if: Machine.has("ssh-keygen"))) struct RestoredWithdrawalTests {
  private let bench: TrustBench
  private let backup: [UInt8]
  private var work: Workspace { bench.work }

  init() throws {
    bench = try TrustBench()
    try bench.makeKeys("key")
    for version in ["1.0", "1.1"] { try bench.publish(version, by: "key").succeeds() }
    backup = try bench.work.bytes("store/catalog.json")
    try bench.work.iapkg(
      "withdraw", bench.product, "1.1", "--reason", "malware", "--to", "store", "--sign-with", "key"
    ).succeeds()
  }

  private func restore() throws { try work.write(backup, to: "store/catalog.json") }

  private func renew() throws -> [String?] {
    let document = try work.iapkg(
      "catalog", "renew", "--to", "store", "--sign-with", "key", "--at-least", "9", "--format=json"
    ).exits(0).document()
    return document["revoked"]?.elements.map { $0["contentVersion"]?.text } ?? [nil]
  }

  @Test func `a key signs no catalog that lacks its withdrawals`() throws {
    try restore()
    try work.makeBookPackage("1.2.pkg", version: "1.2")
    let before = try work.snapshot("store")
    for words in [
      ["publish", "1.2.pkg"], ["publish", "1.2.pkg", "--dry-run"], ["catalog", "renew"],
      ["withdraw", bench.product, "1.0", "--reason", "bad"],
      ["promote", bench.product, "1.1", "--channel", "b"],
      ["rollout", bench.product, "1.1", "--share", "0%"], ["catalog", "prune", "--keep", "1", "--dry-run"],
    ] {
      let outcome = try work.iapkg(words + ["--to", "store", "--sign-with", "key"])
      guard words != ["catalog", "prune", "--keep", "1", "--dry-run"] else {
        outcome.fails(76, saying: "signed catalog 3 before")
        continue
      }
      outcome.fails(76, saying: "the withdrawal of \(bench.product) 1.1", "--at-least 4", "withdraw again")
    }
    #expect(try work.snapshot("store") == before)
    #expect(try renew() == ["1.1"])
    try work.iapkg("publish", "1.2.pkg", "--to", "store", "--sign-with", "key").succeeds()
  }

  @Test func `a command repeated after an interruption remembers what it signed before`() throws {
    let withdraw = ["withdraw", bench.product, "--reason", "malware", "--to", "store", "--sign-with", "key"]
    let memory = try work.bytes("key.iapkg")
    let older = try work.bytes("store/catalog.json")
    try work.iapkg(withdraw + ["1.0"]).succeeds()
    // As if the first run had ended after it wrote the catalog, and before it wrote the memory.
    try work.write(memory, to: "key.iapkg")
    try work.iapkg(withdraw + ["1.0"]).succeeds()
    try work.write(older, to: "store/catalog.json")
    try bench.publish("1.2", by: "key").fails(76, saying: "the withdrawal of \(bench.product) 1.0")
  }

  @Test func `a command repeated after an interruption remembers the release that it published`() throws {
    let memory = try work.bytes("key.iapkg")
    try bench.publish("1.0", by: "key", of: bench.other).succeeds()
    let whole = try work.text("key.iapkg")
    try work.write(memory, to: "key.iapkg")
    try bench.publish("1.0", by: "key", of: bench.other).succeeds()
    #expect(try work.text("key.iapkg") == whole)
    try bench.publish("1.0", by: "key", of: bench.other).succeeds()
    #expect(try work.text("key.iapkg") == whole)
  }

  @Test func `a key signs no second catalog with the number of one that has a withdrawal`() throws {
    // Another copy of the key, which has not seen the withdrawal, publishes after a backup was put back.
    for name in ["key", "key.pub"] { try work.run(["cp", name, "copy-\(name)"]).exits(0) }
    try work.run(["mv", "copy-key.pub", "copy.pub"]).exits(0)
    try work.run(["mv", "copy-key", "copy"]).exits(0)
    try restore()
    try bench.publish("1.0", by: "copy", of: bench.other).succeeds()
    try bench.publish("1.1", by: "key", of: bench.other).fails(
      76, saying: "the withdrawal of \(bench.product) 1.1")
  }

  @Test func `prune keeps the files of a lost release until it is published again`() throws {
    try work.iapkg(
      "withdraw", bench.product, "1.1", "--undo", "--to", "store", "--sign-with", "key"
    ).succeeds()
    let older = try work.bytes("store/catalog.json")
    try bench.publish("1.2", by: "key").succeeds()
    try work.write(older, to: "store/catalog.json")
    try work.iapkg("catalog", "renew", "--to", "store", "--sign-with", "key", "--at-least", "9").succeeds()
    func prune() throws -> JSON {
      try work.run(["find", "store", "-exec", "touch", "--date=2 days ago", "{}", "+"]).exits(0)
      return try work.iapkg(
        "catalog", "prune", "--to", "store", "--sign-with", "key", "--format=json"
      ).exits(0).document()
    }
    #expect(try prune()["lost"]?.elements.compactMap { $0["contentVersion"]?.text } == ["1.2"])
    let files = try work.names(in: "store/releases/\(bench.product)").filter { $0.hasPrefix("1.2-") }
    #expect(Set(files.map { $0.suffix(4) }).isSuperset(of: [".pkg", "json"]))
    try bench.publish("1.2", by: "key").succeeds()
    #expect(try prune()["lost"]?.elements.isEmpty == true)
  }

  @Test func `renew names withdrawals that only a list of releases in the store has`() throws {
    try restore()
    try work.remove("key.iapkg")
    #expect(try renew() == ["1.1"])
    let text = try work.iapkg(
      "catalog", "renew", "--to", "store", "--sign-with", "key", "--at-least", "20"
    ).succeeds().output
    #expect(text.contains("\(bench.product) 1.1: withdrawn before, and offered again; withdraw it again"))
  }

  @Test func `a withdrawn version is not published again after the catalog is lost`() throws {
    try work.remove("store/catalog.json")
    let before = try work.snapshot("store")
    let words = ["publish"] + ["1.0", "1.1"].map { "\(bench.product)-\($0).pkg" }
    for options in [[], ["--dry-run"]] {
      try work.iapkg(words + ["--to", "store", "--sign-with", "key"] + options).fails(
        73, saying: "no catalog.json", "--new-catalog")
    }
    for options in [[], ["--dry-run"]] {
      try work.iapkg(words + ["--to", "store", "--sign-with", "key", "--new-catalog"] + options).exits(
        1, saying: "version 1.1 of \(bench.product) was published before and withdrawn",
        "raise ContentVersion")
    }
    #expect(try work.snapshot("store") == before)
    #expect(try work.text("key.iapkg").contains(#""withdrawn":["1.1"]"#))
  }

  @Test func `a withdrawn version that a restored catalog lacks is named as such, and not published again`()
    throws
  {
    let withdraw = ["withdraw", bench.product, "--to", "store", "--sign-with", "key"]
    try work.iapkg(withdraw + ["1.1", "--undo"]).succeeds()
    try bench.publish("1.2", by: "key").succeeds()
    try work.iapkg(withdraw + ["1.2", "--reason", "harmful"]).succeeds()
    try restore()
    try bench.publish("1.3", by: "key").fails(76, saying: "the withdrawn \(bench.product) 1.2")
    let renew = ["catalog", "renew", "--to", "store", "--sign-with", "key", "--at-least"]
    let document = try work.iapkg(renew + ["100", "--format=json"]).exits(0).document()
    #expect(document["withdrawn"]?.elements.compactMap { $0["contentVersion"]?.text } == ["1.2"])
    #expect(document["unlisted"]?.elements.isEmpty == true)
    let text = try work.iapkg(renew + ["200"]).succeeds().output
    #expect(text.contains("\(bench.product) 1.2: published and withdrawn before"))
    #expect(text.contains("publish a higher version"))
    try work.makeBook(version: "1.2")
    try work.write("another cover", to: "Book/Contents/cover.txt")
    for words in [["publish", "\(bench.product)-1.2.pkg"], ["release", "Book"]] {
      try work.iapkg(words + ["--to", "store", "--sign-with", "key"]).exits(
        1, saying: "version 1.2 of \(bench.product) was published before and withdrawn")
    }
    try bench.publish("1.3", by: "key").succeeds()
    #expect(try work.text("key.iapkg").contains(#""withdrawn":["1.2"]"#))
  }

  @Test func `an undone withdrawal is no longer required`() throws {
    for suffix in ["", ".pub"] { try work.run(["cp", "key\(suffix)", "other\(suffix)"]).exits(0) }
    try work.iapkg("withdraw", bench.product, "1.1", "--undo", "--to", "store", "--sign-with", "other")
      .succeeds()
    try bench.publish("1.2", by: "key").succeeds()
    try work.iapkg(
      "withdraw", bench.product, "1.2", "--reason", "bad", "--to", "store", "--sign-with", "key"
    ).succeeds()
    try work.iapkg("withdraw", bench.product, "1.2", "--undo", "--to", "store", "--sign-with", "key")
      .succeeds()
    try bench.publish("1.3", by: "key").succeeds()
  }

  @Test func `a reason with a control character is refused`() throws {
    for reason in ["a\u{1B}[31m", "a\u{2028}b", "a\u{2029}b"] {
      try work.iapkg("withdraw", bench.product, "1.0", "--reason", reason, "--to", "store").fails(
        64, saying: "--reason has a control character or a line separator", "Usage: iapkg withdraw ")
    }
  }

  @Test func `temporary files of a killed run are removed`() throws {
    for name in ["0123456789abcdef", "1", "2"] { try work.write("x", to: "tmp/.iapkg-\(name)/input") }
    try work.write("mine", to: "tmp/.iapkg-other/input")
    let old = ["touch", "-d", "2 minutes ago"]
    for name in ["0123456789abcdef", "1", "other"] { try work.run(old + ["tmp/.iapkg-\(name)"]).exits(0) }
    try work.makeBookPackage("other.pkg", product: bench.other)
    try work.iapkg(
      ["publish", "other.pkg", "--to", "store", "--sign-with", "key"],
      environment: ["TMPDIR": work.place("tmp")]
    ).succeeds()
    #expect(try work.names(in: "tmp").sorted() == [".iapkg-2", ".iapkg-other"])
  }

  @Test func `a pipe in place of the memory of a key is refused`() throws {
    try work.remove("key.iapkg")
    try work.run(["mkfifo", "key.iapkg"]).exits(0)
    try bench.publish("1.2", by: "key").fails(1, saying: "key.iapkg", "is a fifo, expected a regular file")
  }

  @Test func `a memory that cannot be written is a warning`() throws {
    try work.remove("key.iapkg")
    try work.makeLink("key.iapkg", to: "missing/key.iapkg")
    let words = ["cannot write key.iapkg: it is a symbolic link", "will not notice if store loses"]
    try bench.publish("1.0", by: "key", to: "new", of: nil, "--no-sandbox").exits(
      0, saying: words[0], "if new loses")
    let withdraw = ["withdraw", bench.product, "1.0", "--reason", "bad", "--to", "store"]
    try work.iapkg(withdraw + ["--sign-with", "key", "--no-sandbox", "--format=json"])
      .exits(0, saying: words[0], words[1])
    try work.remove("key.iapkg")
    try work.iapkg("catalog", "renew", "--to", "store", "--sign-with", "key").succeeds()
  }
}
