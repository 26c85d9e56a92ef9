import Foundation
import PackageForge
import TestSupport
import Testing

/// The states that `fetch` and `update` report during transfers, and pausing.
@Suite(.waiting, .enabled(if: Machine.has("python3"), "python3, which serves, is not installed"))
struct FetchStateTests {
  private let work: Workspace
  private let products = ["com.example.a", "com.example.b"]
  private let store = BucketServer.store

  init() throws { work = try Workspace() }

  private func publish(_ product: String, _ bytes: Int = 2_000_000) throws {
    try work.makeBook(product, product: product)
    try work.write(Noise.bytes(bytes), to: "\(product)/Contents/large.dat")
    try work.iapkg("create", product, "-o", "\(product).pkg").exits(0)
    try work.makeFolder("buckets/bucket")
    try work.iapkg("publish", "\(product).pkg", "--to", "buckets/bucket/shop").succeeds()
  }

  /// Returns the reported states of a product, without repetitions.
  private func states(of product: String, in errors: String) throws -> [String] {
    var states: [String] = []
    for line in errors.split(separator: "\n") where line.hasPrefix("{") {
      let document = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(
        Set(try #require(document).keys) == [
          "product", "state", "progress", "bytes", "totalBytes", "bytesPerSecond", "timeRemaining", "reused",
        ])
      guard document?["product"] as? String == product, let state = document?["state"] as? String else {
        continue
      }
      if states.last != state { states.append(state) }
    }
    return states
  }

  @Test func `--progress json prints a line for each change of state`() throws {
    for product in products { try publish(product, 1_000) }
    let bucket = try BucketServer(work)
    let fetched = try bucket.iapkg(
      "fetch", "com.example.none", products[0], products[1], "--from", store, "--progress", "json",
      "--format=json")
    #expect(fetched.code == 66)
    for product in products {
      #expect(try states(of: product, in: fetched.errors) == ["waiting", "active", "finished"])
    }
    #expect(
      try states(of: "com.example.none", in: fetched.errors) == ["waiting", "active", "failed"])
    let last = try #require(fetched.errors.split(separator: "\n").last { $0.contains("finished") })
    #expect(last.contains(#""progress":1,"#) && last.contains(#""timeRemaining":0,"#))
    // One catalog serves all products of a store.
    let before = try bucket.log().count
    let updated = try bucket.iapkg("update", "--progress", "json").exits(0)
    #expect(try states(of: products[1], in: updated.errors) == ["waiting", "active", "finished"])
    #expect(try bucket.log().dropFirst(before).count { $0.contains("catalog.json") } == 1)
  }

  @Test func `an interrupted fetch reports a final state for each product`() throws {
    for product in products { try publish(product) }
    let bucket = try BucketServer(work, faults: [#"{"key": ".pkg", "do": "hold", "times": -1}"#])
    let fetch = try work.start(
      [BuiltProgram.path, "fetch", products[0], products[1], "--from", store, "--progress=json"],
      environment: bucket.environment)
    try Waiting.until { try bucket.log().contains { $0.hasSuffix("held") } }
    fetch.running.send(SIGINT)
    let errors = try fetch.outcome().errors
    #expect(try states(of: products[0], in: errors) == ["waiting", "active", "cancelled"])
    #expect(try states(of: products[1], in: errors) == ["waiting", "cancelled"])
  }

  /// Waits until the bucket holds all three requests, and the fetch has the half of the large file that the bucket sent.
  private func waitForStalls(of bucket: BucketServer) throws {
    try Waiting.until { try bucket.log().count { $0.hasSuffix("held") } == 3 }
    try Waiting.until { ((try? work.bytes("Documents/.iapkg/staging/large.dat").count) ?? 0) >= 500_000 }
  }

  @Test func `SIGTSTP closes the connections and stops the fetch, and SIGCONT resumes it`() throws {
    try publish(products[0])
    // One request for the large file, and one each for the bytes before and after it.
    let bucket = try BucketServer(work, faults: [#"{"key": ".pkg", "do": "stall", "times": 3}"#])
    let fetch = try work.start(
      Machine.asJob + [BuiltProgram.path, "fetch", products[0], "--from", store, "--progress=json"],
      environment: bucket.environment)
    try waitForStalls(of: bucket)
    let number = try #require(pid_t(work.text("number").dropLast()))
    kill(number, SIGTSTP)
    try Waiting.until { Machine.hasStopped(number) }
    #expect(try states(of: products[0], in: fetch.errors()).last == "paused")
    // The stalled connections are closed.
    try Waiting.until { try bucket.log().count { $0.hasSuffix("left") } == 3 }
    let before = try bucket.bytesMoved(".pkg")
    kill(number, SIGCONT)
    let outcome = try fetch.outcome().exits(0)
    #expect(
      try states(of: products[0], in: outcome.errors) == [
        "waiting", "active", "paused", "active", "finished",
      ])
    // The bytes received before the pause are not sent again.
    #expect(try bucket.bytesMoved(".pkg") - before <= 1_600_000)
    #expect(try work.iapkg("status", "--verify").succeeds().output.contains("intact"))
  }

  @Test func `a fetch that gets SIGCONT while it closes its connections does not stop`() throws {
    try publish(products[0])
    let bucket = try BucketServer(work, faults: [#"{"key": ".pkg", "do": "stall", "times": 3}"#])
    let fetch = try work.start(
      Machine.asJob + [BuiltProgram.path, "fetch", products[0], "--from", store, "--progress=json"],
      environment: bucket.environment)
    try waitForStalls(of: bucket)
    let number = try #require(pid_t(work.text("number").dropLast()))
    kill(number, SIGTSTP)
    try Waiting.until { try states(of: products[0], in: fetch.errors()).last == "paused" }
    kill(number, SIGCONT)
    let outcome = try fetch.outcome().exits(0)
    #expect(try states(of: products[0], in: outcome.errors).suffix(3) == ["paused", "active", "finished"])
  }
}
