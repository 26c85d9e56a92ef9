import Foundation
import Testing

/// The recipes for pipelines do what they say.
struct ReportExampleTests {
  private static let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Examples").path

  @Test func `the script makes the package and tells the workflow where it is`() throws {
    let work = try Workspace()
    try work.makeBook()
    let outcome = try package(
      work, ["GITHUB_OUTPUT": work.place("outputs"), "SARIF": "r.sarif", "JUNIT": "r.xml", "OUTPUT": "out"])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try work.text("outputs") == "package=out/com.example.book-1.0.pkg\n")
    #expect(try JSON(parsing: work.text("r.sarif"))["version"] == "2.1.0")
    #expect(try work.text("r.xml").contains("failures=\"0\""))
    try work.iapkg("validate", "out/com.example.book-1.0.pkg").succeeds()
  }

  @Test func `the script writes the report and annotates although the folder is not valid`() throws {
    let work = try Workspace()
    try work.makeBook(version: "1.0-beta")
    let outcome = try package(work, ["GITHUB_ACTIONS": "true", "SARIF": "r.sarif"])
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.output.hasPrefix("::error file=Book/ContentInfo.plist,line=5,"), "\(outcome)")
    #expect(try work.text("r.sarif").contains("\"ruleId\" : \"manifest/content-version\""))
    #expect(try work.names() == ["Book", "r.sarif"])
  }

  @Test func `the script refuses changed content of the published version, or raises the version`() throws {
    let work = try Workspace()
    try work.makeBookPackage("published.pkg")
    try work.makeBook()
    try work.write("new", to: "Book/Contents/new.txt")
    let refused = try package(work, ["PUBLISHED": "published.pkg"])
    #expect(refused.code == 1 && refused.output.contains("[version/not-raised]"), "\(refused)")
    let annotated = try package(
      work, ["PUBLISHED": "published.pkg", "GITHUB_ACTIONS": "true", "SARIF": "r.sarif"])
    #expect(annotated.code == 1, "\(annotated)")
    #expect(annotated.output.hasPrefix("::error file=Book/ContentInfo.plist,title=version/not-raised::"))
    #expect(try work.text("r.sarif").contains("\"ruleId\" : \"version/not-raised\""))
    let raised = try package(work, ["PUBLISHED": "published.pkg", "VERSION_POLICY": "bump"])
    #expect(raised.code == 0, "\(raised)")
    #expect(work.exists("com.example.book-1.1.pkg"))
    #expect(try package(work, ["VERSION_POLICY": "guess"]).code == 64)
  }

  @Test(.enabled(if: Machine.has("make")))
  func `the Makefile packs every folder`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeBook("Atlas", product: "com.example.atlas")
    let outcome = try work.run(["make", "-f", Self.examples + "/make/Makefile"], environment: environment)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try work.names(in: "packages") == ["com.example.book-1.0.pkg", "com.example.atlas-1.0.pkg"])
  }

  @Test(
    .enabled(if: Machine.has("python3")),
    arguments: [
      "github/action.yml", "github/workflow.yml", "gitlab/.gitlab-ci.yml",
    ])
  func `the YAML can be parsed, and runs nothing but the script`(_ file: String) throws {
    let work = try Workspace()
    let program = """
      import sys
      try: import yaml
      except ImportError: sys.exit(77)
      print(yaml.safe_load(open(sys.argv[1], encoding="utf-8")))
      """
    let outcome = try work.run(["python3", "-c", program, "\(Self.examples)/\(file)"])
    #expect(outcome.code == 0 || outcome.code == 77, "\(outcome)")
    let text = try String(contentsOfFile: "\(Self.examples)/\(file)", encoding: .utf8)
    for line in text.split(separator: "\n") where line.contains(" run:") || line.contains(" - Examples") {
      #expect(line.contains("/ci/package"), "\(line)")
    }
  }

  private var environment: [String: String] {
    let folder = (BuiltProgram.path as NSString).deletingLastPathComponent
    return ["PATH": "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "")", "LC_ALL": "C.UTF-8"]
  }

  private func package(_ work: Workspace, _ variables: [String: String]) throws -> Outcome {
    try work.run([Self.examples + "/ci/package", "Book"], environment: environment.merging(variables) { $1 })
  }
}
