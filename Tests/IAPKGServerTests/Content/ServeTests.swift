import Foundation
import TestSupport
import Testing

@Suite("A served folder") struct ServeTests {
  private let workspace: ServerWorkspace

  init() throws { workspace = try ServerWorkspace() }

  /// Publishes a product and serves it.
  private func serve(_ faults: String...) async throws -> (server: StartedProgram, address: String) {
    let package = try workspace.makePackage("com.example.book")
    let published = try await workspace.run("iapkg", "publish", package, "--to", "store")
    try #require(published.code == 0, "\(published.errors)")
    let server = try workspace.start(
      "iapkg-server", ["serve", "store", "--listen", "127.0.0.1:0"] + faults, to: "server")
    return (server, try #require(try await server.address(), "\(server.errors)"))
  }

  private var release: String {
    get throws {
      let folder = "\(workspace.path)/store/releases/com.example.book"
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      return "releases/com.example.book/" + (try #require(names.first { $0.hasSuffix(".pkg") }))
    }
  }

  private func fetch(_ address: String, into folder: String = "Documents") async throws
    -> Outcome
  {
    try FileManager.default.createDirectory(
      atPath: "\(workspace.path)/\(folder)", withIntermediateDirectories: true)
    return try await workspace.run(
      "iapkg", "fetch", "com.example.book", "--from", address, "--into", folder)
  }

  private func installedPage(_ folder: String = "Documents") throws -> Data {
    let files =
      FileManager.default.enumerator(atPath: "\(workspace.path)/\(folder)")?.compactMap { $0 as? String }
      ?? []
    let page = try #require(files.first { $0.hasSuffix("pages/2.txt") && !$0.contains(".iapkg") })
    return try Data(contentsOf: URL(fileURLWithPath: "\(workspace.path)/\(folder)/\(page)"))
  }

  @Test func `a client fetches from a served folder`() async throws {
    let (server, address) = try await serve()
    let outcome = try await fetch(address)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try installedPage().count > 200_000)
    #expect(server.output.contains("GET /catalog.json 200"))
    #expect(server.output.contains("GET /releases/com.example.book/1.0-"))
  }

  @Test(arguments: [
    ["--drop", "30%", "--seed", "1"], ["--fail", "503:30%", "--seed", "2"], ["--no-ranges"],
    ["--latency", "5ms", "--throttle", "20MB/s"],
  ])
  func `a client fetches from a served folder in spite of faults`(options: [String]) async throws {
    let package = try workspace.makePackage("com.example.book")
    _ = try await workspace.run("iapkg", "publish", package, "--to", "store")
    let server = try workspace.start(
      "iapkg-server", ["serve", "store", "--listen", "127.0.0.1:0"] + options, to: "server")
    let address = try #require(try await server.address(), "\(server.errors)")
    let outcome = try await fetch(address)
    #expect(outcome.code == 0, "\(outcome.errors)\n\(server.output)")
    #expect(try installedPage().count > 200_000)
  }

  @Test func `a client installs no wrong file, even if every response has a wrong byte`() async throws {
    let (server, address) = try await serve("--corrupt", "100%")
    let reply = try await HTTPReply.curl("\(address)/catalog.json")
    let catalog = try Data(contentsOf: URL(fileURLWithPath: "\(workspace.path)/store/catalog.json"))
    #expect(reply.body.count == catalog.count)
    #expect(zip(reply.body, catalog).count { $0 != $1 } == 1)
    #expect(try await fetch(address).code != 0)
    #expect(server.output.contains("a byte was changed on purpose"))
  }

  @Test func `ranges and conditional requests are supported`() async throws {
    let (server, address) = try await serve()
    defer { withExtendedLifetime(server) {} }
    let url = "\(address)/\(try release)"
    let whole = try await HTTPReply.curl(url)
    #expect(whole.status == 200)
    let last = try await HTTPReply.curl("-H", "Range: bytes=-10", url)
    #expect(last.status == 206)
    #expect(last.body == Array(whole.body.suffix(10)))
    #expect(
      last.fields["content-range"]
        == "bytes \(whole.body.count - 10)-\(whole.body.count - 1)/\(whole.body.count)")
    let past = try await HTTPReply.curl("-H", "Range: bytes=99999999-", url)
    #expect(past.status == 416)
    #expect(past.fields["content-range"] == "bytes */\(whole.body.count)")
    let tag = try #require(whole.fields["etag"])
    #expect(try await HTTPReply.curl("-H", "Range: bytes=0-0", "-H", "If-Range: \(tag)", url).status == 206)
    #expect(try await HTTPReply.curl("-H", "Range: bytes=0-0", "-H", "If-Range: W/\(tag)", url).status == 200)
    #expect(try await HTTPReply.curl("-H", "If-None-Match: \(tag)", url).status == 304)
    let head = try await HTTPReply.curl("-I", url)
    #expect(head.fields["content-length"] == "\(whole.body.count)")
    #expect(head.fields["accept-ranges"] == "bytes")
  }

