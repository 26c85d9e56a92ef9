import Foundation
import PackageForge
import TestSupport
import Testing

/// Failures of a store other than attacks: each has its own message, and temporary ones are retried.
@Suite(.waiting) struct FetchTroubleTests {
  private let work: Workspace
  private let product = "com.example.book"
  private let page = "\n<!DOCTYPE html><html><body>Welcome to our network</body></html>"

  init() throws {
    work = try Workspace()
    try work.makeBookPackage()
    try work.iapkg("publish", "Book.pkg", "--to", "store").succeeds()
  }

  private func fetch(_ address: String, _ more: String...) throws -> Outcome {
    try work.iapkg(["fetch", product, "--from", address] + more, environment: ["no_proxy": "127.0.0.1"])
  }

  /// Serves the files of the store, except where `other` returns a response.
  private func server(
    _ other: @escaping @Sendable (_ path: String, _ body: [UInt8]) -> ScriptedServer.Reply?
  ) throws -> ScriptedServer {
    try ScriptedServer { [work] request, _ in
      let body = (try? work.bytes("store\(request.path)")) ?? []
      return other(request.path, body) ?? ScriptedServer.answer(200, [], body)
    }
  }

  @Test func `a sign-in page in place of the catalog is reported as such, and retried`() throws {
    let server = try server { [page] path, _ in
      path == "/catalog.json" ? ScriptedServer.answer(200, ["Content-Type: text/html"], page) : nil
    }
    try fetch(server.address).fails(
      69, saying: "is a web page, not a catalog", "does this network ask you to sign in?", "trying again")
  }

  @Test func `a mirror with a new catalog without its objects is retried`() throws {
    let server = try server { path, _ in path.contains("/products") ? ScriptedServer.answer(404) : nil }
    let outcome = try fetch(server.address).fails(
      69, saying: "is missing, although the catalog refers to it", "new catalog without its objects",
      "note: trying again: ", "try again later")
    #expect(outcome.errors.components(separatedBy: "try again later").count == 2, "\(outcome)")
    try work.remove("store/products")
    try fetch("store").fails(69, saying: "new catalog without its objects")
  }

  @Test func `a proxy that requires a password gets no second request`() throws {
    let server = try ScriptedServer { _, _ in
      ScriptedServer.answer(407, ["Proxy-Authenticate: Basic realm=x"])
    }
    for (store, variable) in [
      ("https://store.invalid/shop", "https_proxy"), ("http://store.invalid/shop", "http_proxy"),
    ] {
      let before = server.received.count
      // libcurl reads the environment of its process, which must not be that of the tests.
      try work.iapkg(
        "fetch", product, "--from", store, environment: [variable: server.address], through: ["env"]
      ).fails(69, saying: "answered with status 407: a proxy requires a user name and password")
      #expect(server.received.count == before + 1)
    }
  }

  @Test(arguments: [
    (
      "htp://u:topsecret@127.0.0.1:1",
      "http_proxy names a proxy of the kind 'htp', expected http, https or socks5"
    ),
    ("http://u:topsecret@[::1", "http_proxy is not the address of a proxy"),
    ("u:topsecret://x@127.0.0.1:1", "http_proxy is not the address of a proxy"),
  ])
  func `an unusable proxy is named without its password`(_ proxy: String, _ message: String) throws {
    for (store, variables) in [
      ("http://store.invalid/shop", [:]),
      ("s3://bucket/shop", BucketScript.environment(port: "1").merging(["no_proxy": ""]) { $1 }),
    ] {
      let outcome = try work.iapkg(
        "fetch", product, "--from", store, environment: variables.merging(["http_proxy": proxy]) { $1 },
        through: ["env"]
      ).fails(64, saying: message)
      #expect(!outcome.errors.contains("topsecret") && !outcome.errors.contains("trying again"), "\(outcome)")
    }
  }

  @Test func `a password in the address of a store is not printed`() throws {
    let outcome = try work.iapkg(
      "fetch", product, "--from", "http://u:topsecret@127.0.0.1:1/", "--format=json"
    ).exits(64, saying: "names a user or password")
    #expect(!outcome.errors.contains("topsecret") && !outcome.output.contains("topsecret"), "\(outcome)")
  }

  @Test func `retries of a refused connection are reported once, and not with --quiet`() throws {
    let server = try ScriptedServer { _, _ in nil }
    let address = server.address
    server.close()
    for options in [[], ["--progress=json"]] {
      let outcome = try work.iapkg(
        ["fetch", product, "--from", address] + options, environment: ["no_proxy": "127.0.0.1"]
      ).exits(69)
      #expect(outcome.errors.components(separatedBy: "trying again").count == 2, "\(outcome)")
    }
    #expect(try !fetch(address, "--quiet").exits(69).errors.contains("trying again"))
  }

  @Test func `a store that cannot be reached is reported once for all its products`() throws {
    try work.makeBookPackage("Other.pkg", product: "com.example.other")
    try work.iapkg("publish", "Other.pkg", "--to", "store").succeeds()
    let server = try server { _, _ in nil }
    try work.iapkg(
      "fetch", product, "com.example.other", "--from", server.address, environment: ["no_proxy": "127.0.0.1"]
    ).succeeds()
    server.close()
    for command in ["outdated", "update"] {
      let outcome = try work.iapkg(command, "--format=json", environment: ["no_proxy": "127.0.0.1"]).exits(69)
      #expect(outcome.errors.components(separatedBy: "error: ").count == 2, "\(outcome)")
      let document = try outcome.document()
      #expect((document["unread"] ?? document["products"])?.elements.count == 2, "\(outcome)")
    }
  }

  @Test(arguments: [
    "Range: bytes=0-1", "host: example.com", "Accept-Encoding: gzip", "If-Match: x", "Content-Length: 5",
  ])
  func `header fields that iapkg itself sets are refused`(_ field: String) throws {
    for command in [["fetch", product, "--from", "http://127.0.0.1:1"], ["outdated"], ["update"]] {
      try work.iapkg(command + ["--header", field]).fails(64, saying: "which iapkg itself sets")
    }
    try work.write("token", to: "token")
    try fetch("http://127.0.0.1:1", "--token-file", "token", "--header", "Authorization: x")
      .fails(64, saying: "cannot be combined with")
  }

  @Test func `a token and keys may come from a pipe`() throws {
    try #require(Machine.has("bash") && Machine.has("ssh-keygen"))
    #expect(try work.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key"]).code == 0)
    try work.remove("store")
    try work.iapkg("publish", "Book.pkg", "--to", "store", "--sign-with", "key").succeeds()
    let server = try ScriptedServer { [work] request, _ in
      request.headers["authorization"] == "Bearer s3cret"
        ? ScriptedServer.answer(200, [], (try? work.bytes("store\(request.path)")) ?? [])
        : ScriptedServer.answer(401)
    }
    let fetch = "'\(BuiltProgram.path)' fetch \(product) --from \(server.address) --into"
    for (number, words) in [
      "\(fetch) 0 --token-file <(echo s3cret) --trust <(cat key.pub)",
      "echo s3cret | \(fetch) 1 --token-file /dev/stdin",
      "mkfifo fifo; (sleep 0; echo s3cret > fifo) & \(fetch) 2 --token-file fifo; wait",
    ].enumerated() {
      let outcome = try work.run(["bash", "-c", words], environment: ["no_proxy": "127.0.0.1"])
      #expect(outcome.code == 0 && work.exists("\(number)/\(product)"), "\(outcome)")
    }
  }
}
