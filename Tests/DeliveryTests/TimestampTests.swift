import Testing

@testable import Delivery

struct TimestampTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
      (1_795_341_600, "2026-11-22T10:00:00Z"),
      (253_402_300_799, "9999-12-31T23:59:59Z"),
    ] as [(Int64, String)])
  func `a written date is read back`(seconds: Int64, text: String) {
    #expect(Timestamp(seconds: seconds).description == text)
    #expect(Timestamp(text)?.seconds == seconds)
  }

  @Test(
    arguments: [
      (-1, "1970-01-01T00:00:00Z"), (.min, "1970-01-01T00:00:00Z"), (253_402_300_800, "9999-12-31T23:59:59Z"),
      (.max, "9999-12-31T23:59:59Z"),
    ] as [(Int64, String)])
  func `a time outside the range of documents is written as the nearest valid time`(
    seconds: Int64, text: String
  ) {
    #expect(Timestamp(seconds: seconds).description == text)
    #expect(!Timestamp(seconds: seconds).isDocumented)
  }

  @Test(arguments: [
    "", "2026-11-22", "2026-11-22T10:00:00", "2026-11-22T10:00:00+00:00", "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z", "2026-01-01T24:00:00Z", "1969-12-31T23:59:59Z", "2026-01-01t00:00:00Z",
    "2026-1-001T00:00:00Z",
    "２026-01-01T00:00Z",
  ])
  func `another date format is refused`(text: String) { #expect(Timestamp(text) == nil) }
}
