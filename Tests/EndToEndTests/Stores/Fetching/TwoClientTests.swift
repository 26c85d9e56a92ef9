import Delivery
import TestSupport
import Testing

/// Promotions, descriptions and a restored store, with two clients behind nginx.
@Suite(.waiting, .enabled(if: ["ssh-keygen", "nginx", "python3"].allSatisfy(Machine.has)))
struct TwoClientTests {
  private let work: Workspace
  private let server: WebServer
  private let product = "com.example.book"
  private let clients = ["first", "last"]

  /// A signed store with version 1.0, which both clients have.
  init() throws {
    work = try Workspace()
    try work.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", work.place("key")]).exits(0)
    server = try WebServer(work, "store")
    try publish("1.0")
    for client in clients {
      let words = ["fetch", product, "--from", server.address, "--trust", "key.pub", "--into", client]
      try work.iapkg(words).succeeds()
    }
  }

  private func change(_ command: String..., more: [String] = []) throws -> Outcome {
    try work.iapkg(command + ["--to", "store", "--sign-with", "key"] + more)
  }

  private func publish(_ version: String, _ more: String...) throws {
    try work.makeBookPackage("\(version).pkg", version: version)
    try change("publish", "\(version).pkg", more: more).exits(0)
  }

  /// Checks that both clients can update to a version.
  private func expectUpdate(to version: String) throws {
    for client in clients {
      try work.iapkg("update", "--into", client).succeeds()
      let status = try work.iapkg("status", "--into", client, "--format=json").succeeds().document()
      #expect(status["products"]?[0]?["contentVersion"]?.text == version, "\(client)")
    }
  }

  @Test func `a promoted release, its notes and its metadata reach both clients`() throws {
    try work.write("Two *new* pages", to: "en.md")
    try publish("1.1", "--channel", "beta", "--notes", "en=en.md", "--metadata", "theme=dark")
    try expectUpdate(to: "1.0")
    try change("promote", product, "1.1", "--channel", "stable").succeeds()
    for client in clients {
      let newer = try work.iapkg("outdated", "--into", client, "--format=json").succeeds().document()
      let release = try #require(newer["products"]?[0])
      #expect(release["availableVersion"] == "1.1" && release["metadata"]?["theme"] == "dark")
      #expect(try work.iapkg("outdated", "--into", client).succeeds().output.contains("Two *new* pages"))
    }
    try expectUpdate(to: "1.1")
  }

  @Test func `both clients refuse a restored store until its catalog is renewed`() throws {
    try work.run(["cp", "-r", "store", "backup"]).exits(0)
    try publish("1.1")
    try expectUpdate(to: "1.1")
    try work.run(["cp", "backup/catalog.json", "store/catalog.json"]).exits(0)
    for client in clients {
      try work.iapkg("update", "--into", client).exits(76, saying: "renew --at-least")
    }
    let renewed = try change("catalog", "renew", more: ["--at-least", "3"]).succeeds().output
    #expect(renewed.contains("com.example.book 1.1: published before"))
    for client in clients { try work.iapkg("update", "--into", client).succeeds() }
    try publish("1.2")
    try expectUpdate(to: "1.2")
  }
}
