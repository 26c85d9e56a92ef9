import Foundation
import TestSupport
import Testing

/// The tests do not depend on time: they check that the bucket still holds the response back.
@Suite("A server of a bucket that holds a response back") struct SlowBucketTests {
  private let workspace: ServerWorkspace

  init() throws { workspace = try ServerWorkspace() }

  /// Holds back the next response for an object whose key has this end.
  private func hold(_ key: String) throws {
    try Data("[{\"do\": \"stall\", \"method\": \"GET\", \"key\": \"\(key)\"}]".utf8)
      .write(to: URL(fileURLWithPath: "\(workspace.path)/buckets.faults"), options: .atomic)
  }

  /// Returns the key of the release list of a product, which the catalog names.
  private func list(of product: String) throws -> String {
    let file = URL(fileURLWithPath: "\(workspace.path)/buckets/bucket/shop/catalog.json")
    let envelope = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    let payload = try #require((envelope?["payload"] as? String).flatMap { Data(base64Encoded: $0) })
    let catalog = try JSONSerialization.jsonObject(with: payload) as? [String: Any]
    let products = try #require(catalog?["products"] as? [String: [String: Any]])
    return try #require(products[product]?["path"] as? String)
  }

  private func ready(_ address: String) async throws -> Int {
    try await HTTPReply.curl("\(address)/readyz").status
  }

  private func hasHeld(_ bucket: BucketStandIn) throws -> Bool {
    try bucket.requests.contains { $0.hasSuffix(" held") }
  }

  /// Returns whether the response is held and the server still waits for it.
  private func isHeld(_ bucket: BucketStandIn) throws -> Bool {
    try hasHeld(bucket) && !bucket.requests.contains { $0.hasSuffix(" left") }
  }

  @Test(arguments: [nil, "com.example.book"])
  func `a server is ready and lists the products while the first catalog or release list is held back`(
    product: String?
  ) async throws {
    let bucket = try await BucketStandIn(workspace)
    let (server, address) = try await workspace.startServer(on: "s3://bucket/shop", bucket.environment)
    try hold(try product.map { try list(of: $0) } ?? "catalog.json")
    while try !hasHeld(bucket) { _ = try await ready(address) }
    while try await ready(address) != 200 {}
    #expect(try isHeld(bucket))
    while try await HTTPReply.curl("\(address)/v1/products").status != 200 {}
    #expect(try isHeld(bucket))
    server.send(SIGKILL)
    await server.wait()
  }

  @Test func `a server stays ready after a publication, and reads only the changed release list`()
    async throws
  {
    let bucket = try await BucketStandIn(workspace)
    let (server, address) = try await workspace.startServer(on: "s3://bucket/shop", bucket.environment)
    while try await HTTPReply.curl("\(address)/v1/products").status != 200 {}
    let old = try await HTTPReply.curl("\(address)/v1/products").body
    let other = try list(of: "com.example.other")
    let package = try workspace.makePackage("com.example.book", version: "2.0")
    let published = try await workspace.run(
      "iapkg", ["publish", package, "--to", "s3://bucket/shop"], bucket.environment)
    try #require(published.code == 0, "\(published.errors)")
    #expect(try list(of: "com.example.other") == other)
    try hold(try list(of: "com.example.book"))
    let before = try bucket.requests.count
    while try !hasHeld(bucket) { _ = try await ready(address) }
    #expect(try await HTTPReply.curl("\(address)/v1/products").status == 200)
    while try await ready(address) != 200 {}
    #expect(try isHeld(bucket))
    while try await HTTPReply.curl("\(address)/v1/products").body == old {}
    #expect(try isHeld(bucket))
    let lists = try bucket.requests.dropFirst(before).filter { $0.contains("/products/") }
    #expect(!lists.contains { $0.contains(other) }, "\(lists)")
    server.send(SIGKILL)
    await server.wait()
  }
}
