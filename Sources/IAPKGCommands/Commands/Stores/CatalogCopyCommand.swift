import ArgumentParser
import Delivery
import SafeFiles

struct CatalogCopyCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Copy a store, keeping the copy consistent for its readers.",
    discussion: """
      copy first copies the objects that the copy lacks, and verifies the digest of each. It copies the signed catalog \
      last, so it needs no key. An interrupted copy resumes on the next run. In a folder it also resumes within an object, \
      but not in a bucket. copy compares the size of present objects, and with --deep every byte. copy never replaces a \
      catalog with one that has a lower sequence number. Only with --replace does it replace a catalog that has products, \
      releases or withdrawals that the source lacks.
      """)
  static let reportName = "catalog copy"

  @OptionGroup var source: StoreSourceOptions

  @Option(help: ArgumentHelp("The copy: a folder, or s3://bucket/prefix.", valueName: "store"))
  var to: String

  @Flag(help: "Replace a catalog that another key signed, and with --deep a damaged one.")
  var newKey = false

  @Flag(help: "Replace a catalog that has products, releases or withdrawals that the source lacks.")
  var replace = false

  @Flag(
    help: "Copy to a bucket that ignores conditional writes. No other process may change it meanwhile.")
  var singlePublisher = false

  @Flag(
    help: """
      Read every byte of the objects in the copy, and replace damaged ones. A damaged catalog is replaced only with --trust \
      or --new-key.
      """)
  var deep = false

  @Flag(help: "Show what would be copied, and change nothing.")
  var dryRun = false

  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? {
    var access = source.access
    access.change(to, signingWith: [])
    return access
  }

  var interruption: String {
    "the copy has its previous catalog or the new one, and the next run continues from what was copied"
  }

  func validate() throws {
    try StoreAddress.check(to, of: "--to")
    try StoreTargetOptions.check(to)
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    try ContentFolderCheck.check(to)
    try StoreLocation.checkCreation(of: to)
    let reader = try source.reader(context)
    let copy = try StoreLocation.open(
      to, isSinglePublisher: singlePublisher, cancellation: context.cancellation)
    let result = try progress.showing(report.text, in: context) {
      try StoreCopier(
        from: reader, to: copy, allowsNewKey: newKey, allowsLoss: replace, isDryRun: dryRun, isDeep: deep,
        $0
      ).copy()
    }
    let rendering = CatalogCopyRendering(result, from: source.from, to: to, isDryRun: dryRun)
    report.render(rendering.document, on: context.console) { rendering.lines }
    if let problem = rendering.problem { report.text.warn(problem, on: context.console) }
    return .success
  }
}
