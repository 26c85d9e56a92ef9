import ContentPackage
import HTTPTransport
import PackageForge
import Support
import TestSupport
import Testing

@testable import Delivery

/// Responses of networks and proxies in place of the store's. They are no attacks, and are requested again.
@Suite struct ForeignAnswerTests {
  private static let page = Array(
    "\n<!DOCTYPE html><html><body>Welcome to our network</body></html>".utf8)

  private let bench: FetchBench

  init() throws {
    bench = try FetchBench()
    try bench.publish("1.0")
  }

  private static func answer(
    _ body: [UInt8], _ type: String = "text/html", status: Int = 200
  ) -> FaultyStore.Response {
    .init(
      status: status, headers: ["Content-Type": type, "Content-Length": "\(body.count)"], body: body)
  }

  /// Checks that a fetch fails with `texts` after all retries if `change` modifies the responses for paths with `part`.
  private func expectError(
    _ part: String, _ texts: String..., sourceLocation: SourceLocation = #_sourceLocation,
    _ change: @escaping @Sendable (inout FaultyStore.Response) -> Void
  ) throws {
    let store = try bench.serve("store", part) { answer, _, _ in change(&answer) }
    let fetcher = try store.fetcher(into: bench.folder.place("Documents"))
    let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
      try fetcher.fetch(bench.product)
    }
    for text in texts {
      #expect(error?.message.contains(text) == true, "\(text)", sourceLocation: sourceLocation)
    }
    let count = store.server.received.count { $0.path.contains(part) }
    #expect(count >= RetryPolicy().attempts, sourceLocation: sourceLocation)
    #expect(!bench.folder.has("Documents/\(bench.product)"), sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    ("catalog.json", "a catalog"), ("products/", "an object of a store"),
    ("releases/", "an object of a store"),
    (".pkg", "an object of a store"),
  ])
  func `a page that asks to sign in is recognized`(_ part: String, _ expected: String) throws {
    try expectError(part, "is a web page, not \(expected): \(WebPage.question)") {
      $0 = Self.answer(Self.page)
    }
  }

  @Test func `a page in UTF-16 and other JSON than a catalog are recognized`() throws {
    let text = String(decoding: Self.page, as: UTF8.self).utf16.flatMap { unit in
      [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
    }
    try expectError("catalog.json", WebPage.question) { $0 = Self.answer([0xFF, 0xFE] + text) }
    try expectError("catalog.json", "is JSON, but not a catalog", WebPage.question) {
      $0 = Self.answer(Array(#"{"error": "login"}"#.utf8), "application/json")
    }
  }

  @Test func `a page in place of a bucket's catalog is recognized`() throws {
    let server = try ScriptedServer { _, _ in ScriptedServer.answer(200, [], Self.page) }
    let store = try S3Store(
      S3Location("s3://bucket/shop"), port: "\(server.port)",
      S3Credentials(accessKey: BucketScript.accessKey, secretKey: BucketScript.secretKey))
    let error = #expect(throws: StoreError.self) {
      try withExtendedLifetime(server) { try StoreReader(store).catalog() }
    }
    #expect(error?.message.contains(WebPage.question) == true)
  }

  @Test(arguments: ["catalog.json", "products/", "releases/"])
  func `compression that the request did not ask for is named`(_ part: String) throws {
    try expectError(part, "came with Content-Encoding: gzip, which the request did not ask for") { answer in
      let body = [0x1F, 0x8B, 8, 0] + answer.body.reversed()
      answer = Self.answer(body, "application/json")
      answer.headers["Content-Encoding"] = "gzip"
    }
  }

  @Test(arguments: [204, 206, 200])
  func `an empty or partial response in place of the catalog is an error of the connection`(_ status: Int)
    throws
  {
    try expectError("catalog.json") { answer in
      answer = Self.answer(status == 206 ? answer.body : [], "application/json", status: status)
    }
  }
}
