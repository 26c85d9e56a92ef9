import ArgumentParser
import ContentPackage
import SafeFiles
import Support
import ZipArchive

struct CreateCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Make a package from a content folder.",
    discussion: """
      A content folder has ContentInfo.plist and Contents. With --contents, any folder becomes the content, and \
      ContentInfo.plist is made from --product-id and --content-version.

      The folder is checked first, and no package is made if there is an error.

      The same content gives the same bytes on every machine. SOURCE_DATE_EPOCH sets the time that is recorded.
      """)

  @Argument(help: "The content folder.", completion: .directory)
  var folder: String?

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
      "The package to make, or - for standard output. The default is <product-id>-<version>.pkg in this folder.",
      valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: "Which files to deflate: auto stores those that would not become smaller, and best tries all.")
  var compression: Compression = .auto

  @Option(
    help: ArgumentHelp(
      "Report an error if the content differs from this package without a higher "
        + "version.", valueName: "published"
    ), completion: .file())
  var against: String?

  @Flag(help: "Check everything, and write nothing.")
  var dryRun = false

  @OptionGroup var replacing: ReplaceOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] {
    [folder].compactMap { $0 }.map { CommandInput($0, .contentFolder) }
      + [contents].compactMap { $0 }.map { CommandInput($0, .folder) }
      + [against].compactMap { $0 }.map { CommandInput($0, .package, .contentFolder) }
  }

  func validate() throws {
    switch (folder, contents) {
    case (nil, nil):
      throw ValidationError("give a content folder, or any folder with --contents\(Self.suggestion)")
    case (.some, .some): throw ValidationError("give a content folder or --contents, not both")
    case (nil, .some) where productId == nil || contentVersion == nil:
      throw ValidationError("--contents needs --product-id and --content-version")
    case (.some, nil) where productId != nil || contentVersion != nil:
      throw ValidationError(
        "--product-id and --content-version need --contents, because a content folder has its own")
    default: break
    }
    try PackageOutput.checkName(output)
    try PackageOutput.check(output, report, isRehearsal: dryRun)
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let made = try progress.showing(report.text, in: context, limits: work.limits, jobs: work.jobs) {
      try make(in: $0)
    }
    noteContentFolder(on: context.console)
    report.render(made.findings, on: context.console)
    rules.noteUnused(made.review.findings, report.text, on: context.console)
    let rendering = CreateRendering(made)
    report.render(rendering.document, besides: output, on: context.console) {
      TextLayout(for: .output).sentence(in: [rendering.line])
    }
    return .success
  }

  private func make(in context: WorkContext) throws -> MadePackage {
    let builder = PackageBuilder(
      compression: compression, time: try RecordedTime.fromEnvironment(), context: context)
    // Before the folder is, since opening takes memory for its names.
    let published = try against.map { try OldContent(opening: $0, cancellation: context.cancellation) }
    let source = try source(context.cancellation)
    if output != PackageOutput.standardOutput { try source.checkOutput(at: output ?? ".") }
    let review = try builder.review(source)
    let versionFinding = try published.flatMap {
      try PackageComparison.finding(for: review, against: $0, context: context)
    }
    let findings = rules.counted(review.findings) + [versionFinding].compactMap(\.self)
    guard !rules.reject(findings), let info = review.contentInfo else {
      throw CommandError(
        .invalid, "the content was not packed\(hint(findings))", path: folder ?? contents,
        findings: findings)
    }
    let path = output ?? info.packageName
    let place = OutputPlace(PackageOutput.target(path, replacing: replacing.force))
    if dryRun { try builder.rehearse(review, to: place) }
    let bytes = dryRun ? nil : try builder.write(review, to: place)
    return MadePackage(path: path, info: info, review: review, findings: findings, bytes: bytes)
  }

  private func source(_ cancellation: Cancellation) throws -> FolderSource {
    if let contents, let productId, let contentVersion {
      let info = ContentInfo(productIdentifier: productId, contentVersion: contentVersion)
      return try FolderSource.open(contents: contents, info, cancellation: cancellation)
    }
    return try FolderSource.open(folder ?? ".", cancellation: cancellation)
  }
}

/// What a user may have meant.
extension CreateCommand {
  /// Says of `--contents` that it was given a content folder.
  private func noteContentFolder(on console: Console) {
    guard let contents, !report.quiet, Self.isContentFolder(contents) else { return }
    let head = report.style(for: .error).warning("warning:") + " "
    let text =
      "\(String(displaying: contents.utf8)) has a \(PackageLayout.manifest.escaped) and "
      + "\(PackageLayout.contents.escaped) of its own, which lie in the package's content now; "
      + "to pack it as the content folder that it is, leave out --contents"
    TextLayout(for: .error).lines(after: head, width: 9, text).forEach(console.note)
  }

  /// The end of a message on a folder that has nothing of a content folder.
  private func hint(_ findings: [Finding]) -> String {
    let absences: Set<Rule> = [.manifestMissing, .packageContentsMissing]
    guard folder != nil, absences.isSubset(of: findings.map(\.rule)) else { return "" }
    return "; to pack any folder of files, use --contents"
  }

  /// The content folders in the current folder, as suggestions.
  private static var suggestion: String {
    let names = (try? DirectoryHandle.open(".").list()) ?? []
    var commands = names.map { String(displaying: $0) }.filter(hasManifest).map { "iapkg create \($0)" }
    // From within the folder the package must go elsewhere.
    if hasManifest(".") { commands.insert("iapkg create . --output ../Package.pkg", at: 0) }
    return commands.isEmpty || commands.count > Suggestion.most
      ? "" : "; did you mean \(Suggestion.list(commands))?"
  }

  private static func hasManifest(_ folder: String) -> Bool {
    (try? FileSystem.kind(of: "\(folder)/\(PackageLayout.manifest.escaped)")) == .file
  }

  private static func isContentFolder(_ folder: String) -> Bool {
    hasManifest(folder)
      && (try? FileSystem.kind(of: "\(folder)/\(PackageLayout.contents.escaped)")) == .folder
  }
}
