import Foundation
import TestSupport
import Testing

/// The installed manual pages and completions agree with the program.
@Suite(.waiting) struct ReportManualTests {
  private static let commands = [
    "init", "create", "validate", "info", "bump", "diff", "extract", "rules", "explain",
  ]

  @Test func `help and the manual have the same commands and options`() throws {
    let work = try Workspace()
    let help = try work.iapkg("--help").succeeds().output
    let listed = Self.commands(in: help)
    try work.makeFolder("man")
    try work.iapkg("manual", "man").succeeds()
    let inner = try listed.flatMap { command in
      let help = try work.iapkg("help", command).succeeds().output
      return Self.commands(in: help).map { "\(command)-\($0)" }
    }
    #expect(try work.names(in: "man") == Set((listed + inner).map { "iapkg-\($0).1" } + ["iapkg.1"]))
    #expect(Set(listed).isSuperset(of: Self.commands))
    for command in listed { try compare(command, work) }
  }

  /// Returns the commands that a help text lists.
  private static func commands(in help: String) -> [String] {
    guard let list = help.range(of: "SUBCOMMANDS:") else { return [] }
    return help[list.upperBound...].matches(of: /\n  ([a-z]+) +/).map { String($0.output.1) }
  }

  @Test func `the manual lists every rule and exit code`() throws {
    let work = try Workspace()
    try work.makeFolder("man")
    try work.iapkg("manual", "man").succeeds()
    let page = plain(try work.text("man/iapkg.1"))
    for rule in ReportProvocation.all.map(\.rule) + ReportProvocation.others {
      #expect(page.contains("\(rule) (") || page.contains("\(rule)* ("))
    }
    for code in [0, 1, 64, 65, 66, 70, 73, 74, 75, 129, 130, 143] { #expect(page.contains("\n\(code)\n")) }
  }

  @Test func `no command has two options of one name, or an argument after one that takes all`() throws {
    let dump = try Workspace().iapkg("--experimental-dump-help").succeeds().output
    var rest = [try #require(JSON(parsing: dump)["command"])]
    while let command = rest.popLast() {
      rest += command["subcommands"]?.elements ?? []
      let arguments = command["arguments"]?.elements ?? []
      let names = arguments.flatMap { $0["names"]?.elements ?? [] }.map {
        "\($0["kind"]?.text ?? "") \($0["name"]?.text ?? "")"
      }
      #expect(Set(names).count == names.count, "\(command["commandName"]?.text ?? "")")
      let positional = arguments.filter { $0["kind"] == "positional" }
      #expect(positional.dropLast().allSatisfy { $0["isRepeating"] == false })
    }
  }

  @Test(.enabled(if: Machine.has("man")))
  func `man formats the pages without warnings`() throws {
    let work = try Workspace()
    try work.makeFolder("man")
    try work.iapkg("manual", "man").succeeds()
    let pages = try work.names(in: "man")
    #expect(pages.count > Self.commands.count)
    for page in pages {
      let shown = try work.run(
        ["man", "--warnings", "-l", "man/\(page)"], environment: ["MANWIDTH": "80", "LC_ALL": "C.UTF-8"])
      #expect(shown.code == 0 && shown.errors.isEmpty, "\(shown)")
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completions contain every command`(_ shell: String) throws {
    let script = try Workspace().iapkg("--generate-completion-script", shell).succeeds().output
    for command in Self.commands { #expect(script.contains(command), "\(command)") }
    #expect(script.contains("file/executable-permission"))
  }

  @Test(.enabled(if: Machine.has("bash")))
  func `bash parses the completions`() throws {
    let work = try Workspace()
    try work.write(try work.iapkg("--generate-completion-script", "bash").output, to: "iapkg.bash")
    let outcome = try work.run(["bash", "-n", "iapkg.bash"])
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome)")
  }

  /// Checks that the help and the manual page have the same options.
  private func compare(_ command: String, _ work: Workspace) throws {
    let help = options(in: try work.iapkg("help", command).succeeds().output)
    let page = options(in: plain(try work.text("man/iapkg-\(command).1")))
    #expect(help == page, "\(command): help and manual differ in \(help.symmetricDifference(page))")
  }

  private func options(in text: String) -> Set<String> {
    Set(text.matches(of: /(?:^|[\s\[,])(--?[a-z][a-z-]*)/).map { String($0.output.1) })
  }

  /// Returns the text of a page without fonts and escapes.
  private func plain(_ page: String) -> String {
    page.replacing(/\\f[BIR]/, with: "").replacing("\\-", with: "-")
  }
}
