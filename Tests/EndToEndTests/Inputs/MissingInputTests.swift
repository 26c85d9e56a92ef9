import TestSupport
import Testing

/// An unreadable input: the others are still reported, and the error names the expected kinds of input.
@Suite(.waiting) struct MissingInputTests {
  private static let expected =
    "No such file or directory; expected a package (.pkg) or a folder with ContentInfo.plist"

  @Test func `the findings of the other inputs are reported, and the missing input too`() throws {
    let work = try workspace()
    let outcome = try work.iapkg("validate", "Bad", "nowhere", "Book").exits(66)
    #expect(outcome.errors == "error: cannot open nowhere: \(Self.expected)\n")
    #expect(outcome.output.contains("[manifest/content-version]"))
    #expect(outcome.output.contains("\nBad: not valid"))
    #expect(outcome.output.contains("\nBook: valid"))
    #expect(outcome.output.hasSuffix("\n3 inputs, 1 not valid, 1 not read\n"))
    let quiet = try work.iapkg("validate", "--quiet", "nowhere", "Book").exits(66)
    #expect(quiet.output.isEmpty && quiet.errors == outcome.errors, "\(quiet)")
  }

  @Test func `JSON has the packages and the error`() throws {
    let work = try workspace()
    let outcome = try work.iapkg("validate", "--format=json", "nowhere", "Bad", "nix", "Book").exits(66)
    let document = try outcome.document()
    let always: Set = ["schemaVersion", "command", "valid", "packages", "unusedIgnores"]
    #expect(document.keys == always.union(["error", "unread"]))
    #expect(document["valid"] == .bool(false))
    #expect(document["packages"]?.elements.map { $0["path"]?.text } == ["Bad", "Book"])
    #expect(document["packages"]?[0]?["findings"]?[0]?["rule"] == "manifest/content-version")
    #expect(document["error"]?["code"] == 66)
    #expect(document["error"]?["path"] == "nowhere")
    #expect(document["error"]?["message"]?.text == "cannot open nowhere: \(Self.expected)")
    #expect(document["unread"]?.elements.map { $0["path"]?.text } == ["nowhere", "nix"])
    let good = try work.iapkg("validate", "--format=json", "Book").succeeds().document()
    #expect(good.keys == always)
    #expect(good["valid"] == .bool(true))
  }

  @Test func `SARIF has a notification of the missing input and keeps the results`() throws {
    let work = try workspace()
    let run = try work.iapkg("validate", "--format=sarif", "nowhere", "Bad").exits(66).document()["runs"]?[0]
    #expect(run?["results"]?.elements.map { $0["ruleId"]?.text } == ["manifest/content-version"])
    let invocation = run?["invocations"]?[0]
    #expect(invocation?["executionSuccessful"] == .bool(false))
    #expect(invocation?["exitCode"] == 66)
    let notes = invocation?["toolExecutionNotifications"]?.elements ?? []
    #expect(notes.map { $0["level"]?.text } == ["error"])
    #expect(notes.first?["message"]?["text"]?.text == "cannot open nowhere: \(Self.expected)")
  }

  @Test func `JUnit has a case with an error, and GitHub an annotation`() throws {
    let work = try workspace()
    let junit = try work.iapkg("validate", "--format=junit", "nowhere", "Bad").exits(66).output
    #expect(junit.contains(" failures=\"1\" errors=\"1\" time=\"0\">"), "\(junit)")
    #expect(
      junit.contains("<error message=\"cannot open nowhere: \(Self.expected)\" type=\"66\"/>"), "\(junit)")
    #expect(
      junit.contains("<failure message=\"manifest/content-version: the content version is not valid\""),
      "\(junit)")
    let github = try work.iapkg("validate", "--format=github", "nowhere", "Bad").exits(66)
    let lines = github.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.last?.contains("title=manifest/content-version::") == true)
    #expect(lines.first == "::error file=nowhere::cannot open nowhere: \(Self.expected)")
  }

  @Test func `a report in a file names the missing input too`() throws {
    let work = try workspace()
    try work.iapkg("validate", "nowhere", "Book", "-o", "report").fails(66, saying: "Book: valid", "nowhere")
    #expect(try work.text("report").hasSuffix("error: cannot open nowhere: \(Self.expected)\n"))
    try work.iapkg("validate", "--format=sarif", "nowhere", "-o", "r.sarif").fails(66)
    #expect(try work.text("r.sarif").contains("\"executionSuccessful\" : false"))
  }

  @Test(
    arguments: [
      (["validate", "Atlas"], "did you mean Atlas.pkg?"), (["validate", "Bok"], "did you mean Book?"),
      (["validate", "bOOK"], "did you mean Book?"),
      (["validate", "./atlas.pkg"], "did you mean ./Atlas.pkg?"),
      (["validate", "made/Bokk"], "did you mean made/Book.pkg?"),
      (["info", "Bok"], "did you mean Book?"), (["extract", "Bok"], "expected a package (.pkg)"),
      (["extract", "Atlsa.pkg"], "did you mean Atlas.pkg?"), (["create", "Boook"], "did you mean Book?"),
      (["create", "atlas.pkg"], "expected a folder with ContentInfo.plist"),
      (["create", "Book", "--against", "Atlass.pkg"], "did you mean Atlas.pkg?"),
      (["diff", "Atlas.pkg", "Boook"], "did you mean Book?"),
      (["bump", "made/list"], "did you mean made/list.plist?"),
      (["validate", ""], "cannot open '': No such file"),
    ] as [([String], String)])
  func `the intended input is suggested`(_ arguments: [String], _ answer: String) throws {
    let work = try workspace()
    try work.makeBookPackage("Atlas.pkg", product: "com.example.atlas")
    try work.write("", to: "made/list.plist")
    try work.makeBookPackage("made/Book.pkg")
    try work.write("", to: "made/list.txt")
    try work.iapkg(arguments).fails(66, saying: answer)
  }

  /// Creates a valid folder, and one with an error on line 5 of its manifest.
  private func workspace() throws -> Workspace {
    let work = try Workspace()
    try work.makeBook()
    try work.makeBook("Bad", product: "com.example.bad", version: "1.0-beta")
    return work
  }

  @Test func `a missing folder of products exits with 66, whatever its name`() throws {
    let work = try Workspace()
    for name in ["none", "odd\u{1B}[1m\nname", "\u{202E}eman"] {
      for command in [["status"], ["remove", "com.example.book"], ["rollback", "com.example.book"]] {
        try work.iapkg(command + ["--into", name]).fails(66, saying: "No such file or directory")
      }
    }
    #expect(try work.names() == [])
  }
}
