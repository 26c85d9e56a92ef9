import ArgumentParser
import ContentPackage
import Conversion
import SafeFiles
import Settings
import Support

struct ExportCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Stage packages for Background Assets, Apple's successor of hosted content.",
    discussion: """
      Each package becomes a folder with Manifest.json and with the files in a folder named after the product, so \
      that the asset packs of an app do not collide. Apple's ba-package makes the archive; the report shows the \
      command.
      """)

  @Argument(
    help: ArgumentHelp(
      "The packages or content folders of one app, or folders that hold some.", valueName: "package"),
    completion: .file())
  var packages: [String]

  @Option(
    help: ArgumentHelp("The folder to make.", valueName: "folder"), completion: .directory)
  var backgroundAssets: String

  @Option(
    help: ArgumentHelp(
      "The identifier of the asset pack. The default is the product identifier.", valueName: "id")
  )
  var assetPackId: ProductIdentifier?

  @Option(help: "When the system downloads the asset packs.")
  var policy: DownloadPolicy.Kind = .onDemand

  @Option(
    help: ArgumentHelp(
      "With --policy prefetch or essential: the events that begin a download, separated by commas. The default is "
        + "first-installation,subsequent-update.", valueName: "events"), transform: AssetArgument.events)
  var on: [DownloadPolicy.Event] = []

  @Option(help: "A platform of the asset packs. The option can be repeated; the default is iOS.")
  var platform: [AssetPlatform] = []

  @Option(help: ArgumentHelp("The maximum number of asset packs of an app.", valueName: "n"))
  var maxPacks = AssetPackExporter.defaultMaximumPackCount

  @Flag(help: "Check everything, and write nothing.")
  var dryRun = false

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
    access.makeFolder(backgroundAssets)
    return access
  }

  var outputs: [String] { [backgroundAssets] }

  func validate() throws {
    let paths = paths
    if assetPackId != nil, paths.isList { throw paths.severalError(packages, for: "--asset-pack-id") }
    if !on.isEmpty, policy == .onDemand {
      throw ValidationError("--on needs --policy prefetch or essential")
    }
    if maxPacks < 1 { throw ValidationError("--max-packs is \(maxPacks), expected 1 or more") }
  }

  private var paths: InputPaths { InputPaths(packages, includingPackages: true) }

  private var options: AssetPackExporter.Options {
    var options = AssetPackExporter.Options()
    options.policy = DownloadPolicy(policy, on: on)
    if !platform.isEmpty { options.platforms = AssetPlatform.allCases.filter(platform.contains) }
    options.maximumPackCount = maxPacks
    options.identifier = assetPackId
    return options
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let (packs, findings) = try progress.showing(
      report.text, in: context, limits: work.limits, jobs: work.jobs
    ) { try export(in: $0) }
    report.render(findings, showingAll: rules.all, on: context.console)
    let rendering = ExportRendering(packs, findings, at: backgroundAssets, isRehearsal: dryRun)
    report.render(rendering.document, on: context.console) { rendering.lines }
    return .success
  }

  private func export(in context: WorkContext) throws -> ([AssetPackExporter.Pack], [Finding]) {
    try StagedFolder.check(backgroundAssets)
    let validator = PackageValidator(context: context)
    var counted: [Finding] = []
    let paths = paths
    let reviews = try paths.paths.map { package in
      // Findings name their input if there are several.
      let owner = paths.isList ? package : nil
      let isFolder = (try? FileSystem.kind(of: package)) == .folder
      let settings = isFolder ? try FolderSettings.load(for: package) : nil
      let review = try validator.review(package, settings?.choices() ?? FolderChoices())
      let findings = rules.counted(review.findings, by: settings).about(owner)
      guard !rules.reject(findings) else {
        throw CommandError(
          CommandError.status(of: findings), "the package was not exported", path: package, findings: findings
        )
      }
      counted += findings
      return review.accepted()
    }
    let exporter = AssetPackExporter(options, context: context)
    let packs = try exporter.export(reviews, to: dryRun ? nil : backgroundAssets)
    return (packs, counted)
  }
}

/// The parsing of asset pack options.
enum AssetArgument {
  /// - Throws: `ValidationError` for an invalid list of events.
  static func events(_ text: String) throws -> [DownloadPolicy.Event] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
      guard let event = DownloadPolicy.Event(rawValue: String(word)) else {
        let names = DownloadPolicy.Event.allCases.map(\.rawValue)
        throw ValidationError(
          "--on has '\(String(displaying: word.utf8))', expected \(Suggestion.list(names)), separated by commas"
        )
      }
      return event
    }
  }
}
