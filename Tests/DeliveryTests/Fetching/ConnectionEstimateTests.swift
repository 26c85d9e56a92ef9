import Testing

@testable import Delivery

/// The choice between ranges of a package and the whole package.
struct ConnectionEstimateTests {
  /// A package with its plan: sizes in bytes, the number of requests, the round trip in milliseconds and the rate in
  /// bytes per second.
  struct Choice: Sendable {
    let package: Int64
    let plan: Int64
    let requests: Int
    let roundTrip: Int
    let rate: Double
    let isWhole: Bool
  }

  @Test(arguments: [
    // A small update: 8 concurrent requests cost less than the rest of the package.
    Choice(package: 200_000_000, plan: 2_000_000, requests: 32, roundTrip: 50, rate: 12e6, isWhole: false),
    // A large number of small ranges, with a long round trip.
    Choice(package: 20_000_000, plan: 2_000_000, requests: 2_000, roundTrip: 300, rate: 10e6, isWhole: true),
    // The same with a rate so low that only bytes matter, or without a round trip.
    Choice(package: 20_000_000, plan: 2_000_000, requests: 2_000, roundTrip: 300, rate: 1e5, isWhole: false),
    Choice(package: 20_000_000, plan: 2_000_000, requests: 2_000, roundTrip: 0, rate: 1e9, isWhole: false),
    // A first installation by several threads.
    Choice(package: 100_000_000, plan: 100_000_000, requests: 16, roundTrip: 50, rate: 12e6, isWhole: false),
    // One or two requests do not justify reading everything.
    Choice(package: 30_000, plan: 2_000, requests: 2, roundTrip: 50, rate: 12e6, isWhole: false),
    // Nearly the whole package, in many ranges.
    Choice(package: 1_000_000, plan: 950_000, requests: 100, roundTrip: 50, rate: 12e6, isWhole: true),
  ])
  func `the whole package is downloaded if that costs far less`(_ choice: Choice) {
    let estimate = ConnectionEstimate(roundTrip: .milliseconds(choice.roundTrip), bytesPerSecond: choice.rate)
    #expect(
      estimate.prefersOneRequest(choice.package, to: choice.plan, requests: choice.requests, connections: 8)
        == choice.isWhole)
  }

  @Test func `a connection that outruns the processors gets fewer requests at once`() {
    func connections(_ roundTrip: Duration, _ rate: Double) -> Int {
      ConnectionEstimate(roundTrip: roundTrip, bytesPerSecond: rate).connections(atMost: 8, processors: 2)
    }
    #expect(connections(.microseconds(300), 500e6) == 4)
    // A server may limit the rate of each connection.
    #expect(connections(.microseconds(300), 1e6) == 8)
    #expect(connections(.milliseconds(50), 500e6) == 8)
    #expect(ConnectionEstimate().connections(atMost: 8, processors: 2) == 8)
    let nearby = ConnectionEstimate(roundTrip: .microseconds(300), bytesPerSecond: 500e6)
    #expect(nearby.connections(atMost: 8, processors: 64) == 8)
  }

  @Test func `an unknown rate or round trip does not affect the choice`() {
    var estimate = ConnectionEstimate()
    #expect(!estimate.prefersOneRequest(1_000, to: 1_000, requests: 1_000_000, connections: 8))
    estimate.record(1_000, took: .milliseconds(80))
    #expect(estimate.roundTrip == .milliseconds(80) && estimate.bytesPerSecond == nil)
    #expect(!estimate.prefersOneRequest(1_000, to: 1_000, requests: 1_000_000, connections: 8))
    // A later request reuses the connection; a long response shows the rate.
    estimate.record(1_000, took: .milliseconds(50))
    estimate.record(1_000_000, took: .milliseconds(150))
    #expect(estimate.roundTrip == .milliseconds(50) && estimate.bytesPerSecond == 10_000_000)
    estimate.record(1_000_000, took: .milliseconds(550))
    #expect(estimate.bytesPerSecond == 10_000_000)
  }
}