  @Test func `only objects of a store are served, and no links are followed`() async throws {
    let (server, address) = try await serve()
    defer { withExtendedLifetime(server) {} }
    let store = "\(workspace.path)/store"
    try Data("secret".utf8).write(to: URL(fileURLWithPath: "\(workspace.path)/secret"))
    let digest = String(repeating: "0", count: 16)
    let link = "releases/com.example.book/9-\(digest).pkg"
    try FileManager.default.createSymbolicLink(
      atPath: "\(store)/\(link)", withDestinationPath: "\(workspace.path)/secret")
    try FileManager.default.createSymbolicLink(
      atPath: "\(store)/releases/com.example.other", withDestinationPath: "com.example.book")
    let names = [
      "", "secret", "../secret", "%2e%2e/secret", "releases/../catalog.json", ".iapkg-lock", "catalog.json/",
      "//catalog.json",
      link, (try release).replacing("com.example.book", with: "com.example.other"), "releases",
      "releases/com.example.book",
      "catalog.json%00",
    ]
    for name in names {
      let reply = try await HTTPReply.curl("\(address)/\(name)")
      #expect(reply.status == 404, "\(name)")
    }
    #expect(try await HTTPReply.curl("-X", "PUT", "\(address)/catalog.json").status == 405)
  }

  @Test func `the server ends without an error on a signal during a response`() async throws {
    let (server, address) = try await serve("--throttle", "500kB/s")
    let url = "\(address)/\(try release)"
    async let reply = HTTPReply.curl(url)
    while try await HTTPReply.curl("-I", url).status != 200 {}
    while !server.output.contains("GET") && !server.output.contains("HEAD") {
      try await Task.sleep(for: .milliseconds(5))
    }
    server.send(SIGTERM)
    await server.wait()
    #expect(server.code == 0)
    let whole = try await reply
    #expect(whole.status == 200 || whole.code != 0)
  }

  @Test func `several faults occur together`() async throws {
    let (server, address) = try await serve("--fail", "503:50%", "--fail", "404:50%", "--seed", "1")
    defer { withExtendedLifetime(server) {} }
    var statuses: Set<Int> = []
    for _ in 0..<40 { statuses.insert(try await HTTPReply.curl("\(address)/catalog.json").status) }
    #expect(statuses == [404, 503])
    let outcome = try await workspace.run(
      "iapkg-server", "serve", "store", "--fail", "503:60%", "--fail", "404:60%")
    #expect(outcome.code == 64 && outcome.errors.contains("add up to more than 100%"), "\(outcome)")
  }

  @Test func `a missing folder is refused`() async throws {
    let outcome = try await workspace.run("iapkg-server", "serve", "nowhere")
    #expect(outcome.code == 66)
    #expect(outcome.errors.contains("nowhere"))
    let address = try await workspace.run("iapkg-server", "serve", "http://me:secret@host/x?key=secret")
    #expect(address.code == 66 && !address.errors.contains("secret"))
  }

  @Test func `a port in use is refused`() async throws {
    let (server, address) = try await serve()
    defer { withExtendedLifetime(server) {} }
    let port = try #require(address.split(separator: ":").last)
    let outcome = try await workspace.run("iapkg-server", "serve", "store", "--listen", "127.0.0.1:\(port)")
    #expect(outcome.code == 69)
    #expect(outcome.errors.contains("cannot listen"))
  }
}
