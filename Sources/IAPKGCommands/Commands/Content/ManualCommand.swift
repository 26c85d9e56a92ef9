import ArgumentParser
import ContentPackage
import SafeFiles
import Support

/// The command that writes the manual pages for the installation of iapkg. Help does not list it.
struct ManualCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Write the manual pages into a folder.", shouldDisplay: false)

  @Argument(help: "The folder, which must exist.", completion: .directory)
  var folder: String

  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? {
    var access = ProcessAccess()
    access.makeFolder(folder)
    return access
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    for page in try ManualPage.all() {
      var file = try StagedOutput.create(at: "\(folder)/\(page.name).1", replacing: true, durable: false)
      let bytes = Array(page.text.utf8)
      try file.write(unsafe bytes.borrowedSpan.bytes)
      try file.commit()
    }
    return .success
  }
}
