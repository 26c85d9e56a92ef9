import Foundation
import PackageForge
import TestSupport
import Testing

/// The state remembered for a store applies to all of its products.
@Suite(.waiting, .enabled(if: Machine.has("ssh-keygen")))
struct FetchTrustTests {
  private let work: Workspace
  private let product = "com.example.book"
  private let other = "com.example.other"
  private let stores = "Documents/.iapkg/stores"

  init() throws {
    work = try Workspace()
    for name in ["key", "new"] {
      let words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", name]
      #expect(try work.run(words).code == 0)
    }
  }

  private func publish(_ product: String, _ version: String, to store: String = "store", _ more: String...)
    throws
  {
    let name = "\(product)-\(version).pkg"
    if !work.exists(name) { try work.makeBookPackage(name, product: product, version: version) }
    // A warning is for a key that signed later catalogs before.
    try work.iapkg(["publish", name, "--to", store] + more).exits(0)
  }

  private func fetch(_ product: String, from store: String = "store", _ more: String...) throws -> Outcome {
    try work.iapkg(["fetch", product, "--from", store] + more)
  }

  /// Replaces the store by one with other catalogs.
  private func replaceStore(_ more: String...) throws {
    try work.remove("store")
    for product in [product, other] {
      try work.iapkg(["publish", "\(product)-1.0.pkg", "--to", "store", "--new-catalog"] + more).exits(0)
    }
  }

  private func note() throws -> String { "\(stores)/\(try #require(try work.names(in: stores).first))" }

  private func fingerprint(_ key: String) throws -> String {
    String(try work.run(["ssh-keygen", "-l", "-f", "\(key).pub"]).output.split(separator: " ")[1])
  }

  @Test
  func `another key, no signature and an older catalog are refused for a further product and after remove`()
    throws
  {
    for product in [product, other] { try publish(product, "1.0", "--sign-with", "key") }
    try publish(product, "1.1", "--sign-with", "key")
    try fetch(product, "--trust", "key.pub").succeeds()
    for _ in 0..<2 {
      try replaceStore("--sign-with", "new")
      try fetch(other).fails(76, saying: "expected the key \(fingerprint("key")) as before")
      try replaceStore()
      try fetch(other).fails(76, saying: "is not signed, expected the key")
      try replaceStore("--sign-with", "key")
      try fetch(other).fails(76, saying: "the next catalog must be above 3")
      #expect(!work.exists("Documents/\(other)"))
      if work.exists("Documents/\(product)") { try work.iapkg("remove", product).succeeds() }
    }
    #expect(try work.text(note()).contains("\"sequence\":3"))
  }

  @Test func `a first fetch that ends early remembers the keys that were named and what was seen`() throws {
    for product in [product, other] { try publish(product, "1.0", "--sign-with", "key") }
    let folder = "store/releases/\(product)"
    let package = try #require(try work.names(in: folder).first { $0.hasSuffix(".pkg") })
    let bytes = try work.bytes("\(folder)/\(package)")
    try work.write([UInt8](repeating: 0, count: bytes.count), to: "\(folder)/\(package)")
    try fetch(product, "--trust", "key.pub").exits(76)
    #expect(!work.exists("Documents/\(product)"))
    #expect(try work.text(note()).contains("\"sequence\":2"))
    try replaceStore("--sign-with", "new")
    try fetch(product).fails(76, saying: "expected the key \(fingerprint("key")) as before")
  }

  @Test func `keys that did not sign the refused catalog are not remembered`() throws {
    try publish(other, "1.0", to: "elsewhere")
    try fetch(other, from: "elsewhere").succeeds()
    try publish(product, "1.0", "--sign-with", "new")
    try fetch(product, "--trust", "key.pub").exits(76)
    #expect(try work.names(in: stores).count == 1, "only that of the other store")
    try fetch(product, "--trust", "new.pub").succeeds()
    try publish(product, "1.1", "--sign-with", "key", "--new-key")
    try work.iapkg("update").exits(76, saying: "expected the key \(fingerprint("new")) as before")
  }

  @Test func `keys of a first fetch that is refused for them are not recorded in a missing Documents folder`()
    throws
  {
    try publish(product, "1.0", "--sign-with", "new")
    for options in [["--dry-run"], []] {
      try work.iapkg(["fetch", product, "--from", "store", "--trust", "key.pub"] + options).exits(76)
      #expect(!work.exists(stores))
    }
  }

