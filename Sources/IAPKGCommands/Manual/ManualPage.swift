import ContentPackage
import Support

/// A manual page in the man macros (man 7 man), generated from the commands' help and the list of rules.
struct ManualPage {
  /// `iapkg`, or `iapkg-validate` for a command.
  let name: String
  let text: String

  /// Returns the page of the program and the pages of all visible commands.
  static func all() throws -> [ManualPage] {
    let program = try CommandHelp.ofProgram()
    let commands = commands(of: program)
    return [ManualPage(of: program, listing: commands.map { ($0.words.joined(separator: "-"), $0.command) })]
      + commands.map { ManualPage(of: $0.command, words: [program.commandName] + $0.words) }
  }

  /// Returns the visible subcommands at every depth, with the words that invoke them.
  private static func commands(of parent: CommandHelp) -> [(words: [String], command: CommandHelp)] {
    let shown = (parent.subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
    return shown.flatMap { command in
      [([command.commandName], command)]
        + commands(of: command).map { ([command.commandName] + $0.words, $0.command) }
    }
  }

  private init(of program: CommandHelp, listing commands: [(name: String, command: CommandHelp)]) {
    name = program.commandName
    let list = commands.flatMap {
      [".TP", "\\fBiapkg\\-\(Roff.escaped($0.name))\\fR(1)", Roff.text($0.command.abstract ?? "")]
    }
    text = Self.page(
      name, of: program, synopsis: ["\\fBiapkg\\fR \\fIcommand\\fR [\\fIoption\\fR ...]"],
      sections: [
        ("COMMANDS", list), ("RULES", Self.rules), ("EXIT STATUS", Self.exitCodes),
        ("ENVIRONMENT", Self.environment),
      ],
      others: commands.map { "\(program.commandName)-\($0.name)" })
  }

  private init(of command: CommandHelp, words: [String]) {
    name = words.joined(separator: "-")
    let arguments = (command.arguments ?? []).filter { $0.shouldDisplay }.map(Self.synopsis)
    let sections = command.commandName == "rules" ? [("RULES", Self.rules)] : []
    text = Self.page(
      name, of: command,
      synopsis: ["\\fB\(Roff.escaped(words.joined(separator: " ")))\\fR \(arguments.joined(separator: " "))"],
      sections: sections, others: words.prefix(1).map(\.self))
  }

  private static func page(
    _ name: String, of command: CommandHelp, synopsis: [String], sections: [(String, [String])],
    others: [String]
  ) -> String {
    var lines = [
      ".TH \(Roff.escaped(name.uppercased())) 1 \"\" \"iapkg \(programVersion)\" \"User Commands\""
    ]
    lines += [".SH NAME", "\(Roff.escaped(name)) \\- \(Roff.text(nameLine(command.abstract ?? "")))"]
    lines += [".SH SYNOPSIS", ".nh"] + synopsis + [".hy"]
    lines += [".SH DESCRIPTION", Roff.text(command.abstract ?? "")]
    for paragraph in (command.discussion ?? "").split(separator: "\n\n") {
      lines += [".PP", Roff.text(String(paragraph))]
    }
    let arguments = (command.arguments ?? []).filter(\.shouldDisplay)
    if !arguments.isEmpty { lines += [".SH OPTIONS"] + arguments.flatMap(option) }
    for (title, section) in sections { lines += [".SH \(title)"] + section }
    lines += [".SH SEE ALSO", others.map { "\\fB\(Roff.escaped($0))\\fR(1)" }.joined(separator: ",\n")]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the abstract without its full stop, the form that mandb indexes.
  private static func nameLine(_ abstract: String) -> String {
    abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract
  }

  private static func synopsis(_ argument: CommandHelp.Argument) -> String {
    let value = "\\fI\(Roff.escaped(argument.valueName ?? ""))\\fR"
    let name = "\\fB\(Roff.escaped(argument.preferredName?.text ?? ""))\\fR"
    let word =
      switch argument.kind {
      case "positional": value
      case "option": "\(name) \(value)"
      default: name
      }
    let repeated = argument.isRepeating ? "\(word) ..." : word
    return argument.isOptional ? "[\(repeated)]" : repeated
  }

  private static func option(_ argument: CommandHelp.Argument) -> [String] {
    let names = (argument.names ?? []).map { "\\fB\(Roff.escaped($0.text))\\fR" }.joined(separator: ", ")
    let value = argument.kind == "flag" ? "" : "\\fI\(Roff.escaped(argument.valueName ?? ""))\\fR"
    let head = [names, value].filter { !$0.isEmpty }.joined(separator: " ")
    var text = [Roff.text(argument.abstract ?? "")]
    if let values = argument.allValues, !values.isEmpty {
      text.append("One of \(values.map { "\\fB\(Roff.escaped($0))\\fR" }.joined(separator: ", ")).")
    }
    if let value = argument.defaultValue { text.append("Default: \\fB\(Roff.escaped(value))\\fR.") }
    return [".TP", head] + text
  }

  /// The list of rules; a star marks rules that can be ignored.
  private static var rules: [String] {
    [Roff.text("--ignore accepts the rules with a star; iapkg explain explains one rule.")]
      + Rule.allCases.flatMap { rule in
        let star = rule.description.isIgnorable ? "*" : ""
        return [
          ".TP", "\\fB\(Roff.escaped(rule.rawValue))\\fR\(star) (\(rule.severity.rawValue))",
          Roff.text("\(rule.description.summary); remedy: \(rule.description.remedy)."),
        ]
      }
  }

  private static var exitCodes: [String] {
    ExitStatus.allCases.flatMap { [".TP", "\\fB\($0.rawValue)\\fR", Roff.text($0.meaning)] }
  }

  private static let environment = [
    ".TP", "\\fBSOURCE_DATE_EPOCH\\fR", "The modification time of package entries, in seconds since 1970.",
    ".TP", "\\fBNO_COLOR\\fR", "If set, iapkg uses no colors unless \\-\\-color requests them.",
  ]
}

/// Escaping for troff.
enum Roff {
  /// Returns `text` with backslashes and hyphens escaped, so that they print literally.
  static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
  }

  /// Returns `text` on one line and escaped, including a leading `.` or `'`, which would start a request.
  static func text(_ text: String) -> String {
    let escaped = escaped(text).replacing("\n", with: " ")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
