import ArgumentParser
import ContentPackage
import Delivery
import SafeFiles
import Settings
import ZipArchive

struct ReleaseCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "release",
    abstract: "Publish all changed content folders in one change of the catalog.",
    discussion: """
      release compares each folder with the index of its newest release in the store; it downloads no package. It \
      skips unchanged folders. It checks a changed folder against every rule, packs it, and publishes it if its \
      version is above the newest release.

      A folder of content folders stands for its members. A folder that cannot be released does not stop the others.

      release keeps the digests of files in a folder .iapkg-cache beside the content folder, so that the next run \
      need not read unchanged files. You can delete it at any time. --strict ignores the cache.
      """)

  @Argument(
    help: ArgumentHelp("The content folders, or folders that hold content folders.", valueName: "folder"),
    completion: .directory)
  var folders: [String]

  @OptionGroup var target: StoreTargetOptions

  @Flag(
    help: """
      If the version of a changed folder is not above the newest release, raise the last number of the version in ContentInfo.plist.
      """)
  var bump = false

  @OptionGroup var publication: PublicationOptions

  @OptionGroup var credentials: StoreCredentialOptions

  @OptionGroup var compression: CompressionOptions

  @Flag(
    help: """
      Check everything, show what would be published, and change nothing. This needs no key, and the store may be a web \
      server.
      """)
  var dryRun = false

  @OptionGroup var exclusion: ExclusionOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: WorkflowReportOptions

  var inputs: [CommandInput] { folders.map { CommandInput($0, .contentFolder) } }
  var outputs: [String] { target.folders }
  var showsAllFindings: Bool { rules.all }
  var isStrict: Bool { rules.strict }

  var access: ProcessAccess? {
    var access = ProcessAccess(reading: inputs)
    let folders = InputPaths(folders).paths
    access.add(target.access(settingsOf: folders, exclusion))
    access.read(trust: nil, credentials)
    publication.notePaths.forEach { access.read($0) }
    for folder in folders {
      if bump { access.make(FileSystem.joined(folder, PackageLayout.manifest.escaped)) }
      if let cache = FolderReleaser.cacheFolder(of: folder) { access.keep(cache) }
    }
    return access
  }

  var interruption: String {
    "the store has its previous catalog or the new one, and the next run uses what was uploaded"
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let folders = InputPaths(folders)
    try RepeatedProducts.check(folders.paths)
    let settings = ReleaseSettings(of: folders.paths, exclusion)
    let target = try target.target(
      TargetSettings(of: settings.all, except: givenKeys), isDryRun: dryRun)
    let attributes = try publication.attributes(rules, report.text, in: context)
    try JobSummary.check(report, outside: target.store)
    let change = try target.change(
      context, headers: credentials.headers(context.cancellation), startingCatalog: publication.newCatalog)
    try target.checkCreation()
    // `ssh-keygen` can ask for a passphrase here, before progress is drawn on the terminal.
    if !dryRun { try change.checkWritable() }
    let options = FolderReleaser.Options(
      channel: target.channel(publication.channel), attributes, raisesVersions: bump,
      usesCache: !rules.strict,
      isDryRun: dryRun)
    let time = try RecordedTime.fromEnvironment()
    // Signing happens after progress ends, because `ssh-keygen` can ask for a passphrase on the terminal.
    var work = try progress.showing(
      report.text, in: context, limits: work.limits, jobs: work.jobs
    ) { work in
      let builder = PackageBuilder(compression: compression.defaultMethod, time: time, context: work)
      let releaser = try FolderReleaser(change, options: options, builder: builder)
      var releases = ReleaseWork(releaser, context, inputs: inputs)
      try releases.prepare(folders.paths, settings, rules, choosingCompression: compression.isLeftToSettings)
      return releases
    }
    if !dryRun { try work.finish(report.text) }
    settings.warn(report.text, isForList: folders.isList, on: context.console)
    if dryRun, !work.hasCatalog { noteMissingCatalog(of: target.store, on: context.console) }
    let rendering = ReleaseRendering(work, store: target.store, isDryRun: dryRun, rules: rules)
    for release in work.outcomes.compactMap(\.release) where release.keepsOtherProperties {
      report.text.warnOfKeptProperties(of: release.folder, on: context.console)
    }
    change.warn(report.text, on: context.console)
    return rendering.render(report, on: context.console)
  }

  /// Prints a note if a web server or bucket has no catalog, because its address may be wrong.
  private func noteMissingCatalog(of store: String, on console: Console) {
    guard !report.quiet, StoreLocation.scheme(of: store) != nil else { return }
    report.text.note(
      "\(DisplayedStore.name(store)) has no catalog.json, so every product is new; check the address if it should have "
        + "one", on: console)
  }

  /// The keys of the settings that the options override; in a dry run also `signWith`, because nothing is signed.
  private var givenKeys: Set<SettingsFile.Key> {
    target.givenKeys.union(publication.channel.map { _ in [.channel] } ?? [])
      .union(dryRun ? [.signWith] : [])
  }
}
