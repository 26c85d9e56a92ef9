import Foundation
import PackageForge
import TestSupport
import Testing

/// Ctrl-C, SIGTERM and SIGHUP: the signal ends the program, and nothing is changed.
@Suite(.waiting) struct InterruptionTests {
  struct Case: CustomTestStringConvertible {
    let signal: Int32
    /// The exit code that a shell reports.
    let code: Int32
    var testDescription: String { "signal \(signal)" }

    static let all = [
      Case(signal: SIGINT, code: 130), Case(signal: SIGTERM, code: 143), Case(signal: SIGHUP, code: 129),
    ]
  }

  private static let descriptors = "/proc/self/fd"

  /// Starts a `create` that is writing a package into `builds` and far from its end.
  private func creating(in work: Workspace) throws -> RunningProgram {
    try work.makeBook()
    try work.makeSparseFile("Book/Contents/large", bytes: 1_900_000_000)
    try work.makeFolder("builds")
    let program = try work.startIapkg("create", "Book", "-o", "builds/Book.pkg")
    try Waiting.until { try !work.names(in: "builds").isEmpty }
    return program
  }

  @Test(arguments: Case.all)
  func `an interrupted create leaves nothing behind`(_ interruption: Case) throws {
    let work = try Workspace()
    let program = try creating(in: work)
    program.send(interruption.signal)
    #expect(program.wait() == -interruption.signal)
    #expect(try work.names(in: "builds") == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: work.temporary) == [])
  }

