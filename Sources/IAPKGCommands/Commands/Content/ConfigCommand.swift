import ArgumentParser
import ContentPackage
import SafeFiles
import Settings
import Support

struct ConfigCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show the settings of a content folder, and the file that each comes from.",
    discussion: """
      iapkg reads .iapkg.yml, and .iapkgignore for further exclude patterns, in the content folder and in each \
      folder above it up to the root of the repository. For each key, the nearest file that has it wins. Options on \
      the command line override all files.
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
