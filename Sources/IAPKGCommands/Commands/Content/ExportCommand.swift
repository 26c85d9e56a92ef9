import ArgumentParser
import ContentPackage
import Conversion
import Delivery
import SafeFiles
import Settings
import Support

struct ExportCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Stage, pack and host content for Background Assets, Apple's successor to hosted content.",
    discussion: """
      Each package becomes a folder with Manifest.json and with the files in a folder named after the product, so \
      that the asset packs of an app do not collide. Apple's ba-package makes the archive, on a Mac or on Linux; the \
      report shows the command, and --pack runs it. background-assets in .iapkg.yml sets the other keys of the manifest.

      Hyphens replace the dots and underscores of a product in the ID of its asset pack. asset-packs.json keeps the \
      IDs and belongs in version control, because App Store Connect never accepts the ID of an archived pack again.

      Apple allows executables for CPUs and GPUs in asset packs, except those for macOS. Findings about other code \
      become notes.

      --download-manifest publishes the archives for a server of your own. With --verify it checks what was published, \
      and with --prune it deletes old archives.
      """)

  @Argument(
    help: ArgumentHelp(
      "The packages or content folders of one app, or folders that contain them.", valueName: "package"),
    completion: .file())
  var packages: [String] = []

  @Option(
    help: ArgumentHelp("The folder of the asset packs.", valueName: "folder"), completion: .directory)
  var backgroundAssets: String?

  @OptionGroup var staging: StagingOptions
  @OptionGroup var packing: PackingOptions
  @OptionGroup var hosting: HostingOptions
  @OptionGroup var credentials: StoreCredentialOptions

  @Flag(help: "Check everything, and write nothing.")
  var dryRun = false

  @OptionGroup var exclusion: ExclusionOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var showsAllFindings: Bool { rules.all }
  var isStrict: Bool { rules.strict }
  var inputs: [CommandInput] {
    packages.map { CommandInput($0, .package, .contentFolder) }
      + (packages.isEmpty ? [backgroundAssets].compactMap { $0 }.map { CommandInput($0, .folder) } : [])
  }
  var protectedPaths: [String] {
    let program = packing.pack ? try? AssetPacker.locate(packing.tool) : nil
    return (packages.isEmpty ? [] : inputPaths) + [program].compactMap(\.self)
      + FolderSettings.files(for: ".")
  }
  /// The paths that no pack and no archive may replace.
  var packInputs: ProtectedInputs { ProtectedInputs(protectedPaths + [staging.assetPacks]) }

  var interruption: String {
    if hosting.prune { return "the next run deletes the rest" }
    return packing.pack || hosting.downloadManifest
      ? "finished archives and uploads stay, the download manifest is the previous or the new one, and the next run "
        + "continues"
      : "nothing was changed"
  }

  var access: ProcessAccess? {
    // The files that Apple's program needs are unknown.
    guard !packing.pack else { return nil }
    var access = ProcessAccess(reading: inputs)
    access.readSettings(of: ".")
    if let backgroundAssets {
      access.makeFolder(backgroundAssets)
      AssetPackProject.sourceRoots(in: backgroundAssets).forEach { access.read($0) }
    }
    access.read(staging.assetPacks)
    access.make(staging.assetPacks)
    if let store = hosting.to {
      hosting.verify ? access.read(store: store) : access.change(store, signingWith: [])
      access.read(trust: nil, credentials)
    }
    if let file = hosting.infoPlist { access.make(file) }
    return access
  }

  var outputs: [String] {
    let store = hosting.verify ? nil : hosting.to.flatMap { StoreLocation.scheme(of: $0) == nil ? $0 : nil }
    return [
      packages.isEmpty ? nil : staging.assetPacks, packages.isEmpty ? nil : backgroundAssets, store,
      hosting.infoPlist,
    ]
    .compactMap(\.self)
  }

  func validate() throws {
    if packing.force, hosting.infoPlist == nil, !packing.pack {
      throw ValidationError("--force requires --pack or --info-plist")
    }
    if let task = hosting.storeTask {
      guard packages.isEmpty, backgroundAssets == nil, !packing.pack else {
        throw ValidationError(
          "\(task) is for published asset packs, and cannot be combined with packages, --background-assets or --pack"
        )
      }
      if dryRun, hosting.verify {
        throw ValidationError("--verify changes nothing, and cannot be combined with --dry-run")
      }
      if credentials.isGiven, !hosting.verify {
        throw ValidationError("--header and --token-file require --verify")
      }
      try checkStaging(allowingPlatforms: true)
      return
    }
    guard let backgroundAssets, !backgroundAssets.isEmpty else {
      throw ValidationError("--background-assets is missing, expected the folder of the asset packs")
    }
    if credentials.isGiven { throw ValidationError("--header and --token-file require --verify") }
    if packages.isEmpty, !packing.pack, !hosting.downloadManifest {
      throw ValidationError("give packages, or use --pack for the asset packs in the folder")
    }
    if packages.isEmpty { try checkStaging(allowingPlatforms: false) }
    let paths = paths
    if staging.assetPackId != nil, paths.isList {
      throw paths.singleInputError(packages, for: "--asset-pack-id")
    }
  }

  /// Checks that no given option needs packages.
  ///
  /// - Throws: `ValidationError` for an option that needs packages.
  private func checkStaging(allowingPlatforms: Bool) throws {
    let option =
      staging.givenOption(allowingPlatforms: allowingPlatforms)
      ?? (exclusion.patterns.isEmpty ? nil : "--exclude")
    if let option { throw ValidationError("\(option) is for staging, and requires packages") }
  }

  /// Returns the destination of `--info-plist`, which must not be a file that the command reads or publishes.
  private func infoPlistDestination(_ path: String, in context: CommandContext) throws -> OutputDestination {
    let folder = backgroundAssets ?? ""
    let hosted = AssetPlatform.allCases.map {
      FileSystem.joined(hosting.to ?? "", $0.rawValue.lowercased())
    }
    try ProtectedInputs(
      inputPaths + [folder, staging.assetPacks] + AssetPackProject.sourceRoots(in: folder) + hosted
    ).check(path)
    return try context.regularDestination(of: path, replacing: packing.force)
  }

  private var paths: InputPaths { InputPaths(packages, includingPackages: true) }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let folder = backgroundAssets ?? ""
    // A missing program is reported before any work, also by a dry run, which does not run it.
    let program = try packing.pack ? AssetPacker.locate(packing.tool) : packing.tool
    let infoPlist = try hosting.infoPlist.map { try infoPlistDestination($0, in: context) }
    // Nothing is published if the file cannot be written.
    if let infoPlist { try StagedOutput.create(at: infoPlist.dryRun).commit() }
    // One process at a time stages, packs and publishes the packs of a folder.
    let lock = AssetPackFolderLock()
    defer { withExtendedLifetime(lock) {} }
    let staged: ExportWork.StagedPacks? =
      try packages.isEmpty
      ? nil
      : progress.showing(report.text, in: context, limits: work.limits, jobs: work.jobs) {
        try ExportWork(self, paths, to: folder, $0, holding: lock).stage()
      }
    let findings = staged?.findings ?? []
    report.render(findings, showingAll: rules.all, on: context.console)
    staged?.usage.warn(report.text, on: context.console)
    var rendering = ExportRendering(staged?.packs ?? [], findings, at: folder, isDryRun: dryRun)
    try progress.showing(report.text, in: context, limits: work.limits, jobs: work.jobs) { work in
      // A dry run of staging leaves nothing to pack.
      let names = staged.map { Set($0.packs.map(\.identifier.text)) }
      if packing.pack, staged == nil || !dryRun {
        rendering.archives = try PackingWork(
          self, by: program, in: folder, only: names, work, holding: lock
        ).pack()
      }
      if hosting.verify {
        rendering.verified = try HostingWork(self, work).verify()
      } else if hosting.prune {
        rendering.pruned = try HostingWork(self, work).prune()
      } else if hosting.downloadManifest, staged == nil || !dryRun {
        rendering.hosted = try HostingWork(self, work).publish(folder, infoPlist: infoPlist)
      }
    }
    report.render(rendering.document, on: context.console) { rendering.lines }
    return rendering.status
  }
}