  @Test func `keys stay that were named in a run refused for the number of the catalog`() throws {
    for version in ["1.0", "1.1"] { try publish(product, version, "--sign-with", "key") }
    try fetch(product).succeeds()
    try work.remove("store")
    try publish(product, "1.0", "--sign-with", "key", "--new-catalog")
    try fetch(product, "--trust", "new.pub").fails(76, saying: "although 2 was seen before")
    #expect(try work.text(note()).contains(fingerprint("new")))
  }

  @Test(arguments: ["--trust", "--trust-only"])
  func `keys for an update of several stores belong to those that they signed for`(_ option: String) throws {
    try publish(product, "1.0", "--sign-with", "key")
    try publish(other, "1.0", to: "elsewhere", "--sign-with", "key")
    try fetch(product).succeeds()
    try fetch(other, from: "elsewhere").succeeds()
    let before = try work.snapshot(stores)
    try work.iapkg("update", option, "new.pub").fails(76, saying: "none of the 2 stores")
    try work.iapkg("outdated", option, "new.pub").fails(76, saying: "none of the 2 stores")
    #expect(try work.snapshot(stores) == before)

    try publish(other, "1.1", to: "elsewhere", "--sign-with", "new", "--new-key")
    try work.iapkg("update", option, "new.pub").succeeds()
    try publish(product, "1.1", "--sign-with", "new", "--new-key")
    try work.iapkg("update").exits(76, saying: "expected the key \(fingerprint("key")) as before")
    try publish(product, "1.2", "--sign-with", "key", "--new-key")
    try work.iapkg("update").succeeds()
    try publish(other, "1.2", to: "elsewhere", "--sign-with", "key", "--new-key")
    try work.iapkg("update").exits(option == "--trust" ? 0 : 76)
  }

  @Test func `looking at a store that is signed from now on adopts no key`() throws {
    try publish(product, "1.0")
    try fetch(product).succeeds()
    try publish(other, "1.0", "--sign-with", "key")
    try work.iapkg("outdated").succeeds()
    #expect(try !work.text(note()).contains(fingerprint("key")))
    #expect(try fetch(other).exits(0).output.contains(fingerprint("key")))
    #expect(try work.text(note()).contains(fingerprint("key")))
  }

  @Test func `the program may read the keys that replace all others`() throws {
    try publish(product, "1.0", "--sign-with", "key")
    try work.run([BuiltProgram.path, "fetch", product, "--from", "store", "--trust-only", "key.pub"]).exits(0)
    try work.run([BuiltProgram.path, "update", "--trust-only", "new.pub"]).exits(76)
  }

  @Test func `two catalogs with one sequence number are refused with an error`() throws {
    try publish(product, "1.0", "--sign-with", "key")
    try fetch(product).succeeds()
    try work.remove("store")
    try publish(other, "1.0", "--sign-with", "key", "--new-catalog")
    try fetch(other).fails(76, saying: "of a catalog seen before, but other content")
    try work.iapkg("outdated").fails(76, saying: "but other content")
  }

  @Test func `all keys of --trust are remembered, also those that sign later`() throws {
    try work.write(try work.text("key.pub") + work.text("new.pub"), to: "keys")
    try publish(product, "1.0", "--sign-with", "key")
    try fetch(product, "--trust", "keys").succeeds()
    try publish(product, "1.1", "--sign-with", "new", "--new-key")
    try work.iapkg("update").succeeds()
    try publish(other, "1.0", "--sign-with", "new")
    try fetch(other).succeeds()
  }

  @Test func `--trust adds keys, and --trust-only replaces them`() throws {
    try publish(product, "1.0", "--sign-with", "key")
    try fetch(product, "--trust", "key.pub").succeeds()
    try fetch(product, "--trust", "new.pub").succeeds()
    try fetch(product, "--trust-only", "new.pub").fails(76, saying: "is not trusted")
    try publish(product, "1.1", "--sign-with", "new", "--new-key")
    try work.iapkg("update", "--trust-only", "new.pub").succeeds()
    #expect(try !work.text(note()).contains(fingerprint("key")))
    try publish(product, "1.2", "--sign-with", "key", "--new-key")
    try work.iapkg("update").fails(76, saying: "expected the key \(fingerprint("new"))")
    try fetch(product, "--trust", "key.pub", "--trust-only", "key.pub").fails(
      64, saying: "cannot be combined with")
  }

