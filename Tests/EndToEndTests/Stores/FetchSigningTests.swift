import Foundation
import PackageForge
import TestSupport
import Testing

/// The trust of a fetch in OpenSSH keys.
@Suite(.waiting, .enabled(if: Machine.has("ssh-keygen")))
struct FetchSigningTests {
  private let work: Workspace
  private let product = "com.example.book"

  init() throws {
    work = try Workspace()
    for name in ["key", "other"] {
      let words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", name]
      #expect(try work.run(words).code == 0)
    }
  }

  private func publish(_ version: String, _ more: String...) throws {
    try work.makeBookPackage("\(version).pkg", version: version)
    try work.iapkg(["publish", "\(version).pkg", "--to", "store"] + more).succeeds()
  }

  private func fetch(_ more: String...) throws -> Outcome {
    try work.iapkg(["fetch", product, "--from", "store"] + more)
  }

  @Test func `a catalog that no trusted key signed is refused`() throws {
    try publish("1.0", "--sign-with", "key")
    try fetch("--trust", "other.pub").fails(76, saying: "is not trusted")
    #expect(!work.exists("Documents/com.example.book"))
    try fetch("--trust", "key.pub").succeeds()
  }

  @Test func `an unsigned catalog is refused where a key is trusted`() throws {
    try publish("1.0")
    try fetch("--trust", "key.pub").fails(76, saying: "is not signed")
    #expect(!work.exists("Documents/com.example.book"))
  }

  @Test func `the first key is shown and remembered, and another one must be named`() throws {
    try publish("1.0", "--sign-with", "key")
    let fingerprint = try work.run(["ssh-keygen", "-l", "-f", "key.pub"]).output.split(separator: " ")[1]
    #expect(try fetch().succeeds().output.contains("signed by \(fingerprint), which is remembered"))
    try publish("1.1", "--sign-with", "other", "--new-key")
    try work.iapkg("update").fails(76, saying: "name it with --trust")
    try fetch().fails(76, saying: "name it with --trust")
    try work.iapkg("update", "--trust", "other.pub").succeeds()
    try publish("1.2", "--sign-with", "other")
    try work.iapkg("update").succeeds()
    #expect(try work.iapkg("status").succeeds().output.contains("\(product) 1.2"))
  }

  @Test func `a store that was not signed may be signed from now on`() throws {
    try publish("1.0")
    try fetch().succeeds()
    try publish("1.1", "--sign-with", "key")
    try work.iapkg("update").succeeds()
    try publish("1.2", "--sign-with", "other", "--new-key")
    try work.iapkg("update").fails(76, saying: "expected the key SHA256:")
  }

  @Test func `a key that is remembered holds for every store, however it is spelled`() throws {
    try publish("1.0", "--sign-with", "key")
    try work.iapkg("publish", "1.0.pkg", "--to", "unsigned").succeeds()
    try work.iapkg("publish", "1.0.pkg", "--to", "foreign", "--sign-with", "other").succeeds()
    try fetch("--trust", "key.pub").succeeds()
    for store in ["unsigned", "foreign", "./unsigned/"] {
      try work.iapkg("fetch", product, "--from", store).fails(76, saying: "expected the key SHA256:")
    }
    try work.iapkg("fetch", product, "--from", "foreign", "--trust", "other.pub").succeeds()
    try fetch().fails(76, saying: "expected the key SHA256:")
  }

  @Test(arguments: ["", "{}", "garbage"])
  func `what is remembered is not forgotten where it is damaged`(_ origin: String) throws {
    try publish("1.0", "--sign-with", "key")
    try fetch().succeeds()
    try work.write(origin, to: "Documents/.iapkg/origins/\(product)")
    try fetch().fails(74, saying: "is damaged")
    try work.iapkg("update", product).fails(74, saying: "is damaged")
    try fetch("--trust", "key.pub").succeeds()
    try work.iapkg("update", product).succeeds()
  }

  @Test func `a signature cannot be taken off`() throws {
    try publish("1.0", "--sign-with", "key")
    try fetch().succeeds()
    try work.remove("store")
    try publish("1.0")
    try publish("1.1")
    try work.iapkg("update").fails(76, saying: "is not signed")
  }

  @Test func `an expired catalog installs nothing new, unless that is allowed`() throws {
    try publish("1.0", "--expires", "1")
    // Rewrites the catalog of an unsigned store with an expiry in the past.
    let envelope = try JSON(parsing: try work.text("store/catalog.json"))
    let payload = try #require(envelope["payload"]?.text.flatMap { Data(base64Encoded: $0) })
    let text = String(decoding: payload, as: UTF8.self)
    let expires = try #require(try JSON(parsing: text)["expires"]?.text)
    let past = Data(text.replacingOccurrences(of: expires, with: "2001-01-01T00:00:00Z").utf8)
    try work.write(
      try work.text("store/catalog.json").replacingOccurrences(
        of: payload.base64EncodedString(), with: past.base64EncodedString()), to: "store/catalog.json")
    try fetch().fails(76, saying: "expired at 2001-01-01T00:00:00Z")
    #expect(!work.exists("Documents/com.example.book"))
    try fetch("--allow-expired").succeeds()
    try work.iapkg("status", "--verify").succeeds()
  }
}
