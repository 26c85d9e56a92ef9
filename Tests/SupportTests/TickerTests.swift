import Synchronization
import Testing

@testable import Support

@Suite("The ticker")
struct TickerTests {
  @Test func `calls repeatedly during the work, and not after it`() {
    let ticks = Monitor(0)
    let value = Ticker.run(after: .zero, every: .milliseconds(1)) {
      ticks.update { $0 += 1 }
    } during: {
      ticks.wait { $0 >= 3 ? "done" : nil }
    }
    #expect(value == "done")
    let count = ticks.update { $0 }
    #expect(ticks.wait(atMost: .milliseconds(20)) { $0 != count ? true : nil } == nil)
  }

  @Test func `does not call if the work ends before the delay`() {
    let ticks = Atomic(0)
    Ticker.run(after: .seconds(3600), every: .seconds(3600)) {
      ticks.wrappingAdd(1, ordering: .relaxed)
    } during: {
    }
    #expect(ticks.load(ordering: .relaxed) == 0)
  }

  @Test func `throws the error of the work`() {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try Ticker.run(after: .seconds(3600), every: .seconds(3600), {}, during: { throw Failure() })
    }
  }
}
