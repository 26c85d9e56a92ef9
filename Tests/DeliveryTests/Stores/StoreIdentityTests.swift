import Testing

@testable import Delivery

/// The identity of a store, the same for all spellings of its address.
@Suite struct StoreIdentityTests {
  @Test(arguments: [
    "https://example.com/shop", "https://example.com/shop/", "HTTPS://Example.COM:443/shop",
    "http://example.com/shop",
    "http://example.com:80/shop//", "https://example.com./shop", "https://example.com//shop",
    "https://example.com/%73hop",
    "https://example.com/a/../shop", "https://example.com/shop#part",
    "https://example.com/shop/%2e", "https://example.com/shop/%2E/", "https://example.com/%2e/shop",
    "https://example.com/a/%2e%2e/shop", "https://example.com/a/%2E./shop", "https://example.com/a/.%2e/shop",
    "https://example.com/%2e%2e/shop",
    "https://example.com/shop/a/%2e%2e", "https://example.com/./%2e//shop//%2e",
  ])
  func `the spellings of an address are one store`(_ address: String) {
    #expect(StoreLocation.identity(of: address) == "//example.com/shop")
  }

  @Test func `other hosts, ports, paths and buckets are other stores`() {
    let addresses = [
      "https://example.com/shop", "https://example.com/Shop", "https://example.com/shop2",
      "https://example.org/shop",
      "https://example.com:8443/shop", "https://example.com/sh%2Fop", "https://example.com/sh/op",
      "s3://example.com/shop",
      "s3://example.com/Shop", "https://example.com/%252e/shop", "https://example.com/a%2F..%2Fshop",
      "https://example.com/.../shop", "https://example.com/.shop",
    ]
    #expect(Set(addresses.map { StoreLocation.identity(of: $0) }).count == addresses.count)
    #expect(
      StoreLocation.identity(of: "S3://example.com/shop/")
        == StoreLocation.identity(of: "s3://example.com/shop"))
    #expect(
      StoreLocation.identity(of: "https://example.com/%c3%a9")
        == StoreLocation.identity(of: "https://example.com/%C3%A9"))
  }
}
