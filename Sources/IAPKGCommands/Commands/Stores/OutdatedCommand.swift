import ArgumentParser
import ContentPackage
import Delivery
import Installation
import SafeFiles
import Support

struct OutdatedCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "outdated",
    abstract: "Show which installed products have a newer release, and the size of each update.",
    discussion: """
      The exit code is 0 if all products could be checked, whether they have a newer release or not; --exit-code makes it \
      1 or 2 if one has. A named product that is not installed is a missing input (66), and a store that cannot be read \
      has its own code, so neither looks like an update.

      An installed product whose folder is missing is shown too. iapkg update restores it, or exits with 1 if the \
      store offers no release that restores it.
      """)

  @Argument(
    help: ArgumentHelp("The products. The default is all fetched products.", valueName: "product-id"))
  var products: [ProductIdentifier] = []

  @Option(
    help: ArgumentHelp(
      "The store: a folder, s3://bucket/prefix, or the address of a web server. The default is the store of each product.",
      valueName: "store"))
  var from: String?

  @Flag(
    help: """
      Exit with 1 if any product has a newer release or lacks its folder, with 2 if a newer release is critical, and \
      with 66 if a product is not installed.
      """)
  var exitCode = false

  @OptionGroup var release: ReleaseOptions
  @OptionGroup var documents: DocumentsOptions
  @OptionGroup var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? {
    var access = ProcessAccess()
    access.documents(documents)
    access.read(release)
    if let from { access.read(store: from) } else { access.readOrigins(in: documents) }
    return access
  }

  /// Waits for a run that may record another store, such as the first fetch of a product.
  mutating func waitForAccess() {
    if from == nil { documents.waitForOthers() }
  }

  func validate() throws {
    try StoreAddress.check(from, of: "--from", with: release.credentials.isGiven)
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let outcomes = try progress.showing(report.text, in: context, jobs: threads.jobs) { work in
      let access = documents.access(context, isDurable: false, work)
      let fetching = FetchWork(
        context, release, into: access, rules: RuleOptions(), text: report.text, for: .survey)
      let products = try installed(in: access)
      if from == nil {
        try fetching.checkCredentials(for: products)
        try fetching.assignKeys(to: products)
      }
      return try products.map { try fetching.update($0, from: from) }
    }
    let rendering = OutdatedRendering(outcomes)
    let status = rendering.render(report, on: context.console)
    guard status == .success, exitCode, rendering.hasOutdated else { return status }
    return rendering.hasCritical ? .critical : .invalid
  }

  /// Returns the products to examine.
  ///
  /// - Throws: `CommandError` with `noInput` for a product that is not installed: code 1 would mean an update.
  private func installed(in access: DocumentsAccess) throws -> [ProductIdentifier] {
    do {
      return try ProductOrigin.products(products, in: access, includingOthers: from != nil)
    } catch let error as InstallationError {
      let described = CommandError(error)
      guard case .notInstalled = error else { throw described }
      throw CommandError(
        .noInput, "\(described.message), so it cannot be outdated; install it with iapkg fetch",
        path: described.path)
    }
  }
}