  @Test func `SIGQUIT ends the program at once, and the next run removes its files`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeSparseFile("Book/Contents/large", bytes: 1_900_000_000)
    try work.makeFolder("builds")
    // A parent of the tests may ignore the signal.
    let script =
      "import os, signal, sys; signal.signal(signal.SIGQUIT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
    let program = try work.start([
      Python.path, "-c", script, BuiltProgram.path, "create", "Book", "-o", "builds/Book.pkg",
    ])
    try Waiting.until { try !work.names(in: "builds").isEmpty }
    program.running.send(SIGQUIT)
    #expect(program.running.wait() == -SIGQUIT)
    try work.remove("Book/Contents/large")
    #expect(try work.iapkg("create", "Book", "-o", "builds/Book.pkg").code == 0)
    #expect(try work.names(in: "builds") == ["Book.pkg"])
  }

  /// Signals as GNU timeout sends them: to the process, and to its group.
  @Test func `simultaneous signals act as one`() throws {
    let work = try Workspace()
    let program = try creating(in: work)
    // The program receives both when it resumes.
    for signal in [SIGSTOP, SIGINT, SIGTERM, SIGCONT] { program.send(signal) }
    #expect(program.wait() == -SIGINT)
    #expect(try work.names(in: "builds") == [])
  }

  @Test func `an interrupted extract keeps the installed version`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeBook(version: "2.0")
    try work.makeSparseFile("Book/Contents/large", bytes: 400_000_000)
    try work.iapkg("create", "Book", "-o", "Large.pkg", "--compression", "fast").exits(0)
    try work.iapkg("extract", "Book.pkg").succeeds()
    let before = try work.snapshot("Documents")
    for interruption in Case.all {
      let program = try work.startIapkg("extract", "Large.pkg")
      try Waiting.until { work.exists("Documents/.iapkg/staging/large") }
      program.send(interruption.signal)
      #expect(program.wait() == -interruption.signal)
      #expect(try work.snapshot("Documents") == before)
    }
  }

  /// A change after which the cleanup takes far longer than the test needs to see the change.
  struct Change: CustomTestStringConvertible {
    let arguments: [String]
    /// Returns whether the change has taken place.
    let isDone: @Sendable (Workspace) -> Bool
    var testDescription: String { arguments[0] }

    static let all = [
      Change(arguments: ["remove", "com.example.book"]) { !$0.exists("Documents/com.example.book") },
      Change(arguments: ["extract", "New.pkg", "--keep", "0"]) {
        $0.exists("Documents/com.example.book/cover.txt")
      },
    ]
  }

  @Test(arguments: Change.all)
  func `a signal after the work is done still ends the program, so that a shell loop ends`(
    _ change: Change
  ) throws {
    let work = try Workspace()
    try work.write(
      LargeArchive.bytes((0..<60_000).map { "Contents/folder-\($0 / 1000)/file-\($0)" }), to: "Large.pkg")
    try work.makeBookPackage("New.pkg", version: "2.0")
    try work.iapkg("extract", "Large.pkg", "--no-sync").exits(0)
    let program = try work.start([BuiltProgram.path] + change.arguments)
    try Waiting.until { change.isDone(work) }
    program.running.send(SIGINT)
    try program.outcome().exits(-SIGINT)
    // The next command completes the cleanup.
    try work.iapkg("extract", "New.pkg").exits(0)
    let status = try work.iapkg("status", "--verify", "--format=json").exits(0).document()
    #expect(status["products"]?[0]?["contentVersion"] == "2.0")
    let left = try work.names(in: "Documents/.iapkg")
    #expect(left.isDisjoint(with: ["pending", "staging", "trash", "displaced", "kept"]))
  }

  @Test(arguments: Case.all)
  func `the JSON of an interruption has the exit code that a shell reports`(_ interruption: Case) throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeSparseFile("Book/Contents/large", bytes: 1_900_000_000)
    try work.makeFolder("builds")
    let program = try work.start([
      BuiltProgram.path, "create", "Book", "-o", "builds/Book.pkg", "--format=json",
    ])
    try Waiting.until { try !work.names(in: "builds").isEmpty }
    program.running.send(interruption.signal)
    let outcome = try program.outcome().exits(-interruption.signal)
    #expect(try outcome.document()["error"]?["code"] == .integer(Int64(interruption.code)))
    #expect(outcome.errors == "error: interrupted; nothing was changed\n")
  }

  /// The package takes far longer to open than the test needs to see it open.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: descriptors), "open files cannot be listed"))
  func `an interruption ends every command that is opening a package`() throws {
    let work = try Workspace()
    try work.write(
      LargeArchive.bytes((0..<300_000).map { "Contents/folder-\($0 / 1000)/file-\($0)" }), to: "Huge.pkg")
    for arguments in [
      ["validate", "Huge.pkg"], ["info", "Huge.pkg"], ["diff", "Huge.pkg", "Huge.pkg"],
      ["bump", "Huge.pkg"], ["extract", "Huge.pkg"], ["import", "Huge.pkg", "--folder", "New"],
      ["export", "Huge.pkg", "--background-assets", "Packs"],
    ] {
      let program = try work.start([BuiltProgram.path] + arguments)
      try Waiting.until { program.hasOpen(work.place("Huge.pkg")) }
      program.running.send(SIGINT)
      let outcome = try program.outcome().exits(-SIGINT)
      #expect(outcome.output == "")
      #expect(try work.names() == ["Huge.pkg"])
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/mkfifo"), "there is no mkfifo"))
  func `an interruption ends a command that waits for the reader of its output`() throws {
    let work = try Workspace()
    try work.write(LargeArchive.bytes((0..<3000).map { "Contents/file-\($0)" }), to: "Large.pkg")
    #expect(try work.run(["mkfifo", "pipe"]).code == 0)
    // The reader never reads, and the pipe can take only a small part of the list.
    let reader = try #require(FileHandle(forUpdatingAtPath: work.place("pipe")))
    let program = try work.start([
      "/bin/sh", "-c", "exec \"$0\" info --files Large.pkg > pipe", BuiltProgram.path,
    ])
    var waiting = pollfd(fd: reader.fileDescriptor, events: Int16(POLLIN), revents: 0)
    try Waiting.until { unsafe poll(&waiting, 1, 0) == 1 }
    program.running.send(SIGINT)
    let outcome = try program.outcome().exits(-SIGINT)
    #expect(outcome.errors == "error: interrupted\n")
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: descriptors), "open files cannot be listed"),
    arguments: Case.all)
  func `an interruption ends a command that waits for keys or notes from a pipe`(
    _ interruption: Case
  ) throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.iapkg("publish", "Book.pkg", "--to", "store").exits(0)
    let fetch = ["fetch", "com.example.book", "--from", "store"]
    try work.run([BuiltProgram.path] + fetch).exits(0)
    try work.makeBookPackage("New.pkg", version: "2.0")
    try work.run(["mkfifo", "pipe.txt"]).exits(0)
    for arguments in [
      fetch + ["--trust", "pipe.txt"], fetch + ["--trust-only", "pipe.txt"],
      ["update", "--trust", "pipe.txt"],
      ["publish", "New.pkg", "--to", "store", "--notes", "pipe.txt"],
    ] {
      let program = try work.start([BuiltProgram.path] + arguments)
      try Waiting.until { program.hasOpen(work.place("pipe.txt")) }
      program.running.send(interruption.signal)
      let outcome = try program.outcome().exits(-interruption.signal)
      #expect(outcome.errors.contains("error: interrupted"), "\(outcome)")
    }
  }

  @Test func `a signal that the parent ignores stays ignored`() throws {
    let work = try Workspace()
    try work.makeBook()
    // The program reads once cat has written more than a pipe holds.
    let script = """
      set -e
      head -c 300000 /dev/urandom >Book/Contents/noise
      "$0" create Book -o Book.pkg
      mkfifo input
      trap '' TERM
      "$0" validate - <input &
      exec 3>input
      cat Book.pkg >&3
      kill -TERM $!
      exec 3>&-
      wait $!
      """
    try work.run(["/bin/sh", "-c", script, BuiltProgram.path]).exits(0)
  }
}
