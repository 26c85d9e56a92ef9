import ArgumentParser
import ContentPackage
import SafeFiles
import Settings
import Support

struct ConfigCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show the settings that hold for a content folder, and where each comes from.",
    discussion: """
      Settings stand in files .iapkg.yml, and patterns of what is left out also in .iapkgignore, in the content folder \
      and in the folders above it, up to a repository of version control. The nearest file that has a key decides on it. \
      Options on the command line win.
      """)

  @Argument(help: ArgumentHelp("The content folder.", valueName: "folder"), completion: .directory)
  var folder: String

  @OptionGroup var exclusion: ExclusionOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] { [CommandInput(folder, .folder)] }

  var access: ProcessAccess? { ProcessAccess(reading: inputs) }

  func perform(in context: CommandContext) throws -> ExitStatus {
    try CommandInput.checkFolder(folder)
    let settings = try exclusion.settings(of: folder)
    let rendering = ConfigRendering(settings, of: folder, style: report.style(for: .output))
    report.render(rendering.document, on: context.console) { rendering.lines }
    return .success
  }
}
