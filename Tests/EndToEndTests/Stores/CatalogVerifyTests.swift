import Foundation
import PackageForge
import TestSupport
import Testing

/// Verification of stores behind plain web servers, and of incomplete mirrors.
@Suite(.waiting) struct CatalogVerifyTests {
  private let work: Workspace
  private let folder = "store/releases/com.example.book"

  init() throws {
    work = try Workspace()
    for version in ["1.0", "1.1"] {
      try work.makeBookPackage("\(version).pkg", version: version)
      try work.iapkg("publish", "\(version).pkg", "--to", "store").succeeds()
    }
  }

  private func verify(_ store: String, _ more: String...) throws -> Outcome {
    try work.iapkg(["catalog", "verify", "--from", store] + more, environment: ["no_proxy": "127.0.0.1"])
  }

  private func objects(_ suffix: String) throws -> [String] {
    try work.names(in: folder).filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
  }

  // MARK: Servers without HEAD

  @Test(arguments: [(405, true), (501, true), (405, false), (501, false)])
  func `a server without HEAD gets a request for the first byte`(_ status: Int, _ hasRanges: Bool) throws {
    let server = try ScriptedServer { [work] request, _ in
      if request.line.hasPrefix("HEAD") { return ScriptedServer.answer(status) }
      guard let body = try? work.bytes("store\(request.path)") else { return ScriptedServer.answer(404) }
      guard request.headers["range"] == "bytes=0-0" else { return ScriptedServer.answer(200, [], body) }
      if hasRanges {
        return ScriptedServer.answer(206, ["Content-Range: bytes 0-0/\(body.count)"], Array(body.prefix(1)))
      }
      // The server never sends the rest, and iapkg must not wait for it.
      var reply = ScriptedServer.answer(200, [], body)
      reply.bytes.removeLast(body.count - 1)
      reply.isHeld = true
      return reply
    }
    try verify(server.address).succeeds()
    let package = try #require(objects(".pkg").first)
    try work.write(work.bytes(package) + [0], to: package)
    try verify(server.address).exits(76, saying: "bytes, expected")
    try work.remove(package)
    try verify(server.address).exits(69, saying: "is missing, although the catalog refers to it")
  }

  @Test func `a HEAD response without a size is followed by a request for the first byte`() throws {
    let server = try ScriptedServer { [work] request, _ in
      guard let body = try? work.bytes("store\(request.path)") else { return ScriptedServer.answer(404) }
      if request.line.hasPrefix("HEAD") { return "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" }
      guard request.headers["range"] == "bytes=0-0" else { return ScriptedServer.answer(200, [], body) }
      return ScriptedServer.answer(206, ["Content-Range: bytes 0-0/\(body.count)"], Array(body.prefix(1)))
    }
    try verify(server.address).succeeds()
  }

  @Test func `a compressed response to HEAD is an error of the server, not damage`() throws {
    let server = try ScriptedServer { [work] request, _ in
      guard let body = try? work.bytes("store\(request.path)") else { return ScriptedServer.answer(404) }
      if request.line.hasPrefix("HEAD") {
        return "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 7\r\nConnection: close\r\n\r\n"
      }
      return ScriptedServer.answer(200, [], body)
    }
    try verify(server.address).exits(69, saying: "Content-Encoding: gzip, which the request did not ask for")
  }

  // MARK: Incomplete mirrors

