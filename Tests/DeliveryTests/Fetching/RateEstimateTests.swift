import Testing

@testable import Delivery

/// Rate estimates, with simulated time.
struct RateEstimateTests {
  @Test func `an estimate follows the current rate, and forgets earlier rates`() {
    var estimate = RateEstimate(0, at: .zero)
    #expect(estimate.bytesPerSecond == 0)
    estimate.record(50, at: .milliseconds(50))  // too short a sample
    #expect(estimate.bytesPerSecond == 0)
    estimate.record(1_000, at: .seconds(1))
    #expect(estimate.bytesPerSecond == 1_000)
    var bytes: Int64 = 1_000
    for second in 2...60 {
      bytes += 5_000
      estimate.record(bytes, at: .seconds(second))
    }
    #expect(abs(estimate.bytesPerSecond - 5_000) < 1)
    for second in 61...120 { estimate.record(bytes, at: .seconds(second)) }
    #expect(estimate.bytesPerSecond < 1)
  }
}
