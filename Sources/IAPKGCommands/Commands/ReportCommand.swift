import ArgumentParser
import ContentPackage
import SafeFiles
import Support

struct ReportCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make a page that shows what weighs in a package or content folder.",
    discussion: """
      The page is one HTML file with everything in it. It shows a treemap of the content, its largest files, its kinds \
      of files, content that stands twice, and all findings. With --against it also shows what an update downloads \
      again.

      The page is made in spite of findings: iapkg validate is what rejects a package.
      """)

  @Argument(help: "The package or content folder.", completion: .file())
  var path: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The page to make.", valueName: "file.html"), completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "Also show what changed since this package or content folder.", valueName: "published"),
    completion: .file())
  var against: String?

  @OptionGroup var replacing: ReplaceOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] {
    ([path] + [against].compactMap { $0 }).map { CommandInput($0, .package, .contentFolder) }
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let document = try progress.showing(report.text, in: context, limits: work.limits, jobs: work.jobs) {
      try make(in: $0)
    }
    report.render(document, on: context.console) {
      let sentence = "\(document.path): what weighs in \(String(displaying: path.utf8))"
      return TextLayout(for: .output).sentence(in: [sentence])
    }
    return .success
  }

  private func make(in context: WorkContext) throws -> PackageDocument {
    // Before the input is, since opening takes memory for its names.
    let published = try against.map {
      try OldContent(opening: $0, excluding: [], cancellation: context.cancellation)
    }
    let review = try PackageValidator(context: context).review(path, FolderChoices(of: path))
    let comparison = try published.map { try PackageComparison(of: $0, with: review, context: context) }
    let findings = rules.counted(review.findings) + [comparison?.finding].compactMap(\.self)
    let page = ContentPage(
      of: review, at: path, try ContentWeights(of: review, context: context), comparison, findings: findings)
    var file = try StagedOutput.create(at: output, replacing: replacing.force)
    try page.write { try file.write(unsafe Array($0.utf8).span.bytes) }  // any UInt8 is a byte
    try file.commit()
    var document = PackageDocument(
      command: Self.reportName, path: output, product: review.productIdentifier,
      version: review.contentVersion)
    document.entries = review.items.count
    document.archiveBytes = Nullable(wrappedValue: review.source.archiveBytes)
    document.contentBytes = review.contentBytes
    return document
  }
}
