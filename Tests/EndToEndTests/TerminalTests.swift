import PackageForge
import TestSupport
import Testing

/// Output for people: color only on terminals, quiet on request, no questions.
@Suite(.waiting) struct TerminalTests {
  private static let escape = "\u{1B}["

  private func makeBadBook(in work: Workspace) throws {
    try work.makeBook()
    try work.write("x", to: "Book/stray")
    try work.write("x", to: "Book/Contents/run.js")
  }

  @Test func `a pipe gets no color unless it is requested`() throws {
    let work = try Workspace()
    try makeBadBook(in: work)
    for options in [[], ["--color", "auto"], ["--color", "never"]] {
      let outcome = try work.iapkg(["validate", "Book"] + options).exits(1)
      #expect(!outcome.output.contains(Self.escape))
    }
    let outcome = try work.iapkg("validate", "Book", "--color=always").exits(1)
    #expect(outcome.output.contains(Self.escape))
    let error = try work.iapkg("create", "Book", "--color=always").fails(1)
    #expect(error.errors.contains(Self.escape))
  }

  @Test(.enabled(if: Machine.has("script"), "script is not installed"))
  func `a terminal gets color unless it is disabled`() throws {
    let work = try Workspace()
    try makeBadBook(in: work)
    func output(_ environment: [String: String], _ options: String = "") throws -> String {
      let command = "'\(BuiltProgram.path)' validate Book \(options)"
      return try work.run(["script", "-qec", command, "/dev/null"], environment: environment).output
    }
    #expect(try output(["TERM": "xterm"]).contains(Self.escape))
    #expect(try !output(["TERM": "xterm", "NO_COLOR": "1"]).contains(Self.escape))
    #expect(try output(["TERM": "xterm", "NO_COLOR": ""]).contains(Self.escape))
    #expect(try !output(["TERM": "dumb"]).contains(Self.escape))
    #expect(try !output(["TERM": "xterm"], "--color=never").contains(Self.escape))
    #expect(try output(["TERM": "dumb", "NO_COLOR": "1"], "--color=always").contains(Self.escape))
  }

  @Test func `--quiet prints nothing on success`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write("x", to: "Book/Contents/run.js")
    for arguments in [
      ["create", "Book", "-o", "Book.pkg"], ["validate", "Book", "Book.pkg"], ["bump", "Book"],
      ["bump", "Book.pkg"],
      ["extract", "Book.pkg"], ["extract", "Book.pkg"], ["init", "New", "--product-id", "a"],
      ["info", "Book.pkg"],
    ] {
      let outcome = try work.iapkg(arguments + ["--quiet"]).succeeds()
      #expect(outcome.output.isEmpty, "\(outcome)")
    }
  }

  @Test func `--quiet still prints errors`() throws {
    let work = try Workspace()
    try makeBadBook(in: work)
    #expect(try work.iapkg("validate", "Book", "-q").exits(1).output.contains("[package/root-item]"))
    let outcome = try work.iapkg("create", "Book", "-q").fails(1, saying: "[package/root-item]")
    #expect(!outcome.errors.contains("[file/script]"))
    try work.remove("Book/stray")
    try work.iapkg("create", "Book", "-q", "--strict").fails(1, saying: "[file/script]")
    try work.iapkg("info", "missing", "-q").fails(66)
  }

  @Test func `help and version go to standard output`() throws {
    let work = try Workspace()
    #expect(try work.iapkg("--version").succeeds().output.hasPrefix("iapkg "))
    for arguments in [["--help"], ["-h"], ["create", "--help"], ["help", "extract"]] {
      #expect(try work.iapkg(arguments).succeeds().output.contains("USAGE: iapkg"))
    }
  }

  @Test func `help lists only rules that can be ignored`() throws {
    let help = try Workspace().iapkg("validate", "--help").succeeds().output
    #expect(help.contains("file/junk"))
    #expect(!help.contains("link/escapes"))
  }

  @Test func `several inputs are each reported, in order`() throws {
    let work = try Workspace()
    try makeBadBook(in: work)
    try work.makeBookPackage()
    let outcome = try work.iapkg("validate", "Book.pkg", "Book", "Book.pkg").exits(1)
    #expect(outcome.errors.isEmpty)
    // Only verdicts have the product and version in parentheses.
    let verdicts = outcome.output.split(separator: "\n").filter { $0.contains("valid (") }
    #expect(verdicts.count == 3)
    #expect(verdicts.first?.hasPrefix("Book.pkg: valid (com.example.book 1.0), 5 entries, ") == true)
    #expect(verdicts[1].hasPrefix("Book: not valid (com.example.book 1.0), 1 error, 1 warning, "))
  }

  @Test func `--strict fails on warnings, and --ignore suppresses a rule`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write("x", to: "Book/Contents/run.js")
    try work.iapkg("validate", "Book").exits(0)
    try work.iapkg("validate", "Book", "--strict").exits(1)
    let ignored = try work.iapkg("validate", "Book", "--strict", "--ignore", "file/script").succeeds()
    #expect(ignored.output.contains("1 ignored"))
    try work.iapkg("create", "Book", "-o", "a.pkg", "--strict").fails(1, saying: "warning: ", "[file/script]")
    try work.iapkg("create", "Book", "-o", "a.pkg").exits(0, saying: "[file/script]")
    try work.iapkg("extract", "a.pkg", "--strict").fails(1, saying: "[file/script]")
    try work.iapkg("extract", "a.pkg", "--strict", "--ignore=file/script").succeeds()
    try work.iapkg("validate", "Book", "--ignore", "file/executable-code")
      .fails(64, saying: "the rule file/executable-code cannot be ignored")
  }

  @Test func `a package zipped one folder too deep is reported by name`() throws {
    let work = try Workspace()
    let files = (0..<100).map { ForgedEntry.file("My Book/Contents/\($0)", "x") }
    let manifest = ForgedEntry.file(
      "My Book/ContentInfo.plist", ForgedArchive.manifest("com.example.book", "1.0"))
    try work.write(ForgedArchive([manifest] + files + [.file("__MACOSX/._My Book", "x")]), to: "Work.pkg")
    let outcome = try work.iapkg("validate", "Work.pkg").exits(1)
    #expect(
      outcome.output.contains("the content is one folder too deep: found 'My Book/ContentInfo.plist'"))
    #expect(outcome.output.contains("pack the items of 'My Book'"))
    #expect(outcome.output.split(separator: "\n").count < 10, "\(outcome)")
  }
}
