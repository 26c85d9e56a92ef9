import ArgumentParser
import ContentPackage
import SafeFiles

struct BumpCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "bump", abstract: "Raise ContentVersion in a package, a content folder or a manifest.",
    discussion: """
      Without a flag the last part is raised: 1.9 becomes 1.10. Only the version changes; every other byte of \
      the manifest stays, and a package's other entries are copied as they are.
      """)

  @Argument(help: "A package, a content folder, or a ContentInfo.plist.")
  var path: String

  @Flag(help: "Raise the first part: 1.9.3 becomes 2.0.0.")
  var major = false

  @Flag(help: "Raise the second part: 1.9.3 becomes 1.10.0.")
  var minor = false

  @Flag(help: "Raise the third part: 1.9.3 becomes 1.9.4, 2.0 becomes 2.0.1.")
  var patch = false

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp(
      "Set this version, integers separated by periods; it must be higher unless --force is given.",
      valueName: "version"))
  var version: ContentVersion?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the result there and leave the input as it is; of a content folder, only the manifest.",
      valueName: "file"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Raise the version above that of this package, and only if the content differs and it is not above already.",
      valueName: "published"))
  var ifChangedFrom: String?

  @Flag(help: "Say what would change and write nothing.")
  var dryRun = false

  @Flag(help: "Replace an output that exists, and let --to set a version that is not higher.")
  var force = false

  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] {
    [CommandInput(path, .package, .contentFolder, .manifest)]
      + [ifChangedFrom].compactMap { $0 }.map { CommandInput($0, .package, .contentFolder) }
  }

  func validate() throws {
    let ways = [major, minor, patch, version != nil].count { $0 }
    if ways > 1 { throw ValidationError("give only one of --major, --minor, --patch and --to") }
    if ifChangedFrom != nil, version != nil || output != nil {
      throw ValidationError(
        "--if-changed-from chooses the version and edits in place; leave out --to and --output")
    }
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let input = try PackageEditor.Input(path)
    var change = change
    if let ifChangedFrom {
      let comparison = try progress.showing(report.text, in: context) {
        try PackageComparison(
          of: ifChangedFrom, with: path, cancellation: context.cancellation, progress: $0)
      }
      guard let next = try PublishedPackage.version(above: comparison, raising: part) else {
        return try renderUnchanged(comparison, context)
      }
      change = .set(next, force: true)
    }
    let destination = PackageEditor.Destination(
      path: output ?? input.path, replacing: output == nil || force)
    let result = try progress.showing(report.text, in: context) {
      let editor = PackageEditor(
        change, time: try RecordedTime.fromEnvironment(), cancellation: context.cancellation, progress: $0)
      return try editor.edit(input, into: dryRun ? nil : destination)
    }
    if dryRun { try StagedOutput.probe(at: destination.path, replacing: destination.replacing) }
    let document = document(result)
    report.render(document, on: context.console) {
      let versions = "\(result.previousVersion) -> \(result.contentInfo.contentVersion)"
      let end = dryRun ? ", not written" : ""
      return ["\(document.path): \(result.contentInfo.productIdentifier) \(versions)\(end)"]
    }
    return .success
  }

  private func document(_ result: PackageEditor.Result) -> BumpDocument {
    BumpDocument(
      path: String(displaying: (output ?? path).utf8),
      productIdentifier: result.contentInfo.productIdentifier.text,
      contentVersion: result.contentInfo.contentVersion.text, previousVersion: result.previousVersion.text,
      entries: Nullable(wrappedValue: result.package?.entries),
      archiveBytes: Nullable(wrappedValue: result.package?.archiveBytes),
      contentBytes: Nullable(wrappedValue: result.package?.contentBytes))
  }

  private var change: PackageEditor.Change {
    if let version { return .set(version, force: force) }
    return .raise(part)
  }

  private var part: ContentVersion.Part { major ? .major : minor ? .minor : patch ? .patch : .last }

  /// Says that nothing had to be done.
  private func renderUnchanged(
    _ comparison: PackageComparison, _ context: CommandContext
  ) throws -> ExitStatus {
    let (product, version) = (
      comparison.new.productIdentifier?.text ?? "", comparison.new.contentVersion?.text ?? ""
    )
    let document = BumpDocument(
      path: String(displaying: path.utf8), productIdentifier: product, contentVersion: version,
      previousVersion: version, entries: Nullable(), archiveBytes: Nullable(), contentBytes: Nullable())
    report.render(document, on: context.console) {
      let reason = comparison.isChanged ? "is above the published version" : "has the published content"
      return ["\(document.path): \(product) \(version) \(reason), not changed"]
    }
    return .success
  }
}
