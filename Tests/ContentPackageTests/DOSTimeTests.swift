import Foundation
import Testing
import ZipArchive

struct DOSTimeTests {
  private func parts(_ time: DOSTime) -> [Int] {
    let (date, clock) = (Int(time.date), Int(time.time))
    return [
      1980 + (date >> 9), (date >> 5) & 15, date & 31, clock >> 11, (clock >> 5) & 63, (clock & 31) * 2,
    ]
  }

  private static let times: [(Int64, [Int])] = [
    (315_532_800, [1980, 1, 1, 0, 0, 0]), (1_000_000_000, [2001, 9, 9, 1, 46, 40]),
    (951_782_399, [2000, 2, 28, 23, 59, 58]), (951_782_400, [2000, 2, 29, 0, 0, 0]),
    (1_735_689_599, [2024, 12, 31, 23, 59, 58]), (4_107_542_400, [2100, 3, 1, 0, 0, 0]),
    (4_354_819_199, [2107, 12, 31, 23, 59, 58]),
  ]

  @Test(arguments: times)
  func `a time is recorded in UTC, in steps of two seconds`(_ seconds: Int64, _ expected: [Int]) {
    #expect(parts(DOSTime(secondsSince1970: seconds)) == expected)
  }

  @Test(arguments: [Int64.min, -1, 0, 315_532_799])
  func `a time before 1980 becomes the start of 1980`(_ seconds: Int64) {
    #expect(DOSTime(secondsSince1970: seconds) == .first)
  }

  @Test(arguments: [4_354_819_200, Int64.max])
  func `a time after 2107 becomes the end of 2107`(_ seconds: Int64) {
    #expect(parts(DOSTime(secondsSince1970: seconds)) == [2107, 12, 31, 23, 59, 58])
  }

  @Test func `every day agrees with the calendar`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for day in stride(from: Int64(3_652), to: 50_000, by: 17) {
      let seconds = day * 86_400 + day % 86_400
      let date = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second],
        from: Date(timeIntervalSince1970: TimeInterval(seconds)))
      let expected = [
        date.year, date.month, date.day, date.hour, date.minute, date.second.map { $0 / 2 * 2 },
      ]
      #expect(parts(DOSTime(secondsSince1970: seconds)) == expected.compactMap(\.self))
    }
  }
}
