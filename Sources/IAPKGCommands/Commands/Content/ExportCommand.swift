import ArgumentParser
import ContentPackage
import Conversion
import SafeFiles
import Support

struct ExportCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Stage packages for Background Assets, Apple's successor of hosted content.",
    discussion: """
      Each package becomes a folder with Manifest.json and with the files in a folder named after the product, so \
      that the asset packs of an app do not collide. Apple's ba-package makes the archive, on a Mac or on Linux; the \
      report shows the command. background-assets in .iapkg.yml sets the other keys of the manifest.

      Hyphens replace the dots and underscores of a product in the ID of its asset pack. asset-packs.json keeps the \
      IDs and belongs in version control, because App Store Connect never accepts the ID of an archived pack again.

      Apple allows executables for CPUs and GPUs in asset packs, except those for macOS. Findings of other code become \
      notes.
      """)

  @Argument(
    help: ArgumentHelp(
      "The packages or content folders of one app, or folders that hold some.", valueName: "package"),
    completion: .file())
  var packages: [String]

  @Option(
    help: ArgumentHelp("The folder to make.", valueName: "folder"), completion: .directory)
  var backgroundAssets: String

  @OptionGroup var staging: StagingOptions

  @Flag(help: "Check everything, and write nothing.")
  var dryRun = false

  @OptionGroup var exclusion: ExclusionOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var showsAllFindings: Bool { rules.all }
  var isStrict: Bool { rules.strict }
  var inputs: [CommandInput] { packages.map { CommandInput($0, .package, .contentFolder) } }

  var access: ProcessAccess? {
    var access = ProcessAccess(reading: inputs)
    access.readSettings(of: ".")
    access.makeFolder(backgroundAssets)
    access.read(staging.assetPacks)
    access.make(staging.assetPacks)
    return access
  }

  var outputs: [String] { [backgroundAssets, staging.assetPacks] }

  func validate() throws {
    let paths = paths
    if staging.assetPackId != nil, paths.isList { throw paths.severalError(packages, for: "--asset-pack-id") }
  }

  private var paths: InputPaths { InputPaths(packages, includingPackages: true) }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let staged = try progress.showing(
      report.text, in: context, limits: work.limits, jobs: work.jobs
    ) { try ExportWork(self, paths, $0).stage() }
    report.render(staged.findings, showingAll: rules.all, on: context.console)
    staged.usage.note(report.text, on: context.console)
    let rendering = ExportRendering(
      staged.packs, staged.findings, at: backgroundAssets, isRehearsal: dryRun)
    report.render(rendering.document, on: context.console) { rendering.lines }
    return .success
  }
}
