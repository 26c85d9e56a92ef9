import Foundation
import PackageForge
import TestSupport
import Testing

/// Fetching over an unreliable network, from the bucket stand-in and from web servers.
@Suite(.waiting, .enabled(if: Machine.has("python3"), "python3, which serves, is not installed"))
struct FetchNetworkTests {
  private let work: Workspace
  private let product = "com.example.book"
  private let store = BucketServer.store

  init() throws { work = try Workspace() }

  /// Publishes a package with incompressible files to the folder of the stand-in.
  ///
  /// Writes only the file `number`, or all `files` files if `number` is 0.
  private func publish(_ version: String = "1.0", changing number: Int = 0, files: Int = 6) throws {
    if !work.exists("Source") { try work.makeBook("Source") }
    for file in 0..<files where number == 0 || file == number {
      try work.write(Noise.bytes(300_000), to: "Source/Contents/\(file).dat")
    }
    try work.write(ForgedArchive.manifest(product, version), to: "Source/ContentInfo.plist")
    try work.iapkg("create", "Source", "-o", "\(version).pkg").exits(0)
    try work.makeFolder("buckets/bucket")
    try work.iapkg("publish", "\(version).pkg", "--to", "buckets/bucket/shop").succeeds()
  }

  private func expectInstalled(_ version: String = "1.0") throws {
    let status = try work.iapkg("status", "--verify").succeeds().output
    #expect(status.contains("\(product) \(version) (flat): intact"))
    if work.exists("Expected") { try work.remove("Expected") }
    try work.iapkg("extract", "\(version).pkg", "--into", "Expected").succeeds()
    #expect(try work.snapshot("Documents/\(product)") == work.snapshot("Expected/\(product)"))
  }

  @Test func `https to a server without TLS has its own message, and is not retried`() throws {
    let program = try work.start([
      Python.path, "-c",
      """
      import socket
      server = socket.create_server(("127.0.0.1", 0))
      print(server.getsockname()[1], flush=True)
      while True:
          connection = server.accept()[0]
          print("connection", flush=True)
          connection.recv(4096)
          connection.sendall(b"HTTP/1.1 400 Bad Request\\r\\nConnection: close\\r\\n\\r\\n")
          connection.close()
      """,
    ])
    defer {
      program.running.send(SIGKILL)
      _ = program.running.wait()
    }
    try program.waitForOutput { $0.hasSuffix("\n") }
    let port = try program.output().trimmingCharacters(in: .newlines)
    try work.iapkg(
      ["catalog", "--from", "https://127.0.0.1:\(port)/"], environment: ["no_proxy": "127.0.0.1"]
    ).fails(69, saying: "the server does not speak TLS at this address")
    #expect(try program.output() == "\(port)\nconnection\n")
  }

  @Test func `a first installation and an update from a bucket download no byte twice`() throws {
    try publish()
    let bucket = try BucketServer(work)
    try bucket.iapkg("fetch", product, "--from", store).succeeds()
    try expectInstalled()
    let size = Int64(try work.bytes("1.0.pkg").count)
    #expect(try bucket.bytesMoved(".pkg") <= size)
    try publish("1.1", changing: 3)
    let before = try bucket.bytesMoved(".pkg")
    try bucket.iapkg("update").succeeds()
    try expectInstalled("1.1")
    #expect(try bucket.bytesMoved(".pkg") - before < 301_000)
  }

  @Test(
    .enabled(if: Machine.has("prlimit"), "needs prlimit"),
    arguments: [["--nofile=36"], ["--as=\(512 << 20)"], ["--nofile=36", "--as=\(512 << 20)"]])
  func `few descriptors and little address space are enough for all connections`(_ limits: [String]) throws {
    try publish(files: 30)
    let bucket = try BucketServer(work)
    try bucket.iapkg("fetch", product, "--from", store, through: ["prlimit"] + limits).succeeds()
    try expectInstalled()
  }

  @Test(
    .enabled(if: Machine.has("prlimit"), "needs prlimit"),
    arguments: ["--nofile=5", "--nofile=9", "--as=\(128 << 20)"])
  func `too few descriptors and too little address space give an error`(_ limit: String) throws {
    try publish(files: 2)
    let bucket = try BucketServer(work)
    let outcome = try bucket.iapkg("fetch", product, "--from", store, through: ["prlimit", limit])
    #expect([69, 74].contains(outcome.code), "\(outcome)")
    #expect(["ulimit", "Too many open files"].contains { outcome.errors.contains($0) }, "\(outcome)")
    #expect(!work.exists("Documents/\(product)"))
  }

