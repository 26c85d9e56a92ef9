import ArgumentParser
import ContentPackage
import Delivery
import Installation
import SafeFiles
import Support

struct FetchCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Install products from a store, and download only the missing bytes.",
    discussion: """
      fetch verifies the signature of the catalog, and the digests of the index and of every file. It copies files \
      that an installed version already has. Documents remembers the store and the key of its catalog, so that iapkg \
      update needs neither.
      """)

  @Argument(help: ArgumentHelp("The products.", valueName: "product-id"))
  var products: [ProductIdentifier]

  @Option(
    help: ArgumentHelp(
      "The store: a folder, s3://bucket/prefix, or the address of a web server.", valueName: "store"))
  var from: String

  @Option(help: ArgumentHelp("The version to install. The default is the newest.", valueName: "version"))
  var contentVersion: ContentVersion?

  @Option(
    help: ArgumentHelp(
      "The channel of the releases. The default is stable. A newer version of another channel stays installed.",
      valueName: "name"), transform: Channel.parse)
  var channel: Channel?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the package to this file, or with - to standard output, and install nothing.", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var release: ReleaseOptions
  @OptionGroup var documents: DocumentsOptions
  @OptionGroup var installation: InstallOptions

  @Flag(help: "Make missing parent folders of --into too.")
  var parents = false

  @Flag(help: "Show what would be downloaded, and change nothing.")
  var dryRun = false

  @OptionGroup var durability: DurabilityOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: TransferProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var showsAllFindings: Bool { rules.all }
  var protectedPaths: [String] {
    StoreLocation.documents(of: from)
      + [release.trust, release.trustOnly, release.credentials.tokenFile].compactMap(\.self)
  }
  var outputs: [String] { [output].compactMap(\.self) }

  var access: ProcessAccess? {
    var access = ProcessAccess(reading: [], making: output)
    access.read(store: from)
    access.read(release)
    if output == nil { access.documents(documents, installs: true) }
    return access
  }

  func validate() throws {
    try StoreAddress.check(from, of: "--from", with: release.credentials.isGiven)
    if contentVersion != nil, products.count > 1 {
      throw ValidationError("--content-version requires exactly one product")
    }
    guard let output else { return }
    if products.count > 1 { throw ValidationError("--output requires exactly one product") }
    if installation.choosesInstallation || parents || dryRun {
      throw ValidationError(
        "--output installs nothing, and cannot be combined with --layout, --keep, --allow-downgrade, "
          + "--exclude-from-backup, --parents or --dry-run")
    }
    try PackageOutput.check(output, report, isDryRun: false)
    try PackageOutput.checkName(output)
  }

  private var choice: ReleaseChoice {
    ReleaseChoice(contentVersion: contentVersion, channel: channel ?? .stable, appVersion: release.appVersion)
  }

  /// Downloads a release and writes its package to a file or standard output.
  private func download(_ product: ProductIdentifier, to output: String, _ context: CommandContext) throws {
    let named = try release.namedKeys(context.cancellation)
    let written = try progress.showing(report.text, in: context, limits: work.limits) { work, transfers in
      try PackageDownload(
        release.reader(of: from, report.text, context), trusting: named, progress: work.progress,
        transfers: transfers
      ).write(
        product, choice, allowsExpired: release.allowExpired,
        to: context.destination(of: output, replacing: installation.force))
    }
    let rendering = DownloadedPackage(product, written.version, written.byteCount, path: output)
    report.render(rendering.document, besides: output, on: context.console) { rendering.lines }
    if named == nil { reportSigner(written.signature, on: context.console) }
  }

  /// Reports the unverified signer of the catalog, and the warning about an unprotected store, on standard error.
  private func reportSigner(_ signature: CatalogSignature, on console: Console) {
    guard !report.quiet else { return }
    if !signature.keys.isEmpty {
      report.text.note(
        "the catalog is \(signature.text); name the publisher's key with --trust to verify it", on: console)
    }
    if let warning = signature.warning(from: from) { report.text.warn(warning, on: console) }
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    if let output, let product = products.first {
      try download(product, to: output, context)
      return .success
    }
    let outcomes = try progress.showing(
      report.text, in: context, limits: self.work.limits, jobs: self.work.jobs
    ) { work, transfers in
      let access = try documents.installationAccess(
        context, makesParents: parents, isDurable: !durability.noSync, work)
      let fetching = FetchWork(
        context, release, into: access, options: installation.options, rules: rules, text: report.text,
        for: dryRun ? .dryRun : .installation, transfers: transfers)
      transfers.add(products)
      let switchesChannel = channel != nil && contentVersion == nil
      return try fetching.each(products) {
        try fetching.fetch($0, from: from, choice, switchingChannel: switchesChannel)
      }
    }
    let rendering = FetchRendering(outcomes, command: Self.reportName, into: documents.into)
    return rendering.render(report, showingAll: rules.all, on: context.console)
  }
}
