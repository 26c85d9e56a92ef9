import ContentPackage
import Delivery
import Testing

@testable import IAPKGCommands

/// The progress lines of transfers.
struct TransferTextTests {
  private func transfer(
    _ name: String, _ state: ProductTransfer.State, bytes: Int64 = 0, of total: Int64 = 0, rate: Int64 = 0
  ) throws -> ProductTransfer {
    ProductTransfer(
      product: try #require(ProductIdentifier(name)), state: state, bytes: bytes, totalBytes: total,
      bytesPerSecond: rate, reusedBytes: 0)
  }

  @Test func `each product has a line`() throws {
    let text = TransferText(
      [
        try transfer("com.a", .finished, bytes: 9, of: 9), try transfer("com.longer", .failed),
        try transfer("com.b", .active, bytes: 500_000, of: 2_000_000, rate: 100_000),
        try transfer("com.c", .paused, bytes: 1, of: 2), try transfer("com.d", .waiting),
        try transfer("com.e", .cancelled),
      ], .installing)
    #expect(
      text.lines(columns: 80) == [
        "com.a       done", "com.longer  failed",
        "com.b       [####------------] installing 25 %, 100.0 kB/s, 0:15 left",
        "com.c       [########--------] paused at 50 %", "com.d       waiting", "com.e       cancelled",
      ])
    #expect(text.lines(columns: 30)[2] == "com.b       installing 25 %, ")
    #expect(
      text.activeLines == ["com.b: installing 25 %, 100.0 kB/s, 0:15 left", "com.c: paused at 50 %"])
  }

  @Test func `of many products, the active and the latest are shown`() throws {
    var transfers = try (0..<50).map { try transfer("com.p\($0)", .finished) }
    transfers += [try transfer("com.now", .active)]
    transfers += try (0..<50).map { try transfer("com.q\($0)", .waiting) }
    let lines = TransferText(transfers, nil).lines(columns: 80)
    #expect(lines.count == 11)
    #expect(lines[0] == "com.p48  done" && lines[2] == "com.now  starting")
    #expect(lines.last == "50 of 101 products are done")
    let ended = TransferText(try (0..<50).map { try transfer("com.p\($0)", .finished) }, nil)
    #expect(ended.lines(columns: 80).first == "com.p40  done")
  }

  @Test func `a line of JSON has all values, and -1 for an unknown time`() throws {
    #expect(
      TransferDocument(try transfer("com.a", .active, bytes: 1, of: 3, rate: 2)).line
        == #"{"bytes":1,"bytesPerSecond":2,"product":"com.a","progress":0.3333,"reused":0,"state":"active","timeRemaining":1,"totalBytes":3}"#
    )
    #expect(TransferDocument(try transfer("com.a", .waiting)).line.contains(#""timeRemaining":-1"#))
  }
}
