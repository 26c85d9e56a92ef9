import ArgumentParser
import ContentPackage
import SafeFiles
import Support
import ZipArchive

struct BumpCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "bump", abstract: "Raise ContentVersion in packages, content folders or manifests.",
    discussion: """
      Without an option, bump raises the last number: 1.9 becomes 1.10. It changes only the version, and keeps every \
      other byte of an XML manifest. It copies the other entries of a package and does not check them.
      """)

  @Argument(
    help: ArgumentHelp(
      "The packages, content folders, folders that hold content folders, or ContentInfo.plist files to change.",
      valueName: "path"),
    completion: .file())
  var paths: [String]

  @Flag(help: "Raise the first number: 1.9.3 becomes 2.0.0.")
  var major = false

  @Flag(help: "Raise the second number: 1.9.3 becomes 1.10.0.")
  var minor = false

  @Flag(help: "Raise the third number: 1.9.3 becomes 1.9.4, and 2.0 becomes 2.0.1.")
  var patch = false

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp(
      "Set this version: integers separated by periods. Without --force it must be higher.",
      valueName: "version"))
  var version: ContentVersion?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      """
      Write the result to this file, or to standard output for -, instead of changing the input. For a content folder, \
      the result is its manifest.
      """,
      valueName: "file"), completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Raise the version above that of this package, if the content differs and the version is not yet higher.",
      valueName: "published"), completion: .file())
  var ifChangedFrom: String?

  @Flag(help: "Show what would change, and write nothing.")
  var dryRun = false

  @Flag(help: "Replace an existing output, and allow --to to set a version that is not higher.")
  var force = false

  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] {
    paths.map { CommandInput($0, .package, .contentFolder, .manifest) }
      + [ifChangedFrom].compactMap { $0 }.map { CommandInput($0, .package, .contentFolder) }
  }

  var access: ProcessAccess? {
    var access = ProcessAccess(reading: inputs, making: output)
    guard output == nil else { return access }
    for path in InputPaths(paths).paths { access.make(Self.editedFile(of: path)) }
    return access
  }

  /// Returns the file that changes: a package, or the manifest of a content folder.
  private static func editedFile(of path: String) -> String {
    let isFolder = (try? FileSystem.kind(of: path)) == .folder
    return isFolder ? FileSystem.joined(path, PackageLayout.manifest.escaped) : path
  }

  /// Checks that no file is given twice, because its version would be raised twice. Missing files are reported later.
  private static func checkRepeats(_ paths: [String]) throws(CommandError) {
    var known: [String: String] = [:]
    for path in paths {
      guard let file = try? FileSystem.resolved(editedFile(of: path)),
        let other = known.updateValue(path, forKey: file)
      else { continue }
      let names = [other, path].map { String(displaying: $0.utf8) }.joined(separator: " and ")
      throw CommandError(
        .usage, "\(names) are the same file, whose version would be raised twice; give only one of them")
    }
  }

  var outputs: [String] { [output].compactMap(\.self) }
  var pastParticiple: String? { dryRun ? nil : "raised" }

  func validate() throws {
    let choiceCount = [major, minor, patch, version != nil].count { $0 }
    if choiceCount > 1 { throw ValidationError("give only one of --major, --minor, --patch and --to") }
    let inputs = InputPaths(paths)
    if inputs.isList, ifChangedFrom != nil || output != nil {
      throw inputs.singleInputError(paths, for: output != nil ? "--output" : "--if-changed-from")
    }
    if ifChangedFrom != nil, version != nil || output != nil {
      throw ValidationError(
        "--if-changed-from cannot be combined with --to or --output")
    }
    try PackageOutput.check(output, report, isDryRun: dryRun)
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    if let output {
      let (rendering, _) = try bump(paths[0], context)
      report.render(rendering.document, besides: output, on: context.console) {
        TextLayout(for: .output).sentence(in: [rendering.line])
      }
      return .success
    }
    let inputs = InputPaths(paths)
    try Self.checkRepeats(inputs.paths)
    var edits: [Edit] = []
    let status = try perform(onEach: inputs.paths, asList: inputs.isList, in: context) { path in
      let (rendering, edit) = try bump(path, context)
      if let edit { edits.append(edit) }
      return InputResult(rendering.document, of: rendering.product, sentences: [rendering.line])
    }
    guard !context.console.flush() else { return status }
    undo(edits, on: context.console)
    return .inputOutput
  }

  /// A raised version, and the previous file, if it can be restored.
  private struct Edit {
    let path: String
    let previous: ReplacedFile?
  }

  /// Restores the previous files, because a caller without the report would raise the versions again.
  private func undo(_ edits: [Edit], on console: Console) {
    for edit in edits.reversed() {
      let isRestored = (try? edit.previous?.restore()) == true
      report.text.note(
        "\(String(displaying: edit.path.utf8)) "
          + (isRestored
            ? "has its previous version again, so try again" : "stays raised; do not raise it again"),
        on: console)
    }
  }

  /// Raises the version of one input.
  ///
  /// - Returns: The report, and the edit; nil if nothing was written.
  private func bump(_ path: String, _ context: CommandContext) throws -> (BumpRendering, Edit?) {
    let opened = try PackageEditor.Input.openFile(path, locking: output == nil && !dryRun)
    if opened.isPackage {
      try PackageOutput.checkName(output)
    } else if let output, EntryPath(output).hasSuffix(PackageLayout.fileExtension) {
      throw ValidationError(
        "--output is \(String(displaying: output.utf8)), expected a manifest, which is what changes in a content folder; "
          + "iapkg create makes packages")
    }
    // Invalid settings stop every command on a content folder.
    let choices = try FolderChoices(of: path)
    return try progress.showing(report.text, in: context) { work in
      // Opened before the input, because reading the input allocates memory for its names.
      var published = try ifChangedFrom.map {
        try Baseline(
          opening: ProductInputs.baseline(of: path, at: $0, work.cancellation), excluding: [],
          cancellation: work.cancellation)
      }
      let input = try opened.input()
      let check = try published.take().map {
        let review = try input.review(choices, cancellation: work.cancellation)
        return try VersionCheck(of: $0, on: review, context: work)
      }
      do {
        guard let change = try change(for: check) else {
          return (BumpRendering(unchanged: check, at: path), nil)
        }
        let editor = PackageEditor(change, time: try RecordedTime.fromEnvironment(), context: work)
        let result = try editor.edit(input, into: destination, dryRun: dryRun)
        return (
          BumpRendering(result, at: output ?? path, isDryRun: dryRun),
          dryRun ? nil : Edit(path: path, previous: result.replaced)
        )
      } catch let error as PackageEditor.EditingError {
        throw CommandError(error, of: path)
      }
    }
  }

  private var destination: PackageEditor.Destination {
    output.map { .output(PackageOutput.target($0, replacing: force)) } ?? .input
  }

  /// Returns the change to make; nil if the version can stay.
  private func change(for check: VersionCheck?) throws -> PackageEditor.Change? {
    if let check {
      return try check.requiredVersion(raising: part).map { .set($0, force: true) }
    }
    return version.map { .set($0, force: force) } ?? .raise(part)
  }

  private var part: ContentVersion.Part { major ? .major : minor ? .minor : patch ? .patch : .last }
}
