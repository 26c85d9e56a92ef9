import ArgumentParser
import ContentPackage
import Delivery
import SafeFiles
import Support

struct DiffCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show what changed between two packages or content folders.",
    discussion: """
      A folder of packages or content folders stands for its members; diff compares them product by product.

      The exit code is 1 if the content changed and ContentVersion was not raised: devices that have the version \
      would keep the old content.
      """)

  @Argument(
    help: "The old package or content folder, as it was published, or a folder that holds some.",
    completion: .file())
  var old: String

  @Argument(help: "The new package or content folder, or a folder that holds some.", completion: .file())
  var new: String

  @OptionGroup var exclusion: ExclusionOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] { [old, new].map { CommandInput($0, .package, .contentFolder) } }

  var access: ProcessAccess? { ProcessAccess(reading: inputs) }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let pairs = try ProductPairs(old, new, context.cancellation)
    if let pair = pairs.singlePair {
      let comparison = try progress.showing(report.text, in: context) {
        try compare(pair.old, pair.new, in: $0)
      }
      let rendering = DiffRendering(comparison, style: report.style(for: .output))
      if let warning = rendering.warning, !report.quiet { report.text.warn(warning, on: context.console) }
      report.render(rendering.document, on: context.console) {
        rendering.write(TextLayout(for: .output), to: $0)
      }
      report.render(rendering.findings, on: context.console)
      return rendering.findings.isEmpty ? .success : .invalid
    }
    var invalidCount = 0
    let status = try perform(
      onEach: pairs.pairs, asList: true, itemName: "product", in: context,
      counting: { invalidCount > 0 ? "\(invalidCount) not raised" : nil }
    ) { pair in
      let rendering = try progress.showing(report.text, in: context) { try self.rendering(of: pair, in: $0) }
      if !rendering.findings.isEmpty { invalidCount += 1 }
      report.render(rendering.findings.about("\(pair)"), on: context.console)
      return InputResult(rendering.document) { rendering.write(TextLayout(for: .output), to: $0) }
    }
    if !report.quiet { for note in pairs.notes { report.text.note(note, on: context.console) } }
    return status == .success && invalidCount > 0 ? .invalid : status
  }

  private func rendering(of pair: ProductPairs.Pair, in context: WorkContext) throws -> DiffRendering {
    let style = report.style(for: .output)
    switch pair {
    case .unreadable(let error): throw error
    case .both(let old, let new):
      return DiffRendering(try compare(old.path, new.path, in: context), style: style, listing: new.info)
    case .added(let new):
      let choices = try FolderChoices(of: new.path, excluding: exclusion.list)
      let review = try review(new.path, choices, in: context)
      let bytes = try ContentUpdate.bytes(
        ofFirst: review, by: PackageBuilder(context: context).with(choices))
      return DiffRendering(
        try ComparisonText(added: review, downloadBytes: bytes, cancellation: context.cancellation),
        style: style,
        listing: new.info)
    case .removed(let old):
      let review = try review(old.path, FolderChoices(of: old.path, excluding: exclusion.list), in: context)
      return DiffRendering(
        try ComparisonText(removed: review, cancellation: context.cancellation), style: style,
        listing: old.info)
    }
  }

  private func review(
    _ path: String, _ choices: FolderChoices, in context: WorkContext
  ) throws -> ContentReview {
    try ContentReview(opening: path, choices, for: .compare, cancellation: context.cancellation)
  }

  /// Compares two sides. Opens the old side first, because opening the new side allocates memory for its names.
  private func compare(_ old: String, _ new: String, in context: WorkContext) throws -> ComparisonText {
    let published = try UpdateBaseline(
      opening: old, FolderChoices(of: old, excluding: exclusion.list), cancellation: context.cancellation)
    guard published.content.side.isIdentified else { throw CommandError.unidentified(old) }
    let choices = try FolderChoices(of: new, excluding: exclusion.list)
    let review = try review(new, choices, in: context)
    let update = try ContentUpdate(
      of: consume published, to: consume review, by: PackageBuilder(context: context).with(choices))
    guard update.differences.new.isIdentified else { throw CommandError.unidentified(new) }
    return try ComparisonText(consume update)
  }
}
