import Foundation
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

  @Test("have the addresses of ba-serve")
  func addresses() async throws {
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

  @Test("get a higher version with a new archive")
  func versions() async throws {
    let (server, address) = try await serve("--base-url", "https://packs.example.com/")
    defer { withExtendedLifetime(server) {} }
    let before = try await packs("\(address)/manifest")[0]
    #expect(before["url"] as? String == "https://packs.example.com/assets/book")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: "\(workspace.path)/Packs/book.aar")
    let after = try await packs("\(address)/manifest")[0]
    #expect(try #require(before["version"] as? Int) < #require(after["version"] as? Int))
  }

  @Test(
    "are all that is served",
    arguments: [
      "catalog.json", "assets/none", "assets/..%2Fbook.aar", "assets/../book.aar", "assets/", "book.aar",
      "book/Manifest.json", "assets/book/x", "assets/link", "",
    ])
  func others(path: String) async throws {
    try write("link", platforms: #""iOS""#)
    let archive = "\(workspace.path)/Packs/link.aar"
    try FileManager.default.removeItem(atPath: archive)
    try FileManager.default.createSymbolicLink(atPath: archive, withDestinationPath: "/etc/passwd")
    let (server, address) = try await serve()
    defer { withExtendedLifetime(server) {} }
    #expect(try await HTTPReply.curl("\(address)/\(path)").status == 404)
  }

  @Test("are served with faults")
  func faults() async throws {
    let (server, address) = try await serve("--fail", "503:100%")
    defer { withExtendedLifetime(server) {} }
    #expect(try await HTTPReply.curl("\(address)/manifest").status == 503)
    let (cutting, other) = try await serve("--drop", "100%")
    defer { withExtendedLifetime(cutting) {} }
    #expect(try await HTTPReply.curl("\(other)/assets/book").code != 0)
    let outcome = try await workspace.run("iapkg-server", "serve", "Packs", "--base-url", "https://a.example")
    #expect(outcome.code == 64)
  }
}
