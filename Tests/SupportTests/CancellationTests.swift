import Support
import Testing

struct CancellationTests {
  @Test func `an item that two attempts leave is named once`() {
    let cancellation = Cancellation()
    for path in ["trash", "staging", "trash"] { cancellation.noteLeftover(path) }
    #expect(cancellation.leftovers == ["trash", "staging"])
  }
}
