import ArgumentParser

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation  // untested
#endif

/// The description of a command in the parser's output for `--experimental-dump-help`.
struct CommandHelp: Decodable {
  struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String

      /// The name with its hyphens, as on the command line.
      var text: String { kind == "long" ? "--\(name)" : "-\(name)" }
    }
    /// `positional`, `option` or `flag`.
    let kind: String
    let shouldDisplay: Bool
    let isOptional: Bool
    let isRepeating: Bool
    let names: [Name]?
    let preferredName: Name?
    let valueName: String?
    let defaultValue: String?
    let allValues: [String]?
    let abstract: String?
  }

  let commandName: String
  let abstract: String?
  let discussion: String?
  let shouldDisplay: Bool?
  let arguments: [Argument]?
  let subcommands: [CommandHelp]?

  private struct Dump: Decodable { let command: CommandHelp }

  /// Returns the root command with all its subcommands.
  static func ofProgram() throws -> CommandHelp {
    try JSONDecoder().decode(Dump.self, from: Data(IAPKG._dumpHelp().utf8)).command
  }
}
