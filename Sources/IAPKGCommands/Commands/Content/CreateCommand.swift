import ArgumentParser
import ContentPackage
import Delivery
import SafeFiles
import Settings
import Support
import ZipArchive

struct CreateCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Make packages from content folders.",
    discussion: """
      A content folder has ContentInfo.plist and Contents. With --contents, any folder becomes the content, and \
      create makes ContentInfo.plist from --product-id and --content-version. A folder of content folders stands for \
      its members.

      create checks the folder first, and makes no package if there is an error.

      The same content produces the same bytes on every machine. SOURCE_DATE_EPOCH sets the recorded time.
      """)

  @Argument(
    help: ArgumentHelp(
      "The content folders, or folders that hold content folders.", valueName: "folder"),
    completion: .directory)
  var folders: [String] = []

  @Option(
    help: ArgumentHelp(
      "Pack the items of this folder as Contents.", valueName: "folder"), completion: .directory)
  var contents: String?

  @Option(
    help: ArgumentHelp(
      "With --contents: the product identifier, up to 100 letters, digits, periods, hyphens and underscores.",
      valueName: "id"))
  var productId: ProductIdentifier?

  @Option(
    help: ArgumentHelp(
      "With --contents: the version of the content, integers separated by periods.", valueName: "version"))
  var contentVersion: ContentVersion?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      """
      The package to make, a folder for packages if it ends in /, or - for standard output. The default is \
      <product-id>-<version>.pkg in this folder.
      """,
      valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var compression: CompressionOptions

  @Option(
    help: ArgumentHelp(
      "Report an error if the content differs from this package without a higher "
        + "version.", valueName: "published"
    ), completion: .file())
  var against: String?

  @Flag(help: "Check everything, and write nothing.")
  var dryRun = false

  @OptionGroup var exclusion: ExclusionOptions
  @OptionGroup var replacing: ReplaceOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] {
    folders.map { CommandInput($0, .contentFolder) }
      + [contents].compactMap { $0 }.map { CommandInput($0, .folder) }
      + [against].compactMap { $0 }.map { CommandInput($0, .package, .contentFolder) }
  }

  var outputs: [String] { [output ?? "."] }
  var showsAllFindings: Bool { rules.all }
  var isStrict: Bool { rules.strict }
  var pastParticiple: String? { dryRun ? nil : "packed" }

  var access: ProcessAccess? {
    var access = ProcessAccess(reading: inputs, making: output ?? "package")
    access.list(".")  // to suggest content folders
    return access
  }

  func validate() throws {
    switch (folders.isEmpty, contents) {
    case (true, nil):
      throw ValidationError("give a content folder, or any folder with --contents\(Self.suggestion)")
    case (false, .some): throw ValidationError("give a content folder or --contents, not both")
    case (true, .some) where productId == nil || contentVersion == nil:
      throw ValidationError("--contents requires --product-id and --content-version")
    case (false, nil) where productId != nil || contentVersion != nil:
      throw ValidationError(
        "--product-id and --content-version require --contents, because a content folder has its own")
    default: break
    }
    try checkSeveral()
    if !PackageFolder.isFolderPath(output) { try PackageOutput.checkName(output) }
    try PackageOutput.check(output, report, isDryRun: dryRun)
  }

  /// Checks the options that require a single package.
  private func checkSeveral() throws {
    let inputs = InputPaths(folders)
    guard inputs.isList else { return }
    let count = Quantity.count(inputs.paths.count, "content folder")
    if against != nil { throw inputs.singleInputError(folders, for: "--against") }
    if let output, !PackageFolder.isFolderPath(output) {
      throw ValidationError(
        "--output is \(String(displaying: output.utf8)), expected a folder for the packages of \(count); end its name "
          + "with /")
    }
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    warnOfContentFolder(on: context.console)
    let inputs = InputPaths(folders)
    let sources = contents.map { [$0] } ?? inputs.paths
    // Two folders with the same product and version would write to the same file.
    try RepeatedProducts.check(sources, countingVersions: true)
    var findings: [Finding] = []
    var usage = SettingsUsage(isForList: inputs.isList)
    defer { if inputs.isList { usage.warn(report.text, on: context.console) } }
    if output == PackageOutput.standardOutput {
      let made = try make(sources[0], noting: &findings, &usage, context)
      let rendering = CreateRendering(made)
      report.render(rendering.document, besides: output, on: context.console) {
        TextLayout(for: .output).sentence(in: [rendering.line])
      }
      rules.noteUnused(findings, report.text, on: context.console)
      return .success
    }
    let folder = try PackageFolder(output, isDryRun: dryRun)
    defer { folder?.removeIfEmpty() }
    let status = try perform(onEach: sources, asList: inputs.isList, in: context) { source in
      let made = try make(source, in: folder, noting: &findings, &usage, context)
      let rendering = CreateRendering(made)
      return InputResult(
        rendering.document, of: made.info.productIdentifier, sentences: [rendering.line])
    }
    rules.noteUnused(findings, report.text, on: context.console)
    return status
  }

  /// Whether the folders are reported as a list, in which findings name their folder.
  private var isList: Bool { InputPaths(folders).isList }

  /// Creates one package, and reports its findings.
  private func make(
    _ folder: String, in target: PackageFolder? = nil, noting all: inout [Finding],
    _ usage: inout SettingsUsage,
    _ context: CommandContext
  ) throws -> MadePackage {
    let settings = try exclusion.settings(of: folder, isBare: contents != nil)
    let made = try progress.showing(report.text, in: context, limits: work.limits, jobs: work.jobs) {
      try make(folder, settings, in: target, context, $0) {
        usage.add(
          settings,
          compression.isLeftToSettings
            ? [.exclude, .ignore, .budget, .compression] : [.exclude, .ignore, .budget])
        // A pattern above several content folders may be meant for another of them.
        if !isList { usage.warn(report.text, on: context.console) }
      }
    }
    all += made.review.findings
    let owner = isList ? folder : nil
    report.render(made.findings.about(owner), showingAll: rules.all, on: context.console)
    made.suppressed.about(owner).warn(report, on: context.console)
    return made
  }

  /// Creates one package. Calls `beforeWriting` after every setting was applied to the accepted content.
  private func make(
    _ folder: String, _ settings: FolderSettings, in target: PackageFolder?, _ process: CommandContext,
    _ context: WorkContext, beforeWriting: () -> Void
  ) throws -> MadePackage {
    let choices = settings.choices(choosingCompression: compression.isLeftToSettings)
    let builder = PackageBuilder(
      compression: compression.defaultMethod, time: try RecordedTime.fromEnvironment(), context: context
    ).with(choices)
    // Opened before the folder, because opening the folder allocates memory for its names.
    let published = try against.map {
      if contents != nil { try CommandError.refuseStore($0) }
      let baseline =
        contents == nil ? try ProductInputs.baseline(of: folder, at: $0, context.cancellation) : $0
      return try PublishedContent(
        opening: baseline, excluding: exclusion.list, countingUpdate: choices.budget?.update != nil,
        cancellation: context.cancellation)
    }
    let source = try source(folder, choices, context.cancellation)
    var review = try builder.review(source)
    let compared = try published?.compare(with: review, by: builder)
    review.add(try builder.budgetFindings(of: review, since: compared?.changes))
    let findings =
      rules.unignored(review.findings, by: settings) + [compared?.finding].compactMap(\.self)
    guard !rules.reject(findings), let info = review.contentInfo else {
      throw CommandError(
        .invalid, "the content was not packed\(hint(findings))", path: folder, findings: findings)
    }
    for item in review.items where item.kind == .file { _ = choices.compression(item.path) }
    beforeWriting()
    let path = target?.path(of: info) ?? output ?? info.packageName
    let destination = try process.destination(of: path, replacing: replacing.force)
    let bytes = try builder.write(
      review.ignoringErrors(), to: target?.destination(destination, of: info) ?? destination, dryRun: dryRun)
    return MadePackage(
      path: path, info: info, review: review, findings: findings,
      suppressed: SuppressedErrors(review.findings, rules, by: [settings]),
      skippedSettings: settings.untrustedFiles,
      bytes: bytes)
  }

  private func source(
    _ folder: String, _ choices: FolderChoices, _ cancellation: Cancellation
  ) throws -> FolderSource {
    if let contents, let productId, let contentVersion {
      let info = ContentInfo(productIdentifier: productId, contentVersion: contentVersion)
      return try FolderSource.open(contents: contents, info, choices, cancellation: cancellation)
    }
    return try FolderSource.open(folder, choices, cancellation: cancellation)
  }
}
