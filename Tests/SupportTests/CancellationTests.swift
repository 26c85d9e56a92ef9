import Synchronization
import Testing

@testable import Support

@Suite("A cancellation")
struct CancellationTests {
  @Test func `keeps its first reason`() {
    let cancellation = Cancellation()
    #expect(!cancellation.isCancelled)
    #expect(cancellation.signal == nil)
    cancellation.cancel(signal: 15)
    cancellation.cancel(signal: 2)
    cancellation.cancel()
    #expect(cancellation.isCancelled)
    #expect(cancellation.signal == 15)
  }

  @Test func `needs no signal`() {
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(cancellation.isCancelled)
    #expect(cancellation.signal == nil)
  }

  @Test func `an item that two attempts leave is listed once`() {
    let cancellation = Cancellation()
    for path in ["trash", "staging", "trash"] { cancellation.noteLeftover(path) }
    #expect(cancellation.leftovers == ["trash", "staging"])
  }
}
