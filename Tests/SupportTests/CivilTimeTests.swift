import Foundation
import Support
import Testing

struct CivilTimeTests {
  @Test func `dates agree with those of Foundation`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    // Foundation changes to the Julian calendar before 1582.
    for day in stride(from: Int64(-141_000), to: 2_932_896, by: 997) {
      let date = CivilDate(daysSince1970: day)
      let parts = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day * CivilTime.secondsPerDay)))
      #expect(parts.year == Int(date.year) && parts.month == Int(date.month) && parts.day == Int(date.day))
      #expect(date.daysSince1970 == day)
    }
  }

  @Test func `each day of two eras has its own date`() {
    let isRead = (Int64(-1_000_000) ... -700_000).allSatisfy { day in
      let date = CivilDate(daysSince1970: day)
      return date.daysSince1970 == day
        && CivilDate(year: date.year, month: date.month, day: date.day) == date
    }
    #expect(isRead)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z", "19700101T000000Z"), (-1, "1969-12-31T23:59:59Z", "19691231T235959Z"),
    (-62_167_219_200, "0000-01-01T00:00:00Z", "00000101T000000Z"),
    (4_107_542_400, "2100-03-01T00:00:00Z", "21000301T000000Z"),
    (253_402_300_799, "9999-12-31T23:59:59Z", "99991231T235959Z"),
  ])
  func `a time has one text`(_ seconds: Int64, _ text: String, _ basicText: String) {
    let time = CivilTime(secondsSince1970: seconds)
    #expect(time.text == text && time.basicText == basicText)
    #expect(CivilTime(text) == time && time.secondsSince1970 == seconds)
  }

  @Test func `a leap second is the first second of the next minute`() {
    #expect(CivilTime("2016-12-31T23:59:60Z")?.secondsSince1970 == 1_483_228_800)
  }

  @Test(arguments: [Int64.min, .max])
  func `no number of seconds is too large`(_ seconds: Int64) {
    let time = CivilTime(secondsSince1970: seconds)
    #expect(time.date.year.signum() == seconds.signum() && (0..<60).contains(time.second))
  }

  @Test(arguments: ["", "2026-11-22", "2023-02-29T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-01T24:00:00Z"])
  func `a time that does not exist is refused`(_ text: String) { #expect(CivilTime(text) == nil) }
}
