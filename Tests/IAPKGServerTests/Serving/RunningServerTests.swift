import Foundation
import TestSupport
import Testing

/// Tests of the running program over the network.
@Suite("A running server") struct RunningServerTests {
  private static let token = "token"
  private let workspace: ServerWorkspace

  init() throws { workspace = try ServerWorkspace() }

  /// Buys a product and stores the token in a file, with the byte order mark of some editors.
  private func buy(_ product: String, at address: String, _ options: String...) async throws -> HTTPReply {
    let transaction = try await workspace.sign(product)
    let reply = try await HTTPReply.curl(
      options + [
        "--json", "{\"signedTransactions\": [\"\(transaction)\"]}", "\(address)/v1/transactions",
      ])
    try #require(reply.code == 0, "curl ended with \(reply.code): \(reply.text)")
    let answer = try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any]
    let token = try #require(answer?["token"] as? String)
    let file = "\(workspace.path)/\(Self.token)"
    try Data("\u{FEFF}\(token)\r\n".utf8).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    return reply
  }

  private func fetch(_ product: String, from address: String) async throws -> Outcome {
    try await workspace.run(
      "iapkg", "fetch", product, "--from", "\(address)/v1/store", "--token-file", Self.token, "--into",
      "Documents", "--parents", environment: ["no_proxy": "127.0.0.1"])
  }

  @Test func `a server redirects only entitled accounts to the bucket of its store`() async throws {
    let bucket = try await BucketStandIn(workspace)
    let (server, address) = try await workspace.startServer(on: "s3://bucket/shop", bucket.environment)
    _ = try await buy("com.example.book", at: address)
    let before = try bucket.requests.count
    let fetched = try await fetch("com.example.book", from: address)
    #expect(fetched.code == 0, "\(fetched.errors)")
    let verified = try await workspace.run(
      "iapkg", "status", "com.example.book", "--verify", "--into", "Documents")
    #expect(verified.code == 0, "\(verified)")
    #expect(try await fetch("com.example.other", from: address).code == 77)
    let requests = try bucket.requests.dropFirst(before)
    #expect(requests.contains { $0.contains("releases/com.example.book/") && $0.contains(".pkg") })
    #expect(!requests.contains { $0.contains("releases/com.example.other/") })
    server.send(SIGTERM)
    await server.wait()
    #expect(server.code == 0)
  }

  @Test func `a server sends the trust documents of its store to accounts, and no draft`() async throws {
    let (server, address) = try await workspace.startServer()
    _ = try await buy("com.example.book", at: address)
    for key in ["root", "catalog"] {
      let made = try await workspace.start(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], to: key
      ).outcome()
      try #require(made.code == 0, "\(made)")
    }
    let keys = ["--sign-with", "root", "--sign-with", "catalog"]
    for command in [
      ["catalog", "renew", "--to", "store", "--sign-with", "catalog", "--new-key"],
      ["trust", "init", "--to", "store", "--root-key", "root.pub"] + keys,
      ["catalog", "renew", "--to", "store", "--sign-with", "catalog"],
    ] {
      let changed = try await workspace.run("iapkg", command)
      try #require(changed.code == 0, "\(changed)")
    }
    try Data().write(to: URL(fileURLWithPath: "\(workspace.path)/store/trust/draft.json"))
    let fetched = try await fetch("com.example.book", from: address)
    #expect(fetched.code == 0, "\(fetched)")
    let token = try String(contentsOfFile: "\(workspace.path)/\(Self.token)", encoding: .utf8)
      .trimmingCharacters(in: CharacterSet(charactersIn: "\u{FEFF}\r\n"))
    let trust = "\(address)/v1/store/trust"
    for (path, status) in [("1.json", 200), ("2.json", 404), ("draft.json", 404), ("0.json", 404)] {
      let reply = try await HTTPReply.curl("-H", "Authorization: Bearer \(token)", "\(trust)/\(path)")
      #expect(reply.status == status, "\(path)")
    }
    #expect(try await HTTPReply.curl("\(trust)/1.json").status == 401)
    server.send(SIGTERM)
    await server.wait()
  }

  @Test func `a server is not ready while its bucket hangs, and still lists the known products`() async throws
  {
    let bucket = try await BucketStandIn(workspace)
    let (server, address) = try await workspace.startServer(on: "s3://bucket/shop", bucket.environment)
    bucket.hang(true)
    func statuses(_ count: Int) async throws -> Set<Int> {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<count { group.addTask { try await HTTPReply.curl("\(address)/v1/products").status } }
        return try await group.reduce(into: []) { $0.insert($1) }
      }
    }
    #expect(try await statuses(20) == [503])
    #expect(try await HTTPReply.curl("\(address)/readyz").status == 503)
    #expect(try await HTTPReply.curl("\(address)/healthz").status == 200)
    let listen = String(address.dropFirst("http://".count))
    let waiting = try await workspace.run("iapkg-server", "health", "--listen", listen)
    #expect(
      waiting.code == 69 && waiting.errors == "error: the server at \(listen) is not ready\n", "\(waiting)")
    bucket.hang(false)
    while try await HTTPReply.curl("\(address)/readyz").status != 200 {}
    let ready = try await workspace.run("iapkg-server", "health", environment: ["IAPKG_LISTEN": listen])
    #expect(ready.code == 0 && ready.output == "ready\n", "\(ready)")
    let list = try await HTTPReply.curl("\(address)/v1/products")
    #expect(list.status == 200)
    bucket.hang(true)
    while try await HTTPReply.curl("\(address)/readyz").status != 503 {}
    #expect(try await statuses(20) == [200])
    #expect(try await HTTPReply.curl("\(address)/v1/products").body == list.body)
    #expect(server.errors.contains("the store does not answer"))
    server.send(SIGKILL)
    await server.wait()
    let gone = try await workspace.run("iapkg-server", "health", "--listen", listen)
    #expect(gone.code == 69 && gone.errors == "error: no server answers at \(listen)\n", "\(gone)")
  }

  @Test func `a server is not ready while the disk is full, and logs each change once`() async throws {
    let (server, address) = try await workspace.startServer()
    let book = try await workspace.sign("com.example.book")
    func ready() async throws -> Int { try await HTTPReply.curl("\(address)/readyz").status }
    func present() async throws -> Int {
      try await HTTPReply.curl(
        "--json", "{\"signedTransactions\": [\"\(book)\"]}", "\(address)/v1/transactions"
      )
      .status
    }
    func limit(_ bytes: Int) async throws {
      let script = """
        import resource, sys
        resource.prlimit(int(sys.argv[1]), resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
        """
      #expect(try await workspace.runPython(script, "\(server.number)", "\(bytes)").code == 0)
    }
    #expect(try await ready() == 200)
    let log = try FileManager.default.attributesOfItem(atPath: "\(workspace.path)/iapkg-server.sqlite-wal")
    // There is room for a page, but not for a request.
    try await limit((log[.size] as? Int ?? 0) + 8_192)
    var status = 200
    for _ in 0..<1_000 where status == 200 { status = try await ready() }
    for _ in 0..<100 {
      #expect(try await present() == 503)
      #expect(try await ready() == 503)
    }
    #expect(!server.errors.contains("accepts requests again"))
    try await limit(-1)
    for _ in 0..<1_000 where status != 200 { status = try await ready() }
    #expect(try await present() == 200)
    for words in ["the database does not accept requests", "the database accepts requests again"] {
      #expect(server.errors.components(separatedBy: "\"\(words)\"").count == 2, "\(server.errors)")
    }
    server.send(SIGTERM)
    await server.wait()
  }

  @Test func `a server logs and counts a product of a receipt that may be a consumable`() async throws {
    let made = try await workspace.run("iapkg-server", "testing", "make-root", "ca-of-stub")
    try #require(made.code == 0, "\(made.errors)")
    let stub = try workspace.start(
      "iapkg-server", ["testing", "verify-receipt-stub", "--certificates", "ca-of-stub"], to: "stub")
    let apple = try #require(await stub.address())
    try Data("{\"com.example.feature\": {\"type\": \"non-consumable\"}}".utf8)
      .write(to: URL(fileURLWithPath: "\(workspace.path)/products.json"))
    let (server, address) = try await workspace.startServer(
      more: [
        "--verify-receipt-url", "\(apple)/production/verifyReceipt", "--sandbox-verify-receipt-url",
        "\(apple)/sandbox/verifyReceipt", "--products", "products.json",
      ])
    var lines: [String] = []
    for (product, quantity) in [
      ("com.example.book", "1"), ("com.example.feature", "1"), ("com.example.coins", "1"),
      ("com.example.gems", "3"),
    ] {
      let signed = try await workspace.run(
        "iapkg-server", "testing", "sign-transaction", "--certificates", "ca-of-stub", "--bundle-id",
        "com.example.app", "--product", product, "--type", "consumable", "--quantity", quantity)
      lines.append(signed.output.trimmingCharacters(in: .newlines))
    }
    let receipt = Data(lines.joined(separator: "\n").utf8).base64EncodedString()
    for expected in [["accepted", "accepted", "accepted"], ["duplicate", "duplicate", "duplicate"]] {
      let reply = try await HTTPReply.curl(
        "--json", "{\"receipt\": \"\(receipt)\"}", "\(address)/v1/transactions")
      let answer = try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any]
      let results = try #require(answer?["results"] as? [[String: Any]], "\(reply.text)")
      let statuses = Dictionary(
        uniqueKeysWithValues: results.map {
          ($0["productId"] as? String ?? "", $0["status"] as? String ?? "")
        })
      #expect(statuses["com.example.gems"] == "rejected", "\(reply.text)")
      #expect(statuses.filter { $0.key != "com.example.gems" }.values.sorted() == expected, "\(reply.text)")
      let entitlements = try #require(answer?["entitlements"] as? [String])
      #expect(!entitlements.contains("com.example.gems"))
    }
    let notes = server.errors.split(separator: "\n").filter { $0.contains("a receipt does not state") }
    #expect(notes.count == 1 && notes.first?.contains("com.example.coins") == true, "\(notes)")
    // One for the coins, and two for the refused gems.
    let metrics = try await HTTPReply.curl("\(address)/metrics").text
    #expect(metrics.contains("iapkg_refusals_total{reason=\"unknown-product\"} 3"), "\(metrics)")
    server.send(SIGTERM)
    stub.send(SIGTERM)
    await server.wait()
    await stub.wait()
  }

  @Test func `a server closes a connection of HTTP/1.0 after its response, and refuses two hosts`()
    async throws
  {
    let (server, address) = try await workspace.startServer()
    let port = address.split(separator: ":").last.map(String.init) ?? ""
    let script = """
      import socket, sys
      for head in (b"HTTP/1.0\\r\\n", b"HTTP/1.0\\r\\nHost: x\\r\\nConnection: keep-alive\\r\\n",
                   b"HTTP/1.1\\r\\nConnection: close\\r\\n", b"HTTP/1.1\\r\\nHost: x\\r\\nConnection: Close\\r\\n",
                   b"HTTP/1.1\\r\\nHost: x\\r\\nHost: y\\r\\nConnection: close\\r\\n"):
          s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
          s.settimeout(20)
          s.sendall(b"GET /healthz " + head + b"\\r\\n")
          answer = b""
          while part := s.recv(10000): answer += part
          print(answer.split(b" ")[1].decode())
      """
    let outcome = try await workspace.runPython(script, port)
    #expect(outcome.output == "200\n200\n400\n200\n400\n", "\(outcome)")
    server.send(SIGTERM)
    await server.wait()
  }

  @Test func `a server sends 100 Continue to a client that waits for it`() async throws {
    let (server, address) = try await workspace.startServer()
    // curl sends the body after this timeout at the latest, which exceeds the limit of the whole request.
    let reply = try await buy(
      "com.example.book", at: address, "-H", "Expect: 100-continue", "--expect100-timeout", "600")
    #expect(reply.status == 200)
    server.send(SIGTERM)
    await server.wait()
  }

  @Test func `100 Continue follows the response to an earlier request, and HTTP/1.0 gets none`() async throws
  {
    let (server, address) = try await workspace.startServer()
    let port = address.split(separator: ":").last.map(String.init) ?? ""
    let script = """
      import re, socket, sys
      def talk(*parts):
          s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
          s.settimeout(20)
          s.sendall(b"".join(parts))
          answer = b""
          while part := s.recv(10000):
              answer += part
              if b"100 Continue" in answer and b"{}" not in parts[-1]:
                  s.sendall(b"{}")
                  parts = (b"{}",)
          print(re.findall("HTTP/1.1 ([0-9]+)", answer.decode()))
      post = b"Content-Type: application/json ; charset=utf-8\\r\\nContent-Length: 2\\r\\nExpect: 100-continue\\r\\n"
      talk(b"GET /healthz HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n",
           b"POST /v1/transactions HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n" + post + b"\\r\\n")
      talk(b"POST /v1/transactions HTTP/1.0\\r\\n" + post + b"\\r\\n{}")
      """
    let outcome = try await workspace.runPython(script, port)
    #expect(outcome.output == "['200', '100', '400']\n['400']\n", "\(outcome)")
    server.send(SIGTERM)
    await server.wait()
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a server ends on a signal`(signal: Int32) async throws {
    let (server, address) = try await workspace.startServer()
    #expect(try await HTTPReply.curl("\(address)/readyz").status == 200)
    server.send(signal)
    await server.wait()
    #expect(server.code == 0, "\(server.errors)")
    let files = try FileManager.default.contentsOfDirectory(atPath: workspace.path)
    #expect(files.filter { $0.hasPrefix("iapkg-server.sqlite") } == ["iapkg-server.sqlite"])
  }

  @Test(arguments: ["-1", "0x1c", "fffffffffffffffff", "zz"])
  func `invalid HTTP is an error of the client`(size: String) async throws {
    let (server, address) = try await workspace.startServer()
    let port = address.split(separator: ":").last.map(String.init) ?? ""
    let script = """
      import socket, sys
      s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
      s.sendall(b"POST /v1/transactions HTTP/1.1\\r\\nHost: x\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n"
                + sys.argv[2].encode() + b"\\r\\n{}\\r\\n0\\r\\n\\r\\n")
      s.shutdown(socket.SHUT_WR)
      print(s.recv(100).split(b" ")[1].decode())
      """
    let outcome = try await workspace.runPython(script, port, size)
    #expect(outcome.output == "400\n", "\(outcome)")
    #expect(!server.errors.contains("defect"))
  }
}
