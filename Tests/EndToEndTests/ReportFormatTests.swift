import ContentPackage
import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Reports for programs: each is always one complete document on standard output.
@Suite(.waiting) struct ReportFormatTests {
  /// Arguments, and the expected exit code.
  private static let runs: [([String], Int32)] = [
    (["Book"], 0), (["Book", "Bad"], 1), (["Book", "missing"], 66), (["Book", "--nonsense"], 64), ([], 64),
    (["Book", "--ignore", "no/rule"], 64), (["Book", "-o", "Book"], 73),
  ]

  @Test(arguments: ["json", "sarif", "junit"], runs)
  func `standard output is one document`(_ format: String, _ run: ([String], Int32)) throws {
    let work = try workspace()
    let outcome = try work.iapkg(["validate", "--format", format] + run.0).exits(run.1)
    if format == "junit" {
      #expect(isWellFormed(outcome.output), "\(outcome)")
    } else {
      _ = try outcome.document()
    }
  }

  @Test func `the counts of a JUnit report agree with its cases`() throws {
    let work = try workspace()
    // These characters occur in names of inputs and files; similar ones occur in reasons.
    let odd = "a\u{1}\u{7}\n\t<&\"']]>\u{202E}é"
    try work.makeBook("Odd \(odd)")
    try work.write("#!/bin/sh\n", to: "Odd \(odd)/Contents/\(odd).sh", permissions: 0o755)
    try work.write("ignore:\n- {rule: file/script, reason: \"<&'\"}\n", to: "Book/.iapkg.yml")
    try work.write("#!/bin/sh\n", to: "Book/Contents/run.sh")
    for options in [[], ["--strict"], ["--ignore", "file/executable-permission"]] {
      let inputs = ["Book", "Bad", "Odd \(odd)", "missing"]
      let text = try work.iapkg(["validate", "--format=junit"] + options + inputs).exits(66).output
      let report = try #require(JUnitDocument(text), "\(text)")
      #expect(report.errors == [])
      #expect(report.suites.count == 4)
      #expect(Set(report.suites.map(\.name)).count == 4)
      #expect(report.suites.map(\.failures)[1] == 1 && report.suites[3].errors == 1)
      #expect(report.failures == report.suites.reduce(0) { $0 + $1.failures })
    }
    let failure = try work.iapkg("validate", "--format=junit", "--no-such", odd).exits(64).output
    #expect(try #require(JUnitDocument(failure)).errors == [])
  }

  @Test func `a special character is escaped before a combining mark too`() throws {
    let work = try Workspace()
    try work.makeBook()
    for sign in ["<", "&", "\"", ",", ":", "%"] {
      try work.write("#!/bin/sh\n", to: "Book/Contents/a\(sign)\u{301}.sh", permissions: 0o755)
    }
    let junit = try work.iapkg("validate", "Book", "--format", "junit").exits(1).output
    #expect(isWellFormed(junit))
    let github = try work.iapkg("validate", "Book", "--format", "github").exits(1).output
    for escape in ["%2C\u{301}.sh", "%3A\u{301}.sh", "%25\u{301}.sh"] {
      #expect(Array(github.utf8).firstRange(of: Array("file=Book/Contents/a\(escape),".utf8)) != nil)
    }
  }

  @Test func `SARIF has the properties that its schema requires`() throws {
    let work = try workspace()
    for provocation in ReportProvocation.all { try provocation.write(in: work) }
    let names = ["Bad"] + ReportProvocation.all.map(\.name)
    let report = try work.iapkg(["validate", "--format=sarif", "--max-size=1MB"] + names).exits(1).document()
    #expect(report["version"] == "2.1.0")
    #expect(report["$schema"]?.text?.hasSuffix("sarif-2.1.0.json") == true)
    let run = try #require(report["runs"]?[0])
    #expect(run["tool"]?["driver"]?["name"] == "iapkg")
    let rules = run["tool"]?["driver"]?["rules"]?.elements ?? []
    let levels: Set<String> = ["error", "warning", "note"]
    #expect(rules.count == ReportProvocation.all.count + ReportProvocation.others.count)
    for rule in rules {
      #expect(rule["id"]?.text != nil && rule["help"]?["text"]?.text?.isEmpty == false, "\(rule)")
      #expect(rule["shortDescription"]?["text"]?.text?.isEmpty == false, "\(rule)")
      #expect(levels.contains(rule["defaultConfiguration"]?["level"]?.text ?? ""), "\(rule)")
    }
    let artifacts = run["artifacts"]?.elements ?? []
    let results = run["results"]?.elements ?? []
    #expect(results.count >= ReportProvocation.all.count)
    for result in results {
      let index = try #require(result["ruleIndex"]?.integer)
      #expect(result["ruleId"] == rules[Int(index)]["id"], "\(result)")
      #expect(result["message"]?["text"]?.text?.isEmpty == false, "\(result)")
      #expect(levels.contains(result["level"]?.text ?? ""), "\(result)")
      let place = try #require(result["locations"]?[0]?["physicalLocation"]?["artifactLocation"])
      let artifactIndex = try #require(place["index"]?.integer)
      let artifact = artifacts[Int(artifactIndex)]
      #expect(place["uri"] == artifact["location"]?["uri"], "\(result)")
      #expect(place["uri"]?.text?.allSatisfy { $0.isASCII && $0 != " " && $0 != "\\" } == true, "\(result)")
    }
    let found = Set(results.compactMap { $0["ruleId"]?.text })
    #expect(found == Set(ReportProvocation.all.map(\.rule)))
  }

