import TestSupport
import Testing

/// `rules`, `explain`, and the messages about wrong arguments.
@Suite(.waiting) struct ReportRuleTests {
  @Test func `every rule is broken by a package of its own`() throws {
    let work = try Workspace()
    let listed = try work.iapkg("rules", "--format=json").succeeds().document()["rules"]?.elements ?? []
    let rules = Set(listed.compactMap { $0["rule"]?.text })
    #expect(rules == Set(ReportProvocation.all.map(\.rule)).union(ReportProvocation.others))
    for provocation in ReportProvocation.all { try provocation.write(in: work) }
    let report = try work.iapkg(
      ["validate", "--format=json", "--max-size=1MB"] + ReportProvocation.all.map(\.name))
    let packages = try report.exits(1).document()["packages"]?.elements ?? []
    #expect(packages.count == ReportProvocation.all.count)
    for (provocation, package) in zip(ReportProvocation.all, packages) {
      let found = package["findings"]?.elements.compactMap { $0["rule"]?.text } ?? []
      #expect(found.contains(provocation.rule), "\(provocation.rule): found \(found)")
    }
  }

  @Test func `a folder with a sparse file breaks size/near-limit`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeSparseFile("Book/Contents/large", bytes: 2_000_000_001)
    #expect(try work.rules(in: "Book") == ["size/near-limit"])
  }

  @Test func `every rule has all its texts, and no text occurs twice`() throws {
    let work = try Workspace()
    let document = try work.iapkg("rules", "--format=json").succeeds().document()
    var seen: Set<String> = []
    let rules = document["rules"]?.elements ?? []
    #expect(rules.count == ReportProvocation.all.count + ReportProvocation.others.count)
    for rule in rules {
      for key in ["summary", "cause", "importance", "example", "remedy"] {
        let text = rule[key]?.text ?? ""
        #expect(!text.isEmpty && (!text.hasSuffix(".") || text.hasSuffix("..")), "\(rule)")
        if key != "remedy" { #expect(seen.insert(text).inserted, "\(text) occurs twice") }
      }
    }
  }

  @Test func `the table has a row for each rule, with a star if it can be ignored`() throws {
    let work = try Workspace()
    let lines = try work.iapkg("rules").succeeds().output.split(separator: "\n")
    #expect(lines.count == ReportProvocation.all.count + ReportProvocation.others.count)
    #expect(lines.contains { $0.hasPrefix("file/junk*") && $0.contains("  warning  ") })
    #expect(lines.contains { $0.hasPrefix("link/escapes  ") && $0.contains("  error    ") })
  }

  @Test func `explain describes a rule as text and as JSON`() throws {
    let work = try Workspace()
    let text = try work.iapkg("explain", "link/escapes").succeeds().output
    for word in ["link/escapes: error, cannot be ignored", "cause", "matters", "remedy", "example"] {
      #expect(text.contains(word))
    }
    let document = try work.iapkg("explain", "file/junk", "--format=json").succeeds().document()
    #expect(document["explanation"]?["ignorable"] == .bool(true))
    #expect(document["explanation"]?["rule"] == "file/junk")
  }

  @Test(
    arguments: [
      (["validat", "x"], "there is no command 'validat'; did you mean validate?"),
      (["rule"], "did you mean rules?"),
      (["validate", "--formt", "json", "x"], "Unknown option '--formt'. Did you mean '--format'?"),
      (["create"], "give a content folder, or any folder with --contents"),
      (
        ["explain", "file/exe"],
        "error: there is no rule 'file/exe'; did you mean file/executable-code, file/executable-bundle or"
      ),
      (["explain", "file/jnk"], "did you mean file/junk?"),
      (["explain", "nonsense"], "there is no rule 'nonsense'; iapkg rules lists them all"),
      (["validate", "--ignore", "file/scripts", "x"], "did you mean file/script?"),
      (["xyz"], "there is no command 'xyz', expected one of init, create, validate"),
      (["help", "validat"], "there is no command 'validat'; did you mean validate?"),
      (["--quiet", "validate", "x"], "options must follow the command, as in iapkg validate --quiet"),
      (["\u{1B}[31m"], "there is no command '\\u{001B}[31m'"),
      (["init", "x", "--product-id", "com x"], "up to 100 letters,"),
      (["init", "x", "--product-id", "com.x", "--content-version", "1.x"], "integers separated by periods"),
    ] as [([String], String)])
  func `errors about wrong arguments suggest the right ones`(_ arguments: [String], _ answer: String) throws {
    try Workspace().iapkg(arguments).fails(64, saying: answer)
  }

  @Test(
    arguments: [
      (["explain", "file/jnk"], "explain", "there is no rule 'file/jnk'; did you mean file/junk?"),
      (["validat", "x"], "iapkg", "there is no command 'validat'; did you mean validate?"),
      (
        ["validate", "--formt", "json", "x"], "validate", "Unknown option '--formt'. Did you mean '--format'?"
      ),
      (["create"], "create", "give a content folder, or any folder with --contents"),
      (["help", "validat"], "iapkg", "there is no command 'validat'; did you mean validate?"),
    ] as [([String], String, String)])
  func `errors about wrong arguments are in JSON too`(
    _ arguments: [String], _ command: String, _ message: String
  ) throws {
    let document = try Workspace().iapkg(arguments + ["--format=json"]).exits(64).document()
    #expect(document["command"]?.text == command)
    #expect(document["error"]?["code"] == 64)
    #expect(document["error"]?["message"]?.text == message)
  }

  @Test func `create without a folder suggests the content folders in the current folder`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeFolder("Other")
    try work.iapkg("create").fails(64, saying: "with --contents; did you mean iapkg create Book?")
    try work.makeBook("Atlas")
    try work.iapkg("create").fails(64, saying: "did you mean iapkg create Atlas or iapkg create Book?")
    try work.makeBook(".")
    try work.iapkg("create").fails(
      64, saying: "did you mean iapkg create . --output ../Package.pkg, iapkg create Atlas or ")
  }

  @Test func `a path in place of a command suggests validate`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.iapkg("Book").fails(
      64, saying: "there is no command 'Book'; to check that path, use iapkg validate Book")
  }
}
