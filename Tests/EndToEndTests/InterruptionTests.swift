import Foundation
import Testing

/// Ctrl-C and SIGTERM: 130 and 143, and everything as it was.
struct InterruptionTests {
  /// A signal, and the exit code that it gives.
  struct Case: CustomTestStringConvertible {
    let signal: Int32
    let code: Int32
    var testDescription: String { signal == SIGINT ? "SIGINT" : "SIGTERM" }

    static let all = [Case(signal: SIGINT, code: 130), Case(signal: SIGTERM, code: 143)]
  }

  @Test(arguments: Case.all)
  func `create leaves nothing behind`(_ interruption: Case) throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeSparseFile("Book/Contents/large", bytes: 1_900_000_000)
    try work.makeFolder("builds")
    let program = try work.startIapkg("create", "Book", "-o", "builds/Book.pkg")
    try Waiting.until { try !work.names(in: "builds").isEmpty }
    program.send(interruption.signal)
    #expect(program.wait() == interruption.code)
    #expect(try work.names(in: "builds") == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: work.temporary) == [])
  }

  @Test(arguments: Case.all)
  func `extract leaves the version that was there`(_ interruption: Case) throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeBook(version: "2.0")
    try work.makeSparseFile("Book/Contents/large", bytes: 400_000_000)
    try work.iapkg("create", "Book", "-o", "Large.pkg", "--compression", "fast").exits(0)
    try work.iapkg("extract", "Book.pkg").succeeds()
    let before = try work.snapshot("Documents")
    let program = try work.startIapkg("extract", "Large.pkg")
    try Waiting.until { work.exists("Documents/.iapkg/staging/large") }
    program.send(interruption.signal)
    #expect(program.wait() == interruption.code)
    #expect(try work.snapshot("Documents") == before)
  }
}

/// Waiting for another program to come to a certain point.
enum Waiting {
  /// Far more than anything takes.
  private static let patience: TimeInterval = 60

  /// Looks again and again until `condition` holds.
  static func until(_ condition: () throws -> Bool) throws {
    let end = Date().addingTimeInterval(patience)
    while try !condition() {
      guard Date() < end else { throw TookTooLong() }
      sched_yield()
    }
  }

  private struct TookTooLong: Error {}
}
