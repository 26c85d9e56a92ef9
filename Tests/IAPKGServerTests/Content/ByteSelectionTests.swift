import Testing

@testable import IAPKGServer

@Suite("Ranges of bytes") struct ByteSelectionTests {
  @Test(
    arguments: [
      ("bytes=0-9", 0..<10), ("bytes=10-", 10..<100), ("bytes=99-99", 99..<100), ("bytes=-5", 95..<100),
      ("bytes=-100", 0..<100), ("bytes=-500", 0..<100), ("bytes=90-500", 90..<100), ("BYTES=0-0", 0..<1),
      ("bytes=0-99999999999999999999999", 0..<100), ("bytes= 3 - 4 ", 3..<5),
      ("bytes=-99999999999999999999999", 0..<100),
    ] as [(String, Range<Int64>)])
  func `a valid header selects its range`(header: String, range: Range<Int64>) {
    #expect(ByteSelection(header: header, byteCount: 100) == .part(range))
  }

  @Test(arguments: ["bytes=100-", "bytes=200-300", "bytes=-0", "bytes=99999999999999999999999-"])
  func `a range past the end cannot be satisfied`(header: String) {
    #expect(ByteSelection(header: header, byteCount: 100) == .unsatisfiable)
  }

  @Test(
    arguments: [
      nil, "", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=5-2", "bytes=0-1,3-4", "items=0-1",
      "bytes=+1-2",
      "bytes=0x1-2", "bytes=1-2-3", "bytes=--5", "bytes 0-1", "bytes=\u{0661}-2",
    ] as [String?])
  func `a malformed header, another unit, or several ranges select the whole object`(header: String?) {
    #expect(ByteSelection(header: header, byteCount: 100) == .whole)
  }

  @Test func `a range of an empty object selects the whole object, or cannot be satisfied`() {
    #expect(ByteSelection(header: "bytes=-5", byteCount: 0) == .whole)
    #expect(ByteSelection(header: "bytes=0-", byteCount: 0) == .unsatisfiable)
  }
}