  @Test func `SARIF locates a finding in a file of a folder or of a package`() throws {
    let work = try workspace()
    try ReportProvocation.all.first { $0.rule == "file/junk" }?.write(in: work)
    let report = try work.iapkg("validate", "--format=sarif", "Bad", "file-junk.pkg").document()
    let run = report["runs"]?[0]
    let places = run?["results"]?.elements.map { $0["locations"]?[0]?["physicalLocation"] } ?? []
    #expect(places.first??["artifactLocation"]?["uri"] == "Bad/ContentInfo.plist")
    #expect(places.first??["region"]?["startLine"] == 5)
    let inner = places.last??["artifactLocation"]
    #expect(inner?["uri"] == "Contents/.DS_Store")
    let artifacts = run?["artifacts"]?.elements ?? []
    let innerIndex = try #require(inner?["index"]?.integer)
    let parent = try #require(artifacts[Int(innerIndex)]["parentIndex"]?.integer)
    #expect(artifacts[Int(parent)]["location"]?["uri"] == "file-junk.pkg")
  }

  @Test func `SARIF has no placeholders and links from names in the content`() throws {
    let work = try Workspace()
    try work.makeBook("Book", version: "{0}[a](1)")
    let report = try work.iapkg("validate", "--format=sarif", "Book").exits(1).document()
    let messages = report["runs"]?[0]?["results"]?.elements.compactMap { $0["message"]?["text"]?.text } ?? []
    #expect(messages.contains { $0.contains(#"{{0}}\[a\](1)"#) }, "\(messages)")
  }

  @Test func `JUnit has a case for each input and group of rules`() throws {
    let work = try workspace()
    let text = try work.iapkg("validate", "--format", "junit", "Book", "Bad").exits(1).output
    let groups = ["archive", "package", "manifest", "path", "link", "file", "size", "version"]
    let cases = groups.count * 2
    #expect(
      text.contains("<testsuites name=\"iapkg\" tests=\"\(cases)\" failures=\"1\" errors=\"0\" time=\"0\">"))
    for group in groups {
      #expect(text.contains("<testcase classname=\"Book\" name=\"\(group)\" time=\"0\"/>"))
    }
    #expect(text.components(separatedBy: "<testcase ").count == cases + 1)
    #expect(
      text.contains(
        "<failure message=\"manifest/content-version: the content version is not valid\" type=\"error\">"))
  }

  @Test func `a GitHub annotation has the line in the file`() throws {
    let work = try workspace()
    let outcome = try work.iapkg("validate", "--format", "github", "Bad").exits(1, saying: "Bad: not valid")
    #expect(
      outcome.output.hasPrefix(
        "::error file=Bad/ContentInfo.plist,line=5,title=manifest/content-version::found '1.0-beta', "))
    #expect(outcome.output.split(separator: "\n").count == 1)
  }

  @Test func `ignored findings are counted, and an unused --ignore is reported`() throws {
    let work = try workspace()
    try work.write("x", to: "Book/Contents/empty.sh")
    let outcome = try work.iapkg(
      "validate", "Book", "--strict", "--ignore=file/script", "--ignore=link/dangling")
    outcome.exits(0, saying: "note: --ignore link/dangling: the rule found nothing")
    #expect(outcome.output.contains(", 1 ignored, "))
    let document = try work.iapkg("validate", "Book", "--format=json", "--ignore=file/script").document()
    #expect(document["packages"]?[0]?["ignored"] == 1)
    #expect(document["unusedIgnores"] == .array([]))
  }

  @Test func `text folds many findings of one rule, and the library limits them`() throws {
    let work = try workspace()
    for number in 0..<2_000 { try work.write("x", to: "Book/Contents/\(number).sh") }
    let lines = try work.iapkg("validate", "Book").succeeds().output.split(separator: "\n")
    #expect(lines.count == 9)
    #expect(
      lines[7] == "... 1997 more like this, 2000 in all: a file is a script that is not marked as executable "
        + "[file/script]")
    let findings = try work.findings(in: "Book")
    #expect(findings.count == 1_000 && findings.total == 2_000)
  }

  /// Creates a valid folder, and one with an error on line 5 of its manifest.
  private func workspace() throws -> Workspace {
    let work = try Workspace()
    try work.makeBook()
    try work.makeBook("Bad", version: "1.0-beta")
    return work
  }

  private func isWellFormed(_ text: String) -> Bool { XMLParser(data: Data(text.utf8)).parse() }
}