  @Test func `a key is remembered with its validity`() throws {
    let key = try work.text("key.pub")
    try work.write("* valid-before=\"20010101\" \(key)", to: "old")
    try publish(product, "1.0", "--sign-with", "key")
    try fetch(product, "--trust", "key.pub").succeeds()
    try publish(product, "1.1", "--sign-with", "new", "--new-key")
    try work.iapkg("update", "--trust-only", "new.pub").succeeds()
    try work.iapkg("update", "--trust", "old").succeeds()
    try publish(product, "1.2", "--sign-with", "key", "--new-key")
    try work.iapkg("update").fails(
      76, saying: "a key that was trusted until 2001-01-01", "with --trust")
  }

  @Test func `a product keeps the keys of its origin in a mirror`() throws {
    try work.write(try work.text("key.pub") + work.text("new.pub"), to: "keys")
    try publish(product, "1.0", "--sign-with", "key")
    try fetch(product, "--trust", "keys").succeeds()
    try publish(product, "1.0", to: "foreign")
    try fetch(product, from: "foreign").fails(76, saying: "expected the key", "only the publisher can help")
    try publish(product, "1.1", to: "mirror", "--sign-with", "key")
    try fetch(product, from: "mirror").succeeds()
    try publish(product, "1.2", to: "mirror", "--sign-with", "new", "--new-key")
    try work.iapkg("update").succeeds()
  }

  @Test func `notes of earlier versions hold for the whole store, also once their product was removed`()
    throws
  {
    for product in [product, other] { try publish(product, "1.0", "--sign-with", "key") }
    try fetch(product).succeeds()
    let store = work.place("store")
    let note = """
      {"store":"\(store)","channel":"stable","signer":"\(try fingerprint("key"))","sequence":2}

      """
    for removing in [false, true] {
      if work.exists(stores) { try work.remove(stores) }
      try work.write(note, to: "Documents/.iapkg/origins/\(product)")
      if removing { try work.iapkg("remove", product).succeeds() }
      try replaceStore()
      try fetch(other).fails(76, saying: "is not signed, expected the key")
      try work.remove("store")
      try publish(other, "1.0", "--sign-with", "key", "--new-catalog")
      try fetch(other).fails(76, saying: "although 2 was seen before")
      try replaceStore("--sign-with", "key")
    }
    try fetch(other).succeeds()
    #expect(try work.names(in: stores).count == 1)
    try work.iapkg("update").succeeds()
  }

  @Test func `a note on a store that is damaged is not forgotten`() throws {
    try publish(product, "1.0", "--sign-with", "key")
    try fetch(product).succeeds()
    for text in ["", "{}", "garbage"] {
      try work.write(text, to: try note())
      try work.iapkg("update").fails(74, saying: "is damaged")
      try work.iapkg("update", "--trust", "key.pub").succeeds()
      try work.iapkg("update").succeeds()
    }
  }

  @Test func `a rehearsal remembers nothing`() throws {
    try publish(product, "1.0", "--sign-with", "key")
    try fetch(product).succeeds()
    try publish(product, "1.1", "--sign-with", "key")
    let before = try work.snapshot("Documents")
    try work.iapkg("update", "--dry-run").succeeds()
    try fetch(product, "--trust", "new.pub", "--dry-run").succeeds()
    #expect(try work.snapshot("Documents") == before)
    try work.iapkg("outdated").succeeds()
    #expect(try work.text(note()).contains("\"sequence\":2"))
  }

  @Test func `a product goes back to the stable channel when that is newer, which is remembered at once`()
    throws
  {
    for command in ["fetch", "update"] {
      for name in ["store", "Documents"] where work.exists(name) { try work.remove(name) }
      try publish(product, "1.0")
      try publish(product, "2.0", "--channel", "beta")
      try fetch(product, "--channel", "beta").succeeds()
      let words = command == "fetch" ? ["fetch", product, "--from", "store"] : ["update"]
      let stays = try work.iapkg(words + ["--channel", "stable"]).succeeds().output
      #expect(stays.contains("2.0 stays installed until the channel 'stable' has a newer version than 1.0"))
      #expect(try work.text("Documents/.iapkg/origins/\(product)").contains("\"channel\":\"stable\""))
      try publish(product, "2.1", "--channel", "beta")
      #expect(try work.iapkg("update").succeeds().output.contains("2.0 stays installed"))
      try publish(product, "3.0")
      #expect(try work.iapkg("update").succeeds().output.contains("installed \(product) 3.0 in place of 2.0"))
    }
  }
}
