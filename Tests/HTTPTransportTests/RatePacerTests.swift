import Testing

@testable import HTTPTransport

/// Rate limits, with simulated time.
struct RatePacerTests {
  @Test(arguments: [(1_000, 100), (1_000, 5_000), (5_000_000, 262_144), (5_000_000, 1_024)])
  func `blocks of any size arrive at the rate limit, within 1 %`(_ rate: Int, _ block: Int) {
    var pacer = RatePacer(bytesPerSecond: Int64(rate), at: .zero)
    var (now, sum) = (Duration.zero, 0)
    for number in 0..<1_000 {
      sum += block
      // Waits take slightly longer than requested, and sometimes much longer.
      now += pacer.record(block, at: now) + .microseconds(number % 500 == 0 ? 40_000 : 100)
      #expect(Double(sum) <= Double(rate) * (now / .seconds(1)) + 1)
    }
    #expect(Double(sum) >= 0.99 * Double(rate) * (now / .seconds(1)))
  }

  @Test func `a long pause is not made up for`() {
    var pacer = RatePacer(bytesPerSecond: 1_000, at: .zero)
    _ = pacer.record(1_000, at: .zero)
    // A tenth of a second may be made up for.
    #expect(pacer.record(1_000, at: .seconds(60)) == .milliseconds(900))
    #expect(pacer.record(500, at: .seconds(60)) == .milliseconds(1_400))
  }
}
