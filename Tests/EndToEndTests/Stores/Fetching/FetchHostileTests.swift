import ContentPackage
import Delivery
import Foundation
import Support
import TestSupport
import Testing

/// The memory that `fetch` uses for the documents of a hostile store.
@Suite(.waiting, .enabled(if: Machine.has("python3"), "python3, which measures, is not installed"))
struct FetchHostileTests {
  private static let product = "com.example.product0"
  private let work: Workspace

  init() throws { work = try Workspace() }

  @Test(
    arguments: [
      ("\"x\":\"", "a"), ("\"manifest\":\"", "a"), ("\"pages\":\"", "A"), ("\"entries\":[{\"path\":\"", "é"),
      ("\"entries\":[{\"crc32\":", "7"), ("\"", "k"), ("\"x\":", "["), ("\"x\":{", "\"k#\":0,"),
      ("\"entries\":[{", "\"k#\":0,"),
    ])
  func `an index with a very long value is refused with little memory`(_ start: String, _ part: String) throws
  {
    let length = 7 << 20
    var index = Array("{\(start)".utf8)
    index.reserveCapacity(length + 100)
    var number = 0
    while index.count < length {
      index += part.replacingOccurrences(of: "#", with: "\(number)").utf8
      if index.count < 1 << 20 || part.contains("#") {
        number += 1
      } else {
        index += index[(1 << 10)..<(1 << 20)]
      }
    }
    for (path, bytes) in try ForgedStore(products: 1, releases: 1, index: index).files {
      try work.write(bytes, to: "store/\(path)")
    }
    let peak = try MemoryTests.peak(of: ["fetch", Self.product, "--from", "store"], in: work, exits: 76)
    #expect(peak < 64_000_000)
  }

  @Test func `a catalog of very many products takes little more memory than its bytes`() throws {
    let digest = SHA256Digest(of: [])
    let version = try #require(ContentVersion("1.0"))
    var catalog = Catalog(sequence: 1, published: Timestamp(seconds: 1))
    for number in 1...DocumentLimits.maximumProductCount {
      let product = try #require(ProductIdentifier("com.example.product\(number)"))
      catalog.products[product] = .init(
        contentVersion: version,
        releases: ObjectReference(path: .product(product, digest), byteCount: 1, digest: digest))
    }
    let payload = catalog.payload
    let bytes = CatalogEnvelope(payload: payload, signature: nil).bytes
    try work.write(bytes, to: "store/catalog.json")
    let peak = try MemoryTests.peak(of: ["fetch", Self.product, "--from", "store"], in: work, exits: 66)
    #expect(peak < 64_000_000 + bytes.count + payload.count)
  }
}
