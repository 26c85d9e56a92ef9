import Foundation
import TestSupport
import Testing

@Suite("Served asset packs") struct ServedPacksTests {
  private let workspace: ServerWorkspace

  init() throws {
    workspace = try ServerWorkspace()
    try write("book", platforms: #""iOS""#)
    try write("game", platforms: #""iOS", "macOS""#)
  }

  private func write(_ name: String, platforms: String) throws {
    let folder = "\(workspace.path)/Packs/\(name)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let manifest = #"""
      {"assetPackID": "\#(name)", "downloadPolicy": {"onDemand": {}}, "fileSelectors": [{"directory": "files"}],
      "platforms": [\#(platforms)]}
      """#
    try Data(manifest.utf8).write(to: URL(fileURLWithPath: "\(folder)/Manifest.json"))
    try Data("pbze \(name)".utf8).write(to: URL(fileURLWithPath: "\(folder).aar"))
  }

  private func serve(_ options: String...) async throws -> (server: StartedProgram, address: String) {
    let server = try workspace.start(
      "iapkg-server", ["serve", "--background-assets", "Packs", "--listen", "127.0.0.1:0"] + options,
      to: "server")
    return (server, try #require(try await server.address(), "\(server.errors)"))
  }

  private func packs(_ address: String) async throws -> [[String: Any]] {
    let reply = try await HTTPReply.curl(address)
    #expect(reply.status == 200 && reply.fields["content-type"] == "application/json")
    let document = try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any]
    return try #require(document?["assetPacks"] as? [[String: Any]])
  }

  @Test func `asset packs have the addresses of ba-serve`() async throws {
    let (server, address) = try await serve()
    defer { withExtendedLifetime(server) {} }
    #expect(server.output.contains("asset packs: book, game"))
    let all = try await packs("\(address)/manifest")
    #expect(all.compactMap { $0["id"] as? String } == ["book", "game"])
    #expect(all[0]["url"] as? String == "\(address)/assets/book" && all[0]["downloadSize"] as? Int == 9)
    #expect(
      try await packs("\(address)/manifest?platform=macos").compactMap { $0["id"] as? String } == ["game"])
    let archive = try await HTTPReply.curl("\(address)/assets/book?a=b")
    #expect(archive.text == "pbze book" && archive.fields["content-type"] == "application/octet-stream")
    #expect(archive.fields["content-length"] == "9" && archive.fields["accept-ranges"] == "bytes")
    let part = try await HTTPReply.curl("-r", "5-", "\(address)/assets/book")
    #expect(part.status == 206 && part.text == "book")
    let head = try await HTTPReply.curl("-I", "\(address)/manifest")
    #expect(head.status == 200 && head.fields["content-type"] == "application/json")
  }

  @Test func `an asset pack gets a higher version with a new archive`() async throws {
    let (server, address) = try await serve("--base-url", "https://packs.example.com/")
    defer { withExtendedLifetime(server) {} }
    let before = try await packs("\(address)/manifest")[0]
    #expect(before["url"] as? String == "https://packs.example.com/assets/book")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: "\(workspace.path)/Packs/book.aar")
    let after = try await packs("\(address)/manifest")[0]
    #expect(try #require(before["version"] as? Int) < #require(after["version"] as? Int))
  }

  @Test(arguments: [
    "catalog.json", "assets/none", "assets/..%2Fbook.aar", "assets/../book.aar", "assets/", "book.aar",
    "book/Manifest.json", "assets/book/x", "assets/link", "",
  ])
  func `only asset packs are served`(path: String) async throws {
    try write("link", platforms: #""iOS""#)
    let archive = "\(workspace.path)/Packs/link.aar"
    try FileManager.default.removeItem(atPath: archive)
    try FileManager.default.createSymbolicLink(atPath: archive, withDestinationPath: "/etc/passwd")
    let (server, address) = try await serve()
    defer { withExtendedLifetime(server) {} }
    #expect(try await HTTPReply.curl("\(address)/\(path)").status == 404)
  }

  @Test func `asset packs are served with faults`() async throws {
    let (server, address) = try await serve("--fail", "503:100%")
    defer { withExtendedLifetime(server) {} }
    #expect(try await HTTPReply.curl("\(address)/manifest").status == 503)
    let (cutting, other) = try await serve("--drop", "100%")
    defer { withExtendedLifetime(cutting) {} }
    #expect(try await HTTPReply.curl("\(other)/assets/book").code != 0)
    let outcome = try await workspace.run("iapkg-server", "serve", "Packs", "--base-url", "https://a.example")
    #expect(outcome.code == 64)
  }

  private func serveWithTLS(name: String = "packs.test") async throws -> (
    server: StartedProgram, port: String
  ) {
    let (server, address) = try await serve("--tls-name", name, "--tls-folder", "Roots")
    #expect(address.hasPrefix("https://"))
    return (server, String(try #require(address.split(separator: ":").last)))
  }

  private func get(_ path: String, at port: String, for name: String = "packs.test") async throws -> HTTPReply
  {
    try await HTTPReply.curl(
      "--cacert", "\(workspace.path)/Roots/packs.test.crt", "--resolve", "\(name):\(port):127.0.0.1",
      "https://\(name):\(port)/\(path)")
  }

  private func permissions(_ path: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(workspace.path)/\(path)")
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test func `the server has a certificate for one name, under a persistent root`() async throws {
    let (server, port) = try await serveWithTLS()
    let reply = try await get("manifest?platform=ios", at: port)
    #expect(reply.status == 200 && reply.text.contains("https://packs.test:\(port)/assets/book"))
    #expect(try await get("assets/book", at: port).text == "pbze book")
    #expect(try await get("manifest", at: port, for: "other.test").code != 0)
    #expect(try permissions("Roots") == 0o700 && permissions("Roots/packs.test.pem") == 0o600)
    let root = try Data(contentsOf: URL(fileURLWithPath: "\(workspace.path)/Roots/packs.test.crt"))
    #expect(!String(decoding: root, as: UTF8.self).contains("PRIVATE"))
    let fingerprint = try #require(server.output.split(separator: "\n").first { $0.contains("fingerprint") })
    #expect(fingerprint.split(separator: " ").last?.split(separator: ":").count == 32)
    withExtendedLifetime(server) {}
    let (second, other) = try await serveWithTLS()
    defer { withExtendedLifetime(second) {} }
    #expect(second.output.contains(fingerprint))
    #expect(try await get("manifest", at: other).status == 200)
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(workspace.path)/Roots/packs.test.crt")) == root)
  }

  @Test(arguments: [true, false])
  func `a root that others may read, or that is damaged, is refused`(isReadable: Bool) async throws {
    do {
      let (server, _) = try await serveWithTLS()
      withExtendedLifetime(server) {}
    }
    let path = "\(workspace.path)/Roots/packs.test.pem"
    if !isReadable { try Data("no key".utf8).write(to: URL(fileURLWithPath: path)) }
    try FileManager.default.setAttributes(
      [.posixPermissions: NSNumber(value: isReadable ? 0o644 : 0o600)], ofItemAtPath: path)
    let outcome = try await workspace.run(
      "iapkg-server", "serve", "--background-assets", "Packs", "--tls-name", "packs.test", "--tls-folder",
      "Roots")
    #expect(outcome.code == 78 && outcome.errors.contains(isReadable ? "chmod 600" : "delete the file"))
  }

  @Test(arguments: [
    ["--tls-name", "127.0.0.1"], ["--tls-name", "a b"], ["--tls-name", ""], ["--tls-name", "-a"],
    ["--tls-folder", "Roots"],
  ])
  func `a certificate requires a host name`(options: [String]) async throws {
    let outcome = try await workspace.run(
      "iapkg-server", ["serve", "--background-assets", "Packs"] + options)
    #expect(outcome.code == 64)
  }

  @Test func `the manifest is served with faults too`() async throws {
    let (cutting, address) = try await serve("--drop", "100%")
    defer { withExtendedLifetime(cutting) {} }
    #expect(try await HTTPReply.curl("\(address)/manifest").code != 0)
    let (changing, other) = try await serve("--corrupt", "100%")
    defer { withExtendedLifetime(changing) {} }
    let reply = try await HTTPReply.curl("\(other)/manifest")
    #expect(reply.status == 200 && String(validating: reply.body, as: UTF8.self) == nil)
  }
}
