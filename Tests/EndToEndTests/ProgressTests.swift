import Foundation
import TestSupport
import Testing

/// `--progress`: on terminals and in logs that request it, without disturbing other output.
@Suite(.waiting) struct ProgressTests {
  /// The size of a file that takes far longer than half a second to pack; the tests interrupt it.
  private static let largeFileSize: UInt64 = 1_900_000_000

  private func makeLargeBook(in work: Workspace) throws {
    try work.makeBook()
    try work.makeSparseFile("Book/Contents/large", bytes: Self.largeFileSize)
  }

  /// Installs a product, and returns the lock of its folder, held by this process.
  private func lockedDocuments(in work: Workspace) throws -> FileHandle {
    try work.makeBookPackage()
    try work.iapkg("extract", "Book.pkg").succeeds()
    let lock = try #require(FileHandle(forUpdatingAtPath: work.place("Documents/.iapkg/lock")))
    #expect(flock(lock.fileDescriptor, LOCK_EX) == 0)
    return lock
  }

  /// Releases a lock. Closing the descriptor would not suffice, because started programs have inherited copies of it.
  private func unlock(_ lock: FileHandle) { #expect(flock(lock.fileDescriptor, LOCK_UN) == 0) }

  @Test func `a log gets plain progress lines, and standard output only the document`() throws {
    let work = try Workspace()
    try makeLargeBook(in: work)
    let program = try work.start([
      BuiltProgram.path, "create", "Book", "-o", "Book.pkg", "--progress=always", "--format=json", "--quiet",
    ])
    try program.waitForErrors { $0.contains("\n") }
    program.running.send(SIGINT)
    let outcome = try program.outcome().exits(-SIGINT)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.last == "error: interrupted; nothing was changed")
    #expect(lines.count > 1)
    for line in lines.dropLast() {
      let shown = line.wholeMatch(of: /packing \d+ %, [\d.]+ [kMG]?B\/s, \d+:\d\d left: Book\.pkg/)
      #expect(shown != nil, "\(line)")
    }
    #expect(try outcome.document()["error"]?["code"] == 130)
  }

  @Test(.enabled(if: Machine.has("script"), "script is not installed"))
  func `a terminal gets one line that fits its width and is erased at the end`() throws {
    let work = try Workspace()
    try makeLargeBook(in: work)
    let command =
      "stty cols 20; echo $$ > number; exec '\(BuiltProgram.path)' create Book -o Book.pkg --color never"
    let program = try work.start(
      ["script", "-qec", "sh -c '\(command.replacing("'", with: "'\\''"))'", "/dev/null"],
      environment: ["TERM": "xterm"])
    try program.waitForOutput { $0.contains("packing") }
    kill(try #require(pid_t(work.text("number").dropLast())), SIGINT)
    let shown = try program.outcome().output
    let drawn = shown.split(separator: "\r\u{1B}[K", omittingEmptySubsequences: false)
    #expect(drawn.last == "error: interrupted; nothing was changed\r\n")
    #expect(drawn.count > 1)
    for line in drawn.dropLast() { #expect(line.count < 20 && !line.contains("\n"), "\(line)") }
  }

  @Test(.enabled(if: Machine.has("script"), "script is not installed"))
  func `a terminal gets no progress if it is disabled`() throws {
    let work = try Workspace()
    let lock = try lockedDocuments(in: work)
    /// Returns whether progress is shown during a wait that takes a little longer than the delay of the display.
    func shown(_ options: String, terminal: String = "xterm") throws -> Bool {
      let command = "'\(BuiltProgram.path)' remove com.example.book --wait 0.8 \(options)"
      let outcome = try work.run(
        ["script", "-qec", command, "/dev/null"], environment: ["TERM": terminal]
      ).exits(75)
      return outcome.output.contains("waiting")
    }
    #expect(try shown(""))
    #expect(try !shown("--progress never"))
    #expect(try !shown("--quiet"))
    #expect(try !shown("", terminal: "dumb"))
    #expect(try shown("--progress always", terminal: "dumb"))
    unlock(lock)
  }

  @Test func `a process that waits for another iapkg says so`() throws {
    let work = try Workspace()
    let lock = try lockedDocuments(in: work)
    let program = try work.start([
      BuiltProgram.path, "extract", "Book.pkg", "--wait", "60", "--progress", "always",
    ])
    try program.waitForErrors { $0.contains("waiting for another iapkg: Documents\n") }
    unlock(lock)
    let outcome = try program.outcome().exits(0)
    #expect(outcome.output.contains("is already installed"))
  }

  @Test(arguments: ["auto", "never", "always"])
  func `short work shows no progress`(_ choice: String) throws {
    let work = try Workspace()
    try work.makeBook()
    for arguments in [
      ["create", "Book", "-o", "Book.pkg"], ["validate", "Book.pkg", "Book"], ["bump", "Book.pkg"],
      ["extract", "Book.pkg"], ["status", "--verify"], ["remove", "com.example.book"],
    ] {
      try work.iapkg(arguments + ["--progress", choice]).succeeds()
    }
    try work.iapkg("diff", "Book", "Book.pkg", "--progress", choice).succeeds()
  }
}
