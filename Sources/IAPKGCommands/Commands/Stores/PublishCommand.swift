import ArgumentParser
import ContentPackage
import Delivery
import SafeFiles
import Support

struct PublishCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Publish packages to a store: a folder or a bucket behind any web server.",
    discussion: """
      publish checks each package against every rule and uploads it with its index. All packages then enter the \
      catalog in one step. A published version never changes.
      """)

  @Argument(help: ArgumentHelp("The packages.", valueName: "package"))
  var packages: [String]

  @OptionGroup var target: StoreTargetOptions

  @OptionGroup var publication: PublicationOptions

  @OptionGroup var credentials: StoreCredentialOptions

  @Flag(help: "Publish a version below the highest one of its channel, to fix an older line.")
  var allowOlder = false

  @Flag(
    help: """
      Check everything, show what would be published, and change nothing. This needs no key, and the store may be a \
      web server.
      """)
  var dryRun = false

  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var settingsFolders: [String] { ["."] }
  var inputs: [CommandInput] { packages.map { CommandInput($0, .package) } }

  var showsAllFindings: Bool { rules.all }
  var isStrict: Bool { rules.strict }

  var access: ProcessAccess? {
    var access = ProcessAccess(reading: inputs)
    access.add(target.access())
    access.read(trust: nil, credentials)
    publication.notePaths.forEach { access.read($0) }
    return access
  }

  var interruption: String {
    "the store has its previous catalog or the new one, and the next run uses what was uploaded"
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let target = try target.target(isDryRun: dryRun)
    let attributes = try publication.attributes(rules, report.text, in: context)
    let channel = target.channel(publication.channel)
    let change = try target.change(
      context, headers: credentials.headers(context.cancellation), startingCatalog: publication.newCatalog)
    try target.checkCreation()
    // `ssh-keygen` can ask for a passphrase here, before progress is drawn on the terminal.
    if !dryRun { try change.checkWritable() }
    var findings: [Finding] = []
    var suppressed = SuppressedErrors()
    // Signing happens after progress ends, because `ssh-keygen` can ask for a passphrase on the terminal.
    let (publisher, publications) = try progress.showing(
      report.text, in: context, limits: work.limits, jobs: work.jobs
    ) { work in
      let publisher = Publisher(
        change,
        options: .init(channel: channel, attributes, allowsOlder: allowOlder),
        progress: work.progress)
      let prepared = try prepare(
        in: work, refusing: WithdrawnContent(of: change, in: channel, isDryRun: dryRun))
      let all = prepared.flatMap { $0.report.findings.about(owner($0.path)) }
      findings = rules.unignored(all)
      suppressed = SuppressedErrors(all, rules)
      let plan = try publisher.plan(prepared, isDryRun: dryRun)
      return (publisher, dryRun ? plan : try publisher.upload(plan))
    }
    report.render(findings, showingAll: rules.all, on: context.console)
    suppressed.warn(report, on: context.console)
    let committed = dryRun ? nil : try publisher.commit(publications)
    let rendering = PublishRendering(
      committed?.publications ?? publications, store: target.store, sequence: committed?.sequence,
      findings: findings, suppressed)
    report.render(rendering.document, on: context.console) { rendering.lines }
    for publication in publications where publication.keepsOtherProperties {
      report.text.warnOfKeptProperties(of: publication.path.text, on: context.console)
    }
    change.warn(report.text, on: context.console)
    return .success
  }

  /// Checks all packages, and throws one error for all that cannot be published.
  private func prepare(
    in context: WorkContext, refusing withdrawn: WithdrawnContent
  ) throws -> [PreparedPackage] {
    let validator = PackageValidator(context: context)
    var errors: [CommandError] = []
    let prepared = try packages.compactMap { path -> PreparedPackage? in
      do {
        try Self.refuseFolder(path)
        return try PreparedPackage(path, by: validator, refusing: withdrawn) { !rules.reject($0) }
      } catch let interruption as Interruption {
        throw interruption
      } catch {
        let error = CommandError(error, cancellation: context.cancellation, inputs: inputs)
        errors.append(owner(path).map(error.findings(about:)) ?? error)
        return nil
      }
    }
    if let error = CommandError(errors, cannotBe: "published") { throw error }
    return prepared
  }

  /// Returns the input that findings name; nil if there is only one.
  private func owner(_ package: String) -> String? { packages.count > 1 ? package : nil }

  /// Checks that an input is not a folder.
  ///
  /// - Throws: `CommandError` for a folder, which must be packed first.
  private static func refuseFolder(_ path: String) throws(CommandError) {
    guard (try? FileSystem.kind(of: path)) == .folder else { return }
    let name = String(displaying: path.utf8)
    throw CommandError(
      .noInput, "\(name) is a folder, expected a package; iapkg release packs and publishes content folders",
      path: path)
  }
}
