import Testing

@testable import ContentPackage
@testable import IAPKGCommands

struct ProgressTextTests {
  struct Case: CustomTestStringConvertible {
    let text: String
    let activity: WorkProgress.Activity
    var done: Int64 = 0
    var total: Int64 = 0
    var elapsed: Duration = .seconds(1)
    var path = "Book.pkg"
    var testDescription: String { text }

    static let all = [
      Case(
        text: "packing 45 %, 41.5 MB/s, 0:13 left: Book.pkg", activity: .packing, done: 415_000_000,
        total: 922_000_000, elapsed: .seconds(10)),
      Case(
        text: "checking 1 %, 1.0 kB/s, 27:30:00 left: Book.pkg", activity: .checking, done: 1_000_000,
        total: 100_000_000, elapsed: .seconds(1_000)),
      Case(
        text: "installing 50 %, 2 bytes/s, 1:02 left: Book.pkg", activity: .installing, done: 124, total: 248,
        elapsed: .seconds(62)),
      Case(
        text: "checking 100 %, 10 bytes/s, 0:00 left: Book.pkg", activity: .checking, done: 20, total: 10),
      Case(text: "copying 0 %: Book.pkg", activity: .copying, total: 10),
      Case(
        text: "comparing 100 %, 0:00 left: Book.pkg", activity: .comparing, done: 10, total: 10,
        elapsed: .zero),
      Case(text: "waiting for another iapkg: Documents", activity: .waiting, path: "Documents"),
      Case(text: "writing to disk: a\\u{001B}[31mb", activity: .synchronizing, path: "a\u{1B}[31mb"),
    ]
  }

  @Test(arguments: Case.all)
  func `a line has all known values`(_ example: Case) {
    let state = WorkProgress.State(
      example.activity, example.path, completedBytes: example.done, totalBytes: example.total,
      elapsed: example.elapsed)
    #expect(ProgressText.line(state) == example.text)
  }

  @Test func `a new activity counts from zero`() {
    let progress = WorkProgress()
    #expect(progress.state == nil)
    progress.begin(.checking, "a", totalBytes: 10)
    progress.advance(by: 4)
    #expect(progress.state?.fraction == 0.4)
    progress.begin(.packing, "b")
    #expect(progress.state?.activity == .packing)
    #expect(progress.state?.completedBytes == 0)
    #expect(progress.state?.fraction == nil)
  }

  @Test(arguments: [(3, "ab"), (4, "ab島"), (5, "ab島c"), (0, ""), (-1, ""), (80, "ab島c")])
  func `a line is cut at the width of the terminal`(_ columns: Int, _ shown: String) {
    #expect(TextLayout.prefix(of: "ab島c", columns: columns) == shown)
  }
}
