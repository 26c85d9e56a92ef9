import ContentPackage
import Delivery
import Foundation
import PackageForge
import Support
import TestSupport
import Testing

/// Publishing to a bucket, with injected faults.
@Suite("Publishing to a bucket", .waiting) final class BucketTests {
  private let workspace: Workspace
  private static let to = BucketServer.store

  init() throws {
    workspace = try Workspace()
    try workspace.makeBookPackage()
  }

  /// Checks that the store is intact and has these versions of the book.
  private func expect(
    _ versions: [String], in bucket: BucketServer, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try bucket.iapkg("catalog", "verify", "--deep", "--from", Self.to).exits(
      0, sourceLocation: sourceLocation)
    let document = try bucket.iapkg("catalog", "com.example.book", "--from", Self.to, "--format=json")
      .document()
    let releases = document["products"]?[0]?["releases"]?.elements ?? []
    #expect(
      releases.map { $0["contentVersion"]?.text ?? "" } == versions, "\(document)",
      sourceLocation: sourceLocation)
  }

  @Test func `publish, catalog, withdraw and prune work on a bucket as on a folder`() throws {
    let bucket = try BucketServer(workspace, options: ["--page", "2"])
    let document = try bucket.iapkg("publish", "Book.pkg", "--to", Self.to, "--format=json").exits(0)
      .document()
    #expect(document["published"]?[0]?["outcome"] == "published")
    #expect(document["sequence"] == 1)
    let path = try #require(document["published"]?[0]?["path"]?.text)
    #expect(try workspace.bytes("\(bucket.folder)/shop/\(path)") == workspace.bytes("Book.pkg"))
    try expect(["1.0"], in: bucket)

    let again = try bucket.iapkg("publish", "Book.pkg", "--to", Self.to, "--format=json").exits(0).document()
    #expect(again["published"]?[0]?["outcome"] == "already-published")
    try workspace.makeBookPackage("Next.pkg", version: "1.1")
    try bucket.iapkg("publish", "Next.pkg", "--to", Self.to).exits(0)
    try expect(["1.1", "1.0"], in: bucket)
    try bucket.iapkg("withdraw", "com.example.book", "1.1", "--reason", "a fault", "--to", Self.to).exits(0)
    try bucket.iapkg("catalog", "prune", "--to", Self.to).exits(0)
    try expect(["1.1", "1.0"], in: bucket)
  }

  @Test func `prune keeps the list of releases that a publication has just replaced`() throws {
    let bucket = try BucketServer(workspace)
    try bucket.iapkg("publish", "Book.pkg", "--to", Self.to).exits(0)
    func lists() throws -> Set<String> {
      try workspace.names(in: "\(bucket.folder)/shop/products/com.example.book").filter {
        $0.hasSuffix(".json")
      }
    }
    func age() throws {
      try workspace.run(["find", bucket.folder, "-exec", "touch", "--date=3 days ago", "{}", "+"]).exits(0)
    }
    let first = try lists()
    try age()
    try workspace.makeBookPackage("Next.pkg", version: "1.1")
    try bucket.iapkg("publish", "Next.pkg", "--to", Self.to).exits(0)
    try bucket.iapkg("catalog", "prune", "--to", Self.to).exits(0)
    let kept = try lists()
    #expect(kept.isSuperset(of: first) && kept.count == 2)
    try age()
    try bucket.iapkg("catalog", "prune", "--to", Self.to).exits(0)
    let left = try lists()
    #expect(left.isDisjoint(with: first) && left.count == 1)
  }

  @Test(arguments: [
    #"{"do": "status", "status": 503, "code": "SlowDown", "retryAfter": 0, "times": 2}"#,
    #"{"do": "status", "status": 500, "code": "InternalError"}"#, #"{"do": "drop"}"#, #"{"do": "cut"}"#,
    #"{"do": "late", "method": "PUT"}"#, #"{"do": "lose", "method": "PUT", "key": "catalog.json"}"#,
    #"{"do": "lose", "method": "PUT", "key": ".pkg"}"#,
    #"{"do": "status", "status": 409, "code": "ConditionalRequestConflict", "key": "catalog.json", "method": "PUT"}"#,
    #"{"do": "touch", "key": "catalog.json", "method": "PUT"}"#, #"{"do": "etag", "key": "catalog.json"}"#,
    #"{"do": "flip", "key": "catalog.json", "method": "GET"}"#,
  ])
  func `a temporary fault is retried until the publication is complete`(fault: String) throws {
    let bucket = try BucketServer(workspace)
    try bucket.iapkg("publish", "Book.pkg", "--to", Self.to).exits(0)
    try workspace.makeBookPackage("Next.pkg", version: "1.1")
    try bucket.fail(fault)
    try bucket.iapkg("publish", "Next.pkg", "--to", Self.to).exits(0)
    try expect(["1.1", "1.0"], in: bucket)
  }

  @Test(arguments: [
    (
      #"{"do": "status", "status": 503, "code": "SlowDown", "retryAfter": 0, "times": -1}"#, Int32(69),
      "SlowDown"
    ),
    (#"{"do": "status", "status": 503, "code": "SlowDown", "method": "PUT", "times": -1}"#, 69, "SlowDown"),
    (#"{"do": "drop", "times": -1}"#, 69, "127.0.0.1"),
    (#"{"do": "lose", "method": "PUT", "times": -1}"#, 69, "127.0.0.1"),
    (#"{"do": "late", "method": "PUT", "times": -1}"#, 69, "InternalError"),
    (
      #"{"do": "status", "status": 403, "code": "AccessDenied", "times": -1}"#, 77,
      "AccessDenied, request REQUEST1"
    ),
    (#"{"do": "status", "status": 403, "code": "AccessDenied", "method": "PUT"}"#, 77, "AccessDenied"),
    (
      #"{"do": "status", "status": 412, "key": "catalog.json", "method": "PUT", "times": -1}"#, 75,
      "try again"
    ),
    (#"{"do": "flip", "key": "catalog.json", "method": "GET", "times": -1}"#, 76, "catalog.json"),
    (#"{"do": "flip", "key": ".pkg", "method": "GET"}"#, 76, ".pkg"),
  ])
  func `a permanent fault has its exit code, and loses nothing`(fault: String, code: Int32, words: String)
    throws
  {
    let bucket = try BucketServer(workspace)
    try bucket.iapkg("publish", "Book.pkg", "--to", Self.to).exits(0)
    try workspace.makeBookPackage("Next.pkg", version: "1.1")
    try bucket.fail(fault)
    try bucket.iapkg("publish", "Next.pkg", "--to", Self.to).fails(code, saying: words)
    try bucket.fail()
    try expect(["1.0"], in: bucket)
    try bucket.iapkg("publish", "Next.pkg", "--to", Self.to).exits(0)
    try expect(["1.1", "1.0"], in: bucket)
  }

  @Test(arguments: ["drop", "lose"])
  func `a connection that is lost at any request costs only another request`(fault: String) throws {
    let bucket = try BucketServer(workspace)
    var number = 0
    while true {
      if number > 0 { try workspace.remove("\(bucket.folder)/shop") }
      try bucket.fail("{\"do\": \"\(fault)\", \"skip\": \(number)}")
      let before = try bucket.log().count
      try bucket.iapkg("publish", "Book.pkg", "--to", Self.to).exits(0)
      let requests = try bucket.log().dropFirst(before)
      try expect(["1.0"], in: bucket)
      guard requests.contains(where: { $0.hasSuffix("dropped") || $0.hasSuffix(" lose") }) else { break }
      number += Self.stride
    }
    #expect(number > 5)
  }

  @Test func `an unusable store is reported`() throws {
    let bucket = try BucketServer(workspace)
    let publish = ["publish", "Book.pkg", "--to"]
    func run(_ store: String, _ variables: [String: String] = [:]) throws -> Outcome {
      try workspace.iapkg(publish + [store], environment: bucket.environment.merging(variables) { $1 })
    }
    try run("s3://elsewhere/shop").fails(66, saying: "NoSuchBucket")
    try run("s3://b").fails(64, saying: "3 to 63 characters")
    try run("ftp://bucket").fails(64)
    try run("http://127.0.0.1:9/").fails(64, saying: "can only be read")
    try run(Self.to, ["AWS_ENDPOINT_URL": "bucket"]).fails(64, saying: "AWS_ENDPOINT_URL")
    try run(Self.to, ["AWS_REGION": "eu-west-1"]).fails(64, saying: "'us-east-1'")
    try run(Self.to, ["AWS_ACCESS_KEY_ID": ""]).fails(77, saying: "AWS_ACCESS_KEY_ID")
    try run(Self.to, ["AWS_SECRET_ACCESS_KEY": "wrong"]).fails(77, saying: "SignatureDoesNotMatch")
    bucket.stop()
    try run(Self.to, ["AWS_MAX_ATTEMPTS": "1"]).fails(69, saying: "127.0.0.1")
  }

  @Test func `no message contains credentials`() throws {
    for fault in [#"{"do": "drop", "times": -1}"#, #"{"do": "status", "status": 403, "times": -1}"#] {
      let bucket = try BucketServer(workspace, faults: [fault])
      let outcome = try bucket.iapkg(
        "publish", "Book.pkg", "--to", Self.to,
        changing: ["AWS_SESSION_TOKEN": "TESTTOKEN", "AWS_MAX_ATTEMPTS": "1"])
      for secret in ["TESTSECRET", "TESTTOKEN", "Signature="] { #expect(!"\(outcome)".contains(secret)) }
    }
  }

  @Test func `a bucket that ignores conditions is refused without --single-publisher`() throws {
    let bucket = try BucketServer(workspace, options: ["--ignore-conditions"])
    try workspace.makeBook()
    try workspace.iapkg("publish", "Book.pkg", "--to", "Local").exits(0)
    for command in [["publish", "Book.pkg"], ["release", "Book"], ["catalog", "copy", "--from", "Local"]] {
      try workspace.iapkg(command + ["--to", Self.to], environment: bucket.environment)
        .fails(64, saying: "--single-publisher")
      #expect(try bucket.log().allSatisfy { !$0.contains("/releases/") }, "nothing is uploaded")
    }
    try bucket.iapkg("publish", "Book.pkg", "--to", Self.to, "--single-publisher").exits(0)
    try expect(["1.0"], in: bucket)
  }

  @Test func `a publication transfers the catalog twice, and its own files`() throws {
    let store = try ForgedStore(products: 300, releases: 2)
    for (path, bytes) in store.files { try workspace.write(bytes, to: "buckets/bucket/shop/\(path)") }
    let bucket = try BucketServer(workspace)
    try bucket.iapkg("publish", "Book.pkg", "--to", Self.to).exits(0)
    let catalogBytes = try Int64(workspace.bytes("\(bucket.folder)/shop/catalog.json").count)
    #expect(catalogBytes > 50_000)
    let read = try #require(store.files["catalog.json"]).count
    #expect(try bucket.bytesMoved("catalog.json") == catalogBytes + Int64(read))
    let package = try Int64(workspace.bytes("Book.pkg").count)
    #expect(try bucket.bytesMoved(".pkg") == 2 * package, "uploaded, and downloaded for verification")
    #expect(try bucket.log().allSatisfy { !$0.contains("example.product") })
  }

  @Test func `a release without changes requests each document of a product once`() throws {
    let bucket = try BucketServer(workspace)
    for number in 1...12 {
      try workspace.makeBook("products/\(number)", product: "com.example.book\(number)")
    }
    try bucket.iapkg("release", "products", "--to", Self.to).exits(0)
    let lines = try bucket.log().count
    let again = try bucket.iapkg("release", "products", "--to", Self.to).exits(0)
    #expect(again.output.contains("12 products: 12 unchanged"))
    let documents = try bucket.log().dropFirst(lines).compactMap { line -> Substring? in
      let words = line.split(separator: " ")
      return words[0] == "GET" && words[1].contains("com.example.book") ? words[1] : nil
    }
    #expect(documents.count == 36, "\(documents)")
    #expect(Set(documents).count == 36)
  }

  @Test(arguments: ["-3600", "3600"])
  func `a clock that is an hour off does not matter`(seconds: String) throws {
    let bucket = try BucketServer(workspace, options: ["--clock", seconds])
    try bucket.iapkg("publish", "Book.pkg", "--to", Self.to).exits(0)
    try expect(["1.0"], in: bucket)
  }

  @Test func `an object that disappears while it is verified is found`() throws {
    let bucket = try BucketServer(workspace)
    try bucket.iapkg("publish", "Book.pkg", "--to", Self.to).exits(0)
    try bucket.fail(#"{"do": "vanish", "key": ".pkg", "method": "GET"}"#)
    try bucket.iapkg("catalog", "verify", "--deep", "--from", Self.to).exits(69)
  }

  @Test func `publishers of different products at once all succeed, and the sequence counts them`() throws {
    let bucket = try BucketServer(workspace)
    let count = 16
    for number in 1...count {
      try workspace.makeBookPackage("Book\(number).pkg", product: "com.example.book\(number)")
    }
    let running = try (1...count).map { try bucket.startPublishing("Book\($0).pkg") }
    for program in running { try program.outcome().exits(0) }
    let document = try bucket.iapkg("catalog", "--from", Self.to, "--format=json").document()
    #expect(document["sequence"]?.integer == Int64(count))
    #expect(document["products"]?.elements.count == count)
    try bucket.iapkg("catalog", "verify", "--deep", "--from", Self.to).exits(0)
  }

  @Test func `of two publishers of one version one wins, and the other ends with an error`() throws {
    let bucket = try BucketServer(workspace)
    try workspace.makeBook("Other")
    try workspace.write("another page", to: "Other/Contents/pages/two.txt")
    try workspace.iapkg("create", "Other", "-o", "Other.pkg").exits(0)
    let running = [try bucket.startPublishing("Book.pkg"), try bucket.startPublishing("Other.pkg")]
    let outcomes = try running.map { try $0.outcome() }
    #expect(outcomes.map(\.code).sorted() == [0, 1], "\(outcomes)")
    #expect(outcomes.contains { $0.errors.contains("version/already-published") }, "\(outcomes)")
    try expect(["1.0"], in: bucket)
  }

  @Test(arguments: ["hold", "done-hold"])
  func `a publication that is killed at a request leaves the old catalog or the new one`(fault: String) throws
  {
    try workspace.makeBookPackage("Next.pkg", version: "1.1")
    let bucket = try BucketServer(workspace)
    var number = 0
    while true {
      if number > 0 { try workspace.remove("\(bucket.folder)/shop") }
      try bucket.iapkg("publish", "Book.pkg", "--to", Self.to).exits(0)
      try bucket.fail("{\"do\": \"\(fault)\", \"skip\": \(number)}")
      let before = try bucket.log().count
      let program = try bucket.startPublishing("Next.pkg")
      guard try bucket.holds(program, since: before) else {
        try program.outcome().exits(0)
        break
      }
      program.running.send(SIGKILL)
      _ = program.running.wait()
      try bucket.iapkg("catalog", "verify", "--deep", "--from", Self.to).exits(0)
      try bucket.iapkg("publish", "Next.pkg", "--to", Self.to).exits(0)
      try expect(["1.1", "1.0"], in: bucket)
      number += Self.stride
    }
    #expect(number > 5)
  }

  /// The interval, in requests, between two injected faults; `IAPKG_TEST_EVERY=1` tests a fault at every request.
  private static let stride = ProcessInfo.processInfo.environment["IAPKG_TEST_EVERY"].flatMap(Int.init) ?? 5

  @Test func `the probe of a killed publisher does not block the next`() throws {
    try workspace.write("", to: "buckets/bucket/shop/.iapkg-probe-1")
    let bucket = try BucketServer(workspace)
    try bucket.iapkg("publish", "Book.pkg", "--to", Self.to).exits(0)
    try bucket.iapkg("catalog", "prune", "--to", Self.to).exits(0)
    #expect(workspace.exists("\(bucket.folder)/shop/.iapkg-probe-1"), "it is not a day old")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -2 * 86_400)],
      ofItemAtPath: workspace.place("\(bucket.folder)/shop/.iapkg-probe-1"))
    try bucket.iapkg("catalog", "prune", "--to", Self.to).exits(0)
    #expect(!workspace.exists("\(bucket.folder)/shop/.iapkg-probe-1"))
  }

  @Test(arguments: ["probe", "uploads"])
  func `a bucket that ignores the prefix of a list loses no object`(query: String) throws {
    let bucket = try BucketServer(workspace)
    for store in [Self.to, "s3://bucket/other"] {
      try bucket.iapkg("publish", "Book.pkg", "--to", store).exits(0)
    }
    let orphan = StorePath.index(
      try #require(ProductIdentifier("com.example.book")), try #require(ContentVersion("9")),
      SHA256Digest(of: []))
    try workspace.write("orphan", to: "\(bucket.folder)/shop/\(orphan)")
    try bucket.fail(#"{"do": "hold", "query": "partNumber"}"#)
    try workspace.makeBook("Large", product: "com.example.large")
    try workspace.makeSparseFile("Large/Contents/zeros", bytes: 65 << 20)
    try workspace.iapkg("create", "Large", "-o", "Large.pkg", "--compression", "store").exits(0)
    let program = try workspace.start(
      [BuiltProgram.path, "publish", "Large.pkg", "--to", "s3://bucket/other"],
      environment: bucket.environment)
    #expect(try bucket.holds(program))
    program.running.send(SIGKILL)
    _ = program.running.wait()
    let objects = try workspace.snapshot(bucket.folder)
    for path in objects.keys {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -2 * 86_400)],
        ofItemAtPath: workspace.place("\(bucket.folder)/\(path)"))
    }
    try bucket.fail("{\"do\": \"lax\", \"query\": \"\(query)\", \"times\": -1}")
    try bucket.iapkg("catalog", "prune", "--to", Self.to).fails(76, saying: "cannot be trusted")
    #expect(try workspace.snapshot(bucket.folder) == objects)
    #expect(try bucket.log().allSatisfy { !$0.hasPrefix("DELETE") || $0.contains(".iapkg-probe-") })
    try bucket.fail()
    try bucket.iapkg("catalog", "prune", "--to", Self.to).exits(0)
    #expect(!workspace.exists("\(bucket.folder)/shop/\(orphan)"))
  }

  @Test func `the parts of a killed upload are pruned once they are a day old`() throws {
    let bucket = try BucketServer(
      workspace, faults: [#"{"do": "hold", "query": "partNumber"}"#], options: ["--age", "90000"])
    try bucket.iapkg("publish", "Book.pkg", "--to", "s3://bucket").exits(0)
    try bucket.iapkg("publish", "Book.pkg", "--to", Self.to).exits(0)
    try workspace.makeBook("Large", product: "com.example.large")
    try workspace.makeSparseFile("Large/Contents/zeros", bytes: 65 << 20)
    try workspace.iapkg("create", "Large", "-o", "Large.pkg", "--compression", "store").exits(0)
    let program = try bucket.startPublishing("Large.pkg")
    #expect(try bucket.holds(program))
    program.running.send(SIGKILL)
    _ = program.running.wait()
    let other = try bucket.iapkg("catalog", "prune", "--to", "s3://bucket", "--format=json").exits(0)
      .document()
    #expect(other["deleted"]?.elements.isEmpty == true, "the upload belongs to another store")
    let document = try bucket.iapkg("catalog", "prune", "--to", Self.to, "--format=json").exits(0).document()
    #expect("\(document)".contains("com.example.large"))
    try bucket.iapkg("publish", "Large.pkg", "--to", Self.to).exits(0)
    try expect(["1.0"], in: bucket)
  }

  @Test func `an upload whose first response was lost is pruned once it is a day old`() throws {
    let bucket = try BucketServer(
      workspace, faults: [#"{"do": "lose", "query": "uploads", "method": "POST"}"#],
      options: ["--age", "90000"])
    try workspace.makeBook("Large", product: "com.example.large")
    try workspace.makeSparseFile("Large/Contents/zeros", bytes: 65 << 20)
    try workspace.iapkg("create", "Large", "-o", "Large.pkg", "--compression", "store").exits(0)
    try bucket.iapkg("publish", "Large.pkg", "--to", Self.to).exits(0)
    func prune() throws -> [JSON] {
      try bucket.iapkg("catalog", "prune", "--to", Self.to, "--format=json").exits(0).document()["deleted"]?
        .elements ?? []
    }
    #expect(try prune().compactMap(\.text).filter { $0.contains("com.example.large") }.count == 1)
    #expect(try prune().isEmpty)
    try bucket.iapkg("catalog", "verify", "--deep", "--from", Self.to).exits(0)
  }

  @Test(arguments: [("-90000", true), ("90000", true), ("3600", false)])
  func `a clock more than a day off from that of the bucket causes a warning`(seconds: String, isWarned: Bool)
    throws
  {
    let bucket = try BucketServer(workspace, options: ["--clock", seconds])
    let outcome = try bucket.iapkg("publish", "Book.pkg", "--to", Self.to).exits(0)
    #expect(
      outcome.errors.contains("warning: the clock of s3://bucket/shop shows ") == isWarned, "\(outcome)")
    try bucket.iapkg("catalog", "prune", "--to", Self.to).exits(0)
    try expect(["1.0"], in: bucket)
  }

  @Test func `a catalog behind a web server can be read and verified`() throws {
    try workspace.iapkg("publish", "Book.pkg", "--to", "Store").exits(0)
    let program = try workspace.start([
      Python.path, "-u", "-c",
      """
      import http.server, functools
      handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory="Store")
      server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
      print(server.server_port, flush=True)
      server.serve_forever()
      """,
    ])
    defer {
      program.running.send(SIGKILL)
      _ = program.running.wait()
    }
    try program.waitForOutput { $0.hasSuffix("\n") }
    let address = "http://127.0.0.1:\(try program.output().trimmingCharacters(in: .newlines))/"
    let environment = ["no_proxy": "127.0.0.1"]
    let document = try workspace.iapkg(
      "catalog", "--from", address, "--format=json", environment: environment
    ).exits(0).document()
    #expect(document["products"]?[0]?["productIdentifier"] == "com.example.book")
    try workspace.iapkg("catalog", "verify", "--deep", "--from", address, environment: environment).exits(0)
    try workspace.iapkg("catalog", "--from", address + "elsewhere", environment: environment).fails(66)
  }

  @Test func `a listing that repeats its objects without end is an error`() throws {
    let server = try ScriptedServer { request, number in
      guard request.path.contains("list-type") else { return ScriptedServer.answer(404) }
      return ScriptedServer.answer(
        200, [],
        """
        <ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>\(number)</NextContinuationToken>
        <Contents><Key>shop/products/x</Key><Size>1</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>
        </ListBucketResult>
        """)
    }
    try workspace.iapkg(
      ["publish", "Book.pkg", "--to", Self.to], environment: BucketScript.environment(port: "\(server.port)")
    ).fails(69, saying: "its list repeats the objects from products/x")
    #expect(server.received.count { $0.path.contains("list-type") } == 2)
    try workspace.iapkg("catalog", "--from", "s3://bk/x").fails(
      64, saying: "bucket names have 3 to 63 characters")
  }
}
