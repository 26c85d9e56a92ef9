import ArgumentParser

/// The program's root command.
struct IAPKG: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "iapkg",
    abstract: "Build, check, version and install in-app-purchase content packages.",
    discussion: """
      A package is a .pkg file: a ZIP with ContentInfo.plist at its root and the content under Contents/.
      """,
    version: "iapkg \(iapkgVersion)",
    subcommands: [
      InitCommand.self, CreateCommand.self, ValidateCommand.self, InfoCommand.self, BumpCommand.self,
      DiffCommand.self, ExtractCommand.self, StatusCommand.self, RollbackCommand.self, RemoveCommand.self,
      RulesCommand.self, ExplainCommand.self, ManualCommand.self,
    ])
}

/// The program's own version.
let iapkgVersion = "1.0.0"
