import ContentPackage
import Conversion
import SafeFiles
import Settings
import Support

/// The staging of the packages of an `export`.
struct ExportWork {
  /// The staged packs.
  struct Staged {
    var packs: [AssetPackExporter.Pack] = []
    /// The findings that are not ignored.
    var findings: [Finding] = []
    var usage: SettingsUsage
  }

  private let command: ExportCommand
  private let paths: InputPaths
  private let context: WorkContext

  private let folder: String
  private let lock: AssetPackFolderLock

  /// `folder` is the folder of the asset packs.
  init(
    _ command: ExportCommand, _ paths: InputPaths, to folder: String, _ context: WorkContext,
    holding lock: AssetPackFolderLock
  ) {
    self.command = command
    self.paths = paths
    self.folder = folder
    self.context = context
    self.lock = lock
  }

  /// Checks all packages, and stages them if none has an error.
  ///
  /// - Throws: `CommandError` for two packages of one product, or for all packages that cannot be exported; the errors of `AssetPackExporter.export`.
  func stage() throws -> Staged {
    try ContentFolderCheck.check(folder)
    try StagedFolder.check(folder, replacing: command.packing.pack)
    try RepeatedProducts.check(paths.paths, countingVersions: false, advice: "give one of them") {
      try? ProductInputs.info(of: $0, context.cancellation)
    }
    let validator = PackageValidator(context: context)
    var staged = Staged(usage: SettingsUsage(isForList: paths.isList))
    var errors: [CommandError] = []
    let contents = try paths.paths.compactMap { package -> AssetPackExporter.Content? in
      // Findings name their input if there are several.
      let owner = paths.isList ? package : nil
      do {
        return try content(of: package, by: validator, &staged, about: owner)
      } catch {
        let error = CommandError(error, cancellation: context.cancellation, inputs: command.inputs)
        if error.status.isInterruption { throw error }
        errors.append(owner.map(error.findings(about:)) ?? error)
        return nil
      }
    }
    if let error = CommandError(errors, "exported", leaving: "nothing was written") { throw error }
    let exporter = AssetPackExporter(command.exporter, context: context, lock: lock)
    staged.packs = try exporter.export(contents, to: command.dryRun ? nil : folder)
    if command.dryRun, command.packing.pack { try exporter.checkReplaceable(staged.packs, in: folder) }
    return staged
  }

  /// Checks a package or content folder.
  ///
  /// - Returns: Its accepted review, and its settings.
  /// - Throws: `CommandError` for content that is not valid; the errors of `FolderSettings.load` and
  ///   `PackageValidator.review`.
  private func content(
    of package: String, by validator: PackageValidator, _ staged: inout Staged, about owner: String?
  ) throws -> AssetPackExporter.Content {
    let isFolder = (try? FileSystem.kind(of: package)) == .folder
    let settings = isFolder ? try command.exclusion.settings(of: package) : nil
    let review = try AssetPackCode.judged(
      validator.review(package, settings?.choices() ?? FolderChoices()), context.cancellation)
    let findings = command.rules.counted(review.findings, by: settings)
    guard !command.rules.reject(findings) else {
      throw CommandError(
        CommandError.status(of: findings), "\(package) is not valid, and was not exported", path: package,
        findings: findings)
    }
    staged.findings += findings.about(owner)
    if let settings { staged.usage.add(settings, [.exclude, .ignore]) }
    let keys = try (settings ?? FolderSettings.load(for: ".", isBare: true)).backgroundAssets?.value
    return AssetPackExporter.Content(review.accepted(), keys)
  }
}

extension ExportCommand {
  fileprivate var exporter: AssetPackExporter.Options {
    var options = staging.exporter
    options.isUpdating = packing.pack
    options.replacesForeignPacks = packing.force
    options.protectedInputs = packInputs
    return options
  }
}
