import TestSupport
import Testing

@testable import IAPKGServer

@Suite("Faults") struct FaultTests {
  private let settings = FaultSettings(
    cutShare: 0.2, failures: [.init(status: 503, share: 0.1), .init(status: 404, share: 0.3)],
    corruptedShare: 0.05,
    seed: 7)

  @Test func `the seed and the index of a request determine its faults`() {
    let plans = (0..<1_000).map { FaultPlan(settings, requestIndex: $0) }
    #expect(plans == (0..<1_000).map { FaultPlan(settings, requestIndex: $0) })
    var other = settings
    other.seed = 8
    #expect(plans != (0..<1_000).map { FaultPlan(other, requestIndex: $0) })
  }

  @Test func `faults occur with their configured shares`() {
    let plans = (0..<10_000).map { FaultPlan(settings, requestIndex: $0) }
    #expect((1_800...2_200).contains(plans.count { $0.cut != nil }))
    #expect((850...1_150).contains(plans.count { $0.failure == 503 }))
    #expect((2_800...3_200).contains(plans.count { $0.failure == 404 }))
    #expect((400...600).contains(plans.count { $0.corruption != nil }))
  }

  @Test func `faults of one kind do not affect those of another`() {
    var other = settings
    other.failures = []
    for index in 0..<100 as Range<UInt64> {
      #expect(FaultPlan(settings, requestIndex: index).cut == FaultPlan(other, requestIndex: index).cut)
    }
  }

  @Test func `options have the usual notations`() throws {
    #expect(TransferRate(argument: "2MB/s")?.bytesPerSecond == 2_000_000)
    #expect(TransferRate(argument: "1.5KiB/s")?.bytesPerSecond == 1_536)
    #expect(DurationArgument(argument: "200ms")?.duration == .milliseconds(200))
    #expect(DurationArgument(argument: "1.5s")?.duration == .seconds(1.5))
    #expect(Share(argument: "5%")?.value == 0.05)
    #expect(
      FailureShare(argument: "503:10%")?.failure == FaultSettings.Failure(status: 503, share: 0.1))
  }

  @Test(arguments: ["2MB", "0B/s", "-1MB/s", "fast/s", "nan/s"])
  func `an invalid rate is refused`(text: String) { #expect(TransferRate(argument: text) == nil) }

  @Test(arguments: ["101%", "-1%", "5", "%", "nan%"])
  func `an invalid share is refused`(text: String) { #expect(Share(argument: text) == nil) }

  @Test(arguments: ["200:10%", "600:1%", "503", "503:", ":5%"])
  func `a failure must have the status of an error`(text: String) {
    #expect(FailureShare(argument: text) == nil)
  }
}

@Suite("Addresses to listen at") struct ListenAddressTests {
  @Test(arguments: [
    ("127.0.0.1:8080", "127.0.0.1", 8080), ("localhost:0", "localhost", 0), ("[::1]:65535", "::1", 65_535),
  ])
  func `an address has a host and a port`(text: String, host: String, port: Int) throws {
    let address = try #require(ListenAddress(argument: text))
    #expect(address == ListenAddress(host: host, port: port))
    #expect(address.description == text)
  }

  @Test(arguments: ["", "8080", ":8080", "host", "host:65536", "host:-1", "::1:80", "host:http"])
  func `other text is not an address`(text: String) { #expect(ListenAddress(argument: text) == nil) }
}
