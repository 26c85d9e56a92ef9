import PackageForge
import SafeFiles
import Support
import Testing

@testable import Delivery
@testable import HTTPTransport

@Suite struct HTTPStoreTests {
  private func store(_ server: ScriptedServer, headers: [HTTPHeader] = []) throws -> HTTPStore {
    var network = HTTPSettings()
    network.retries.pause = { _, _ in }
    return try HTTPStore(
      "\(server.address)/base/", headers: headers, network: network, cancellation: Cancellation(), now: { 0 })
  }

  @Test func `reads an object of the server`() throws {
    let server = try ScriptedServer { request, _ in
      request.path == "/base/catalog.json"
        ? ScriptedServer.answer(200, ["ETag: \"a\""], "catalog") : ScriptedServer.answer(404)
    }
    let store = try store(server, headers: [HTTPHeader("Authorization", "Bearer word")])
    #expect(
      try store.object(at: .catalog, limit: 7)
        == StoredObject(bytes: Array("catalog".utf8), tag: ObjectTag("\"a\"")))
    #expect(try store.status(of: .catalog)?.byteCount == 7)
    #expect(reason { _ = try store.object(at: .catalog, limit: 6) } == .tooLarge)
    var bytes: [UInt8] = []
    try store.read(.catalog, range: nil) { block in unsafe block.withUnsafeBytes { unsafe bytes += $0 } }
    #expect(String(decoding: bytes, as: UTF8.self) == "catalog")
    #expect(server.received.allSatisfy { $0.headers["authorization"] == "Bearer word" })
  }

  @Test(arguments: [
    ("/base/%2e", "/base"), ("/a/%2e%2E/base", "/base"), ("/a/.%2e/%62ase//", "/base/"),
    ("/base/..%2f", "/base/..%2F"), ("/%252e/base", "/%252e/base"),
  ])
  func `requests go to the path under which the store is recorded`(_ path: String, _ requested: String) throws
  {
    let server = try ScriptedServer { _, _ in ScriptedServer.answer(404) }
    let store = try HTTPStore(
      server.address + path, network: HTTPSettings(), cancellation: Cancellation(), now: { 0 })
    #expect(try store.object(at: .catalog, limit: 10) == nil)
    #expect(server.received.map(\.path) == ["\(requested)/catalog.json"])
  }

  @Test(arguments: [(404, nil), (403, .denied), (503, StoreError.Reason.unreachable)])
  func `the page of an error response may be long`(_ status: Int, _ expected: StoreError.Reason?) throws {
    let page = String(repeating: "x", count: 200_000)
    let server = try ScriptedServer { _, _ in ScriptedServer.answer(status, [], page) }
    let store = try store(server)
    #expect(reason { _ = try store.object(at: .catalog, limit: 10) } == expected)
    #expect(server.received.count == (status == 503 ? 8 : 1))
  }

  @Test(arguments: [404, 410]) func `reports a missing object`(_ status: Int) throws {
    let server = try ScriptedServer { _, _ in ScriptedServer.answer(status) }
    let store = try store(server)
    #expect(try store.object(at: .catalog, limit: 10) == nil)
    #expect(try store.status(of: .catalog) == nil)
    #expect(reason { try store.read(.catalog, range: 0..<2) { _ in } } == .missing)
  }

  @Test func `an object that ends before a range is reported as too short`() throws {
    let server = try ScriptedServer { _, _ in
      ScriptedServer.answer(416, ["Content-Range: bytes */10"])
    }
    let store = try store(server)
    let error = #expect(throws: StoreError.self) { try store.read(.catalog, range: 20..<30) { _ in } }
    #expect(error?.reason == .unreachable)
    #expect(
      error?.message
        == "\(server.address)/base/catalog.json is shorter than the catalog states: it ends before byte 20, "
        + "expected at least 30 bytes; a mirror or cache may still have an older object")
    #expect(server.received.count == 8)
    #expect(server.received.dropFirst().allSatisfy { $0.headers["cache-control"] == "no-cache" })
  }

  @Test func `an older object of a cache is requested again, bypassing the cache`() throws {
    let server = try ScriptedServer { request, _ in
      request.headers["cache-control"] == nil
        ? ScriptedServer.answer(416, ["Content-Range: bytes */10"])
        : ScriptedServer.answer(206, ["Content-Range: bytes 20-29/30"], "0123456789")
    }
    var bytes: [UInt8] = []
    let reader = try store(server).open(.catalog, range: 20..<30, byteCount: 30)
    while try reader.next(&bytes) { #expect(bytes.count == 10) }
    #expect(server.received.count == 2)
  }

  @Test func `a range of an object with another size is refused`() throws {
    let server = try ScriptedServer { _, _ in
      ScriptedServer.answer(206, ["Content-Range: bytes 20-29/31"], "0123456789")
    }
    var bytes: [UInt8] = []
    let reader = try store(server).open(.catalog, range: 20..<30, byteCount: 30)
    let error = #expect(throws: StoreError.self) { _ = try reader.next(&bytes) }
    #expect(error?.reason == .unreachable && server.received.count == 8)
    #expect(error?.message.contains("the object has 31 bytes, expected 30") == true)
    try store(server).read(.catalog, range: 20..<30) { #expect($0.byteCount == 10) }
  }

  @Test(arguments: [
    (401, StoreError.Reason.denied), (403, .denied), (400, .unreachable), (503, .unreachable),
  ])
  func `gives the reason of a refusal`(_ status: Int, _ expected: StoreError.Reason) throws {
    let server = try ScriptedServer { _, _ in ScriptedServer.answer(status) }
    let store = try store(server)
    #expect(reason { _ = try store.object(at: .catalog, limit: 10) } == expected)
    #expect(server.received.count == (status == 503 ? 8 : 1))
  }

  @Test(arguments: [
    (401, false, "no token was given"),
    (401, true, "the token is wrong or has expired"),
    (403, false, "no token was given"),
    (403, true, "the token does not permit access to it"),
  ])
  func `reports what is wrong with the token`(_ status: Int, _ hasToken: Bool, _ text: String) throws {
    let server = try ScriptedServer { _, _ in ScriptedServer.answer(status) }
    let store = try store(server, headers: hasToken ? [HTTPHeader("authorization", "Bearer word")] : [])
    let object = "\(server.address)/base/catalog.json"
    for range in [nil, 0..<2] as [Range<Int64>?] {
      let error = #expect(throws: StoreError.self) { try store.read(.catalog, range: range) { _ in } }
      #expect(error?.message == "\(object) answered with status \(status): \(text)")
    }
    let error = #expect(throws: StoreError.self) { try store.object(at: .catalog, limit: 10) }
    #expect(error?.message == "\(object) answered with status \(status): \(text)")
    #expect(server.received.count == 3)
  }

  @Test(arguments: [401, 403])
  func `does not blame the token for a refusal behind a redirection`(_ status: Int) throws {
    let bucket = try ScriptedServer { _, _ in ScriptedServer.answer(status) }
    let server = try ScriptedServer { _, _ in
      ScriptedServer.answer(307, ["Location: \(bucket.address)/object?signature=secret"])
    }
    let store = try store(server, headers: [HTTPHeader("authorization", "Bearer word")])
    let error = #expect(throws: StoreError.self) { try store.object(at: .catalog, limit: 10) }
    #expect(error?.reason == .denied)
    #expect(
      error?.message
        == "\(server.address)/base/catalog.json redirects to \(bucket.address)/object, which answered with status "
        + "\(status): no token is sent there, so only the operator of the store can fix this")
  }

  @Test func `asks a busy server again`() throws {
    let server = try ScriptedServer { _, number in
      number < 4 ? ScriptedServer.answer(429, ["Retry-After: 0"]) : ScriptedServer.answer(200, [], "catalog")
    }
    #expect(try store(server).object(at: .catalog, limit: 10)?.bytes == Array("catalog".utf8))
  }

  @Test func `writes nothing`() throws {
    let server = try ScriptedServer { _, _ in ScriptedServer.answer() }
    let store = try store(server)
    #expect(reason { _ = try store.writable() } == .unsuitable)
    #expect(server.received.isEmpty)
  }

  @Test(arguments: ["https://a/?b", "https://a/#b", "https://a#b", "ftp://a", "a"])
  func `refuses other addresses`(_ address: String) {
    #expect(
      reason {
        _ = try HTTPStore(address, network: HTTPSettings(), cancellation: Cancellation(), now: { 0 })
      } == .unsuitable)
  }
}