  @Test(arguments: [[], ["--deep"]])
  func `verify exits with 69 for missing objects, and with 76 for damaged ones`(_ options: [String]) throws {
    let server = try ScriptedServer { [work] request, _ in
      (try? work.bytes("store\(request.path)")).map { ScriptedServer.answer(200, [], $0) }
        ?? ScriptedServer.answer(404)
    }
    let (missing, other) = (try objects("pkg")[0], try objects("pkg")[1])
    try work.remove(missing)
    try work.remove(objects(".json")[0])
    for store in ["store", server.address] {
      let outcome = try work.iapkg(
        ["catalog", "verify", "--from", store, "--format=json"] + options,
        environment: ["no_proxy": "127.0.0.1"]
      ).exits(69, saying: "is missing, although the catalog refers to it")
      let problems = try #require(try outcome.document()["problems"]).elements
      #expect(problems.count == 2 && problems.allSatisfy { $0["missing"] == true }, "\(outcome)")
    }
    try work.iapkg("fetch", "com.example.book", "--content-version", "1.0", "--from", "store")
      .fails(69, saying: "new catalog without its objects; try again later")
    var bytes = try work.bytes(other)
    if options.isEmpty { bytes.append(0) } else { bytes[50] ^= 1 }
    try work.write(bytes, to: other)
    let outcome = try work.iapkg(["catalog", "verify", "--from", "store", "--format=json"] + options).exits(
      76)
    let problems = try #require(try outcome.document()["problems"]).elements
    #expect(problems.count == 3 && problems.filter { $0["missing"] == true }.count == 2, "\(outcome)")
  }

  // MARK: Objects that cannot be read

  @Test(arguments: [[], ["--deep"]])
  func `an inaccessible object hides no damage`(_ options: [String]) throws {
    let (denied, wrong) = (try objects("json")[0], try objects("pkg")[1])
    let server = try ScriptedServer { [work] request, _ in
      if "store\(request.path)" == denied { return ScriptedServer.answer(403) }
      return (try? work.bytes("store\(request.path)")).map { ScriptedServer.answer(200, [], $0) }
        ?? ScriptedServer.answer(404)
    }
    let words = ["catalog", "verify", "--from", server.address, "--format=json"] + options
    func check(_ code: Int32, problems: Int) throws {
      let outcome = try work.iapkg(words, environment: ["no_proxy": "127.0.0.1"]).exits(code, saying: "403")
      #expect(try outcome.document()["problems"]?.elements.count == problems, "\(outcome)")
    }
    try check(77, problems: 1)
    try work.remove(objects("pkg")[0])
    try check(77, problems: 2)
    try work.write([0], to: wrong)
    try check(76, problems: 3)
  }

  @Test func `a symbolic link in a store is reported, and hides no damage`() throws {
    let object = try objects("pkg")[0]
    try work.write(work.bytes(object), to: "elsewhere.pkg")
    try work.remove(object)
    try work.makeLink(object, to: work.place("elsewhere.pkg"))
    let words = [BuiltProgram.path, "catalog", "verify", "--from", "store"]
    let message =
      "it is a symbolic link, and a store must not contain any; replace it with the file or folder itself"
    try work.run(words).exits(66, saying: message)
    try work.remove(objects("json")[0])
    try work.run(words).exits(66, saying: message, "is missing")
    try work.write([0], to: try objects("pkg")[1])
    try work.run(words).exits(76, saying: message, "bytes, expected")
  }

  @Test func `a linked folder in a store is reported, and the store itself may be a link`() throws {
    try work.run(["mv", "store", "kept"]).exits(0)
    try work.makeLink("store", to: "kept")
    let words = [BuiltProgram.path, "catalog", "verify", "--from", "store"]
    try work.run(words).exits(0)
    try work.run(["mv", "kept/releases", "elsewhere"]).exits(0)
    try work.makeLink("kept/releases", to: work.place("elsewhere"))
    try work.run(words).exits(66, saying: "store/releases: it is a symbolic link")
  }

  @Test func `a web page in place of an object is detected without --deep`() throws {
    let server = try ScriptedServer { [work] request, _ in
      if request.path.hasSuffix(".pkg") {
        return ScriptedServer.answer(200, ["Content-Type: text/html"], Array("<html>sign in</html>".utf8))
      }
      return (try? work.bytes("store\(request.path)")).map { ScriptedServer.answer(200, [], $0) }
        ?? ScriptedServer.answer(404)
    }
    try verify(server.address).exits(
      69, saying: "is a web page, not ", "does this network ask you to sign in?")
  }

  @Test func `a missing index of the last release does not stop the next release`() throws {
    for index in try objects(".json") { try work.remove(index) }
    try work.makeBookPackage("1.2.pkg", version: "1.2")
    try work.iapkg("publish", "1.2.pkg", "--to", "store").succeeds()
  }
}
