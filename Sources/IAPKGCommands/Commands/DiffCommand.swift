import ArgumentParser
import ContentPackage
import SafeFiles
import Support

struct DiffCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show what changed between two packages or content folders.",
    discussion: """
      The exit code is 1 if the content changed and ContentVersion was not raised. Devices that have the version \
      would keep the old content.
      """)

  @Argument(help: "The old package or content folder, as it was published.", completion: .file())
  var old: String

  @Argument(help: "The new package or content folder.", completion: .file())
  var new: String

  @OptionGroup var exclusion: ExclusionOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] { [old, new].map { CommandInput($0, .package, .contentFolder) } }

  var access: ProcessAccess? { ProcessAccess(reading: inputs) }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let comparison = try progress.showing(report.text, in: context) {
      try compare(in: $0)
    }
    let rendering = DiffRendering(comparison, style: report.style(for: .output))
    if let warning = rendering.warning, !report.quiet { report.text.warn(warning, on: context.console) }
    report.render(rendering.document, on: context.console) {
      rendering.write(TextLayout(for: .output), to: $0)
    }
    report.render(comparison.finding.map { [$0] } ?? [], on: context.console)
    return comparison.finding == nil ? .success : .invalid
  }

  /// Opens the old side first, since opening takes memory for its names.
  private func compare(in context: WorkContext) throws -> PackageComparison {
    let published = try OldContent(
      opening: old, excluding: exclusion.list, cancellation: context.cancellation)
    let review = try ContentReview(
      opening: new, FolderChoices(of: new, excluding: exclusion.list), for: .compare,
      cancellation: context.cancellation)
    return try PackageComparison(of: consume published, with: consume review, context: context)
  }
}
