import ArgumentParser
import ContentPackage
import Conversion
import SafeFiles
import Support

struct ImportCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Convert hosted content from Xcode, StoreKit or App Store Connect, and on-demand resources.",
    discussion: """
      The source is an installer package of Xcode (a xar archive), a content folder as StoreKit left it, or an Xcode \
      project. It becomes a package, or a content folder with --folder. Each target of a project becomes a package \
      of its own, or a folder named after its product below --folder.

      import checks the content as create does, and makes nothing if there is an error.

      With --from-app-store-connect, import downloads the content that Apple still hosts for the in-app purchases of \
      an app. Each becomes a content folder named after its product below --folder. Interrupted imports resume on \
      the next run.

      With --on-demand-resources, import converts the tags of an Xcode project to a folder of asset packs for Background \
      Assets. A folder whose name ends in .assetpack, which Xcode has built, needs no option. Files with the same tags \
      become one pack. The report shows the packs of each tag, and the features without a counterpart.
      """)

  @Argument(
    help: ArgumentHelp(
      "The installer package, the content folder or a ZIP archive of one, or the Xcode project.",
      valueName: "source"),
    completion: .file())
  var source: String?

  @OptionGroup var appStore: AppStoreOptions
  @OptionGroup var onDemand: OnDemandOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The package to make, or - for standard output. The default is <product-id>-<version>.pkg in this folder.",
      valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Make a content folder instead of a package, or the folder of asset packs.", valueName: "folder"),
    completion: .directory)
  var folder: String?

  @Option(
    help: ArgumentHelp(
      "The target of an Xcode project. The default is all targets that make content.", valueName: "name"))
  var target: String?

  @Flag(help: "Omit the keys that Xcode has added to ContentInfo.plist, such as DTCompiler.")
  var stripXcodeKeys = false

  @Flag(help: "Check everything, and write nothing.")
  var dryRun = false

  @OptionGroup var replacing: ReplaceOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var showsAllFindings: Bool { rules.all }
  var isStrict: Bool { rules.strict }
  var pastParticiple: String? { dryRun ? nil : "imported" }
  var inputs: [CommandInput] {
    source.map { source in
      [
        onDemand.apply(to: source)
          ? CommandInput(source, .folder) : CommandInput(source, .package, .contentFolder)
      ]
    } ?? []
  }

  var access: ProcessAccess? {
    var access = ProcessAccess(reading: inputs, making: folder == nil ? output ?? "package" : nil)
    if let source, ContentImporter.isProject(source) { access.read(project: source) }
    if let folder {
      access.makeFolder(folder)
      // The settings above a new content folder apply to it.
      access.readSettings(of: FileSystem.folder(of: folder))
    }
    if appStore.fromAppStoreConnect {
      access.connect()
      access.change(folder ?? ".")
      if let key = appStore.account.keyFile { access.read(key) }
    }
    return access
  }

  var settingsFolders: [String] { [source, folder].compactMap(\.self) }
  var outputs: [String] { [folder ?? output ?? "."] }
  var protectedPaths: [String] {
    // A folder of content folders cannot be imported, so an output may lie in it.
    let isProject = source.map(ContentImporter.isProject) == true
    let resources = isProject && onDemand.onDemandResources ? source.map(OnDemandResources.sources) : nil
    let content = isProject ? source.map(ContentImporter.protectedPaths) : source.map { [$0] }
    return (resources ?? content ?? []) + [appStore.account.keyFile].compactMap(\.self)
  }

  func validate() throws {
    try appStore.check(self)
    try onDemand.check(self)
    if output != nil, folder != nil { throw ValidationError("give --output or --folder, not both") }
    if target != nil, source.map(ContentImporter.isProject) != true {
      throw ValidationError("--target is for an Xcode project, a folder whose name ends in .xcodeproj")
    }
    if folder != nil, replacing.force {
      throw ValidationError("--force replaces a package; import never replaces a folder")
    }
    try PackageOutput.checkName(output)
    try PackageOutput.check(output, report, isDryRun: dryRun)
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    guard let source else { return try AppStoreImport(self, context).run() }
    guard !onDemand.apply(to: source) else { return try OnDemandImport(self, source, context).run() }
    let jobs = try ImportWork.jobs(self, source)
    return try perform(onEach: jobs, in: context) { job in
      let made = try progress.showing(report.text, in: context, limits: work.limits, jobs: work.jobs) {
        try ImportWork(self, job, context, $0).run()
      }
      let owner = jobs.count > 1 ? made.package.path : nil
      report.render(made.package.findings.about(owner), showingAll: rules.all, on: context.console)
      made.package.suppressed.about(owner).warn(report, on: context.console)
      let rendering = ImportRendering(made)
      if report.format == .text, !report.quiet {
        for note in rendering.notes { report.text.note(note, on: context.console) }
      }
      rules.noteUnused(made.package.review.findings, report.text, on: context.console)
      return InputResult(rendering.document) { print in
        let writesToStandardOutput = output == PackageOutput.standardOutput
        TextLayout(for: .output).sentence(in: [rendering.line]).forEach(
          writesToStandardOutput ? context.console.note : print)
      }
    }
  }
}