  @Test func `a failed product reports its requests and transferred bytes`() throws {
    try publish()
    let bucket = try BucketServer(
      work, faults: [#"{"key": ".pkg", "do": "status", "status": 403, "times": -1}"#])
    let failed = try #require(
      try bucket.iapkg("fetch", product, "--from", store, "--format=json").exits(77).document()["products"]?[
        0])
    #expect(failed["outcome"] == "failed")
    #expect(try #require(failed["requests"]?.integer) > 3)
    #expect(try #require(failed["transferredBytes"]?.integer) > 1_000)
  }

  @Test func `a package that is damaged in each response is refused`() throws {
    try publish(files: 0)
    let bucket = try BucketServer(work, faults: [#"{"key": ".pkg", "do": "flip", "times": 8}"#])
    try bucket.iapkg("fetch", product, "--from", store).fails(
      76, saying: "has other content than was published")
    #expect(!work.exists("Documents/\(product)"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
  func `a resumed fetch does not download again the parts received before a signal`(_ signal: Int32) throws {
    try publish(files: 8)
    let held = try BucketServer(work, faults: [#"{"skip": 2, "key": ".pkg", "do": "hold", "times": -1}"#])
    let fetch = try work.start(
      [BuiltProgram.path, "fetch", product, "--from", store], environment: held.environment)
    #expect(try held.holds(fetch))
    // Once two files are complete, the parts that are not held have been received.
    let staging = "Documents/.iapkg/staging"
    try Waiting.until {
      let files = (try? work.names(in: staging)) ?? []
      return files.count { (try? work.bytes("\(staging)/\($0)").count) == 300_000 } >= 2
    }
    fetch.running.send(signal)
    let outcome = try fetch.outcome()
    #expect(outcome.code == (signal == SIGKILL ? -SIGKILL : 128 + signal) || outcome.code == -signal)
    held.stop()
    let listed = try work.iapkg("downloads", "--format=json").exits(0).document()["downloads"]?[0]
    #expect(listed?["productIdentifier"] == "com.example.book" && listed?["contentVersion"] == "1.0")
    let received = try #require(listed?["receivedBytes"]?.integer)
    #expect(received > 300_000)

    let bucket = try BucketServer(work)
    let fetched = try bucket.iapkg("fetch", product, "--from", store, "--format=json").succeeds().document()
    try expectInstalled()
    #expect(try #require(fetched["products"]?[0]?["reusedBytes"]?.integer) >= 300_000)
    #expect(try work.iapkg("downloads").succeeds().output.contains("no unfinished downloads"))
    #expect(!work.exists("Documents/.iapkg/downloads"))
  }

  @Test func `products installed before Ctrl-C are reported`() throws {
    try publish(files: 2)
    for name in ["second", "third"] {
      let identity = ["--product-id", "com.example.\(name)", "--content-version", "1.0"]
      try work.iapkg(["create", "--contents", "Source/Contents", "-o", "\(name).pkg"] + identity).exits(0)
      try work.iapkg("publish", "\(name).pkg", "--to", "buckets/bucket/shop").succeeds()
    }
    let held = try BucketServer(work)
    try held.iapkg("fetch", product, "--from", store, "--into", "Other").succeeds()
    let parts = try held.log().count { $0.contains(".pkg") }
    try held.fail("{\"key\": \".pkg\", \"skip\": \(parts), \"do\": \"hold\", \"times\": -1}")
    let fetch = try work.start(
      [
        BuiltProgram.path, "fetch", product, "com.example.second", "com.example.third", "--from", store,
        "--format=json",
      ], environment: held.environment)
    #expect(try held.holds(fetch))
    fetch.running.send(SIGINT)
    let outcome = try fetch.outcome().exits(-SIGINT)
    let products = try #require(try outcome.document()["products"])
    #expect(products[0]?["productIdentifier"] == "com.example.book" && products[0]?["outcome"] == "installed")
    #expect(products[1]?["productIdentifier"] == "com.example.second" && products[1]?["outcome"] == "failed")
    #expect(products[1]?["error"]?["code"] == 130 && products[2] == nil)
    #expect(outcome.errors.contains("com.example.second: interrupted") && outcome.errors.contains("1 more"))
  }

  @Test func `the suggested command for an interrupted download has its original options`() throws {
    try publish(files: 2)
    let held = try BucketServer(work, faults: [#"{"key": ".pkg", "do": "hold", "times": -1}"#])
    let options = [
      "--from", store, "--content-version", "1.0", "--channel", "beta", "--into", "My Documents",
    ]
    let fetch = try work.start(
      [BuiltProgram.path, "fetch", product] + options, environment: held.environment)
    #expect(try held.holds(fetch))
    fetch.running.send(SIGTERM)
    _ = try fetch.outcome()
    try work.iapkg("update", product, "--into", "My Documents").fails(
      66,
      saying: "resume it with iapkg fetch \(product) --from \(store) --content-version 1.0 --channel beta "
        + "--into 'My Documents'\n")
    try held.fail()
    try held.iapkg("fetch", product, "--from", store, "--content-version", "1.0", "--into", "My Documents")
      .exits(0)
  }

  @Test func `an unfinished download can be discarded`() throws {
    try publish(files: 2)
    let held = try BucketServer(work, faults: [#"{"key": ".pkg", "do": "hold", "times": -1}"#])
    let fetch = try work.start(
      [BuiltProgram.path, "fetch", product, "--from", store], environment: held.environment)
    #expect(try held.holds(fetch))
    fetch.running.send(SIGTERM)
    _ = try fetch.outcome()
    #expect(try work.iapkg("downloads").succeeds().output.contains("com.example.book 1.0: received"))
    let command = "resume it with iapkg fetch \(product) --from \(store)"
    try work.iapkg("update", product).fails(66, saying: command)
    try work.iapkg("update").exits(0, saying: "note: \(product) is not installed", command)
    try work.iapkg("downloads", "--cancel", product).succeeds()
    try work.iapkg("downloads", "--cancel", product).fails(66, saying: "no unfinished download")
    #expect(!work.exists("Documents/.iapkg"))
  }
}
