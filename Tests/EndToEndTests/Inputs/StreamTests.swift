import TestSupport
import Testing

/// Packages from standard input and to standard output.
@Suite(.waiting) struct StreamTests {
  private static let fromBook = ["sh", "-c", "exec \"$0\" \"$@\" <Book.pkg"]
  private static let fromPipe = ["sh", "-c", "cat Book.pkg | \"$0\" \"$@\""]

  @Test func `a package goes to standard output, and its report to standard error`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.iapkg("create", "Book", "-o", "Book.pkg").succeeds()
    let outcome = try work.iapkg("create", "Book", "-o", "-", output: work.place("made"))
    outcome.exits(0, saying: "-: com.example.book 1.0, 5 entries, ")
    #expect(try work.bytes("made") == work.bytes("Book.pkg"))
    try work.iapkg("bump", "Book.pkg", "-o", "2.pkg").succeeds()
    try work.iapkg("bump", "Book.pkg", "-o", "-", "-q", output: work.place("made")).succeeds()
    #expect(try work.bytes("made") == work.bytes("2.pkg"))
    #expect(try work.names() == ["Book", "Book.pkg", "2.pkg", "made"])
  }

  @Test func `standard output contains only the package`() throws {
    let work = try Workspace()
    try work.makeBook()
    for command in ["create", "bump"] {
      try work.iapkg(command, "Book", "-o", "-", "--format", "json")
        .exits(64, saying: "--output - uses standard output")
    }
    try work.iapkg("create", "Book", "-o", "-", output: "/dev/full").exits(
      74, saying: "cannot write standard output")
    try work.iapkg("create", "Book", "-o", "-", "--dry-run").exits(0, saying: "would hold")
    #expect(try work.iapkg("validate", "Book", "-o", "-").succeeds().output.hasPrefix("Book: valid"))
    #expect(try work.names() == ["Book"])
  }

  @Test(.enabled(if: Machine.has("script"), "script is not installed"))
  func `a package is not written to or read from a terminal`() throws {
    let work = try Workspace()
    try work.makeBook()
    for (arguments, words) in [("create Book -o -", "redirect standard output"), ("info -", "is a terminal")]
    {
      let outcome = try work.run(["script", "-qec", "'\(BuiltProgram.path)' \(arguments)", "/dev/null"])
      #expect(outcome.code == 64 && outcome.output.contains(words), "\(outcome)")
    }
  }

  @Test(arguments: [fromBook, fromPipe])
  func `commands read a package from standard input`(_ prefix: [String]) throws {
    let work = try Workspace()
    try work.makeBookPackage()
    let report = try work.iapkg("validate", "-", through: prefix).succeeds()
    #expect(report.output.hasPrefix("-: valid (com.example.book 1.0), 5 entries, "))
    let info = try work.iapkg("info", "-", "--format=json", through: prefix).succeeds().document()
    #expect(info["path"] == "-")
    #expect(info["productIdentifier"] == "com.example.book")
    let planned = try work.iapkg("extract", "-", "--dry-run", through: prefix).succeeds()
    #expect(planned.output.contains("would install com.example.book 1.0"))
    try work.iapkg("extract", "-", through: prefix).succeeds()
    #expect(try work.text("Documents/com.example.book/cover.txt") == "a cover")
    try work.remove("Documents")
    #expect(try work.names() == ["Book.pkg"])
  }

  @Test func `standard input is checked like a file`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.iapkg("validate", "-", "--max-size", "100", through: Self.fromBook)
      .exits(1, saying: "standard input has more than 100 bytes")
    #expect(try work.iapkg("validate", "-").exits(1).output.contains("[archive/not-a-zip]"))
    try work.iapkg("info", "-").fails(65)
    try work.iapkg("validate", "-", "-").fails(64, saying: "there is only one standard input")
  }

  @Test func `a closed stream is reported as closed`() throws {
    let work = try Workspace()
    try work.makeBook()
    for command in ["info", "validate", "extract"] {
      for (input, found) in [("<&-", "closed"), ("<Book", "a folder")] {
        try work.iapkg(command, "-", through: ["sh", "-c", "exec \"$0\" \"$@\" \(input)"]).exits(
          66, saying: "cannot open -: standard input is \(found)")
      }
    }
    let closing = ["sh", "-c", "exec \"$0\" \"$@\" >&-"]
    try work.iapkg("info", "Book", through: closing).exits(
      74, saying: "standard output, which is closed; the work")
    try work.iapkg("create", "Book", "-o", "-", through: closing).exits(
      74, saying: "cannot write standard output: it is closed")
  }
}
