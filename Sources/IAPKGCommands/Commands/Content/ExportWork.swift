import ContentPackage
import Conversion
import SafeFiles
import Settings
import Support

/// The staging of the packages of an `export`.
struct ExportWork {
  /// The staged packs.
  struct StagedPacks {
    var packs: [AssetPackExporter.Pack] = []
    /// The findings that are not ignored.
    var findings: [Finding] = []
    var usage: SettingsUsage
  }

  private let command: ExportCommand
  private let paths: InputPaths
  private let context: WorkContext

  /// The folder of the asset packs.
  private let folder: String
  private let lock: AssetPackFolderLock

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
  /// - Throws: `CommandError` for two packages of one product, or for all packages that cannot be exported; the errors
  ///   of `AssetPackExporter.export` and `HostingWork.check`.
  func stage() throws -> StagedPacks {
    try ContentFolderCheck.check(folder)
    try StagedFolder.check(folder, replacing: command.packing.pack)
    try RepeatedProducts.check(paths.paths, countingVersions: false, advice: "give one of them") {
      try? ProductInputs.info(of: $0, context.cancellation)
    }
    let validator = PackageValidator(context: context)
    var staged = StagedPacks(usage: SettingsUsage(isForList: paths.isList))
    var errors: [CommandError] = []
    let contents = try paths.paths.compactMap { package -> AssetPackExporter.Content? in
      // Findings name their input if there are several inputs.
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
    if let error = CommandError(errors, cannotBe: "exported", leaving: "nothing was written") { throw error }
    let exporter = AssetPackExporter(command.exporter, context: context, lock: lock)
    staged.packs = try exporter.export(contents, to: nil)
    if command.packing.pack {
      // Without a dry run, `export` checks the folder once it holds the lock.
      if command.dryRun { try exporter.checkReplaceable(staged.packs, in: folder) }
      try check(staged.packs)
    }
    if command.hosting.downloadManifest {
      try HostingWork(command, context).check(Set(staged.packs.flatMap(\.platforms)))
    }
    if !command.dryRun { staged.packs = try exporter.export(contents, to: folder) }
    return staged
  }

  /// Checks the packs that the folder will have after staging.
  ///
  /// - Throws: `CommandError` for a project with an error; the errors of `AssetPackProject.read`.
  private func check(_ packs: [AssetPackExporter.Pack]) throws {
    guard try FileSystem.status(of: folder, followingLinks: true) != nil else { return }
    let project = try AssetPackProject.read(folder, mayBeEmpty: true, context.cancellation)
    try command.check(project.replacing(packs))
  }

  /// Checks a package or content folder.
  ///
  /// - Returns: Its accepted review, and its settings.
  /// - Throws: `CommandError` for content that is not valid; the errors of `FolderSettings.load` and
  ///   `PackageValidator.review`.
  private func content(
    of package: String, by validator: PackageValidator, _ staged: inout StagedPacks, about owner: String?
  ) throws -> AssetPackExporter.Content {
    let isFolder = (try? FileSystem.kind(of: package)) == .folder
    let settings = isFolder ? try command.exclusion.settings(of: package) : nil
    let review = try AssetPackCode.applyingRule(
      to: validator.review(package, settings?.choices() ?? FolderChoices()), context.cancellation)
    let findings = command.rules.unignored(review.findings, by: settings)
    guard !command.rules.reject(findings) else {
      throw CommandError(
        CommandError.status(of: findings), "\(package) is not valid, and was not exported", path: package,
        findings: findings)
    }
    staged.findings += findings.about(owner)
    if let settings { staged.usage.add(settings, [.exclude, .ignore]) }
    let keys = try (settings ?? FolderSettings.load(for: ".", isBare: true)).backgroundAssets?.value
    return AssetPackExporter.Content(review.ignoringErrors(), keys)
  }
}

extension ExportCommand {
  /// Checks a project before packing.
  ///
  /// - Throws: `CommandError` for a project with an error.
  func check(_ project: AssetPackProject) throws(CommandError) {
    let findings = rules.unignored(project.report(maximumPackCount: staging.maxPacks).findings)
    guard rules.reject(findings) else { return }
    throw CommandError(invalidPacks: project.path, findings.filter { rules.rejects($0.severity) })
  }

  fileprivate var exporter: AssetPackExporter.Options {
    var options = staging.exporter
    options.isUpdating = packing.pack
    options.replacesUnmanagedPacks = packing.force
    options.protectedInputs = packInputs
    return options
  }
}
