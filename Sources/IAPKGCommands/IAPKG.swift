import ArgumentParser
import Support

/// The program's root command.
struct IAPKG: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "iapkg",
    abstract: "Build, check, version, publish and install the content packages of in-app purchases.",
    discussion: """
      A package is a .pkg file: a ZIP archive with ContentInfo.plist at its root and the content in Contents/.
      """,
    subcommands: [
      InitCommand.self, CreateCommand.self, ValidateCommand.self, InfoCommand.self, BumpCommand.self,
      DiffCommand.self, ExtractCommand.self, StatusCommand.self, RollbackCommand.self, RemoveCommand.self,
      PublishCommand.self, ReleaseCommand.self, PromoteCommand.self, RolloutCommand.self,
      WithdrawCommand.self,
      CatalogCommand.self, TrustCommand.self, FetchCommand.self, OutdatedCommand.self, UpdateCommand.self,
      DownloadsCommand.self,
      ImportCommand.self, ExportCommand.self, UploadCommand.self, ReportCommand.self, ConfigCommand.self,
      ServeCommand.self,
      RulesCommand.self, ExplainCommand.self, ManualCommand.self,
    ])

  // Every subcommand would inherit the parser's own version option.
  @Flag(help: "Show the version.")
  var version = false

  func run() throws {
    if version { throw CleanExit.message("iapkg \(programVersion)") }
    throw CleanExit.helpRequest(self)
  }
}
