import ArgumentParser
import ContentPackage
import Delivery
import SafeFiles
import Support

struct CatalogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalog", abstract: "Show, check, copy and clean up a store.",
    subcommands: [
      CatalogListCommand.self, CatalogVerifyCommand.self, CatalogPruneCommand.self, CatalogRenewCommand.self,
      CatalogCopyCommand.self,
    ],
    defaultSubcommand: CatalogListCommand.self)
}

struct CatalogListCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the products of a store, or the releases of one.",
    discussion: """
      The list of one product shows the notes of its releases, in the language of the user.

      With --html, the list becomes one self-contained page: products, releases over time, their sizes, the size of \
      an update from each release to the next, and withdrawn releases. The page does not name the store, so you can \
      publish it there.
      """)
  static let reportName = "catalog"

  @Argument(help: ArgumentHelp("The product. The default is all products.", valueName: "product-id"))
  var product: ProductIdentifier?

  @OptionGroup var source: StoreSourceOptions

  @Flag(help: "Make an HTML page, with --output.")
  var html = false

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The HTML file to write.", valueName: "file.html"),
    completion: .file())
  var output: String?

  @OptionGroup var replacing: ReplaceOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? {
    var access = source.access
    if let output { access.output(output) }
    return access
  }

  var protectedPaths: [String] {
    StoreLocation.documents(of: source.from)
      + [source.trust, source.credentials.tokenFile].compactMap(\.self)
  }
  var outputs: [String] { [output].compactMap(\.self) }

  func validate() throws {
    if html, output == nil { throw ValidationError("--html requires --output, the file to write") }
    if !html, output != nil { throw ValidationError("--output is for a page, and requires --html") }
    try PackageOutput.check(output, report, isDryRun: false)
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let (listing, notes) = try progress.showing(report.text, in: context) {
      let reader = try source.reader(context)
      let listing = try CatalogListing(of: reader, product: product)
      if let output {
        let page = CatalogPage(
          listing, try ReleaseHistory.histories(of: listing, by: reader, $0))
        try PageOutput.write(to: context.destination(of: output, replacing: replacing.force), page.write)
      }
      let showsNotes = product != nil && output == nil && report.reportFormat == .text
      return try (listing, showsNotes ? listing.notes(by: reader, for: LanguageTag.ofUser) : [:])
    }
    let rendering = CatalogRendering(listing, page: output, notes: notes, style: report.style(for: .output))
    if output == nil {
      report.render(rendering.document, on: context.console) { print in rendering.write(to: print) }
    } else {
      report.render(rendering.document, besides: output, on: context.console) { rendering.pageLines }
    }
    return .success
  }
}

struct CatalogVerifyCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check that a store holds everything that its catalog refers to.",
    discussion: """
      The exit code is 76 if an object is damaged or does not match its signature, the code of the error if an object cannot be \
      read, 69 if objects are only missing, as in an incomplete mirror, and 1 if the store is intact and the catalog has expired.
      """)
  static let reportName = "catalog verify"

  @OptionGroup var source: StoreSourceOptions

  @Flag(help: "Read every byte, not only sizes.")
  var deep = false

  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? { source.access }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let reader = try source.reader(context)
    let result = try progress.showing(report.text, in: context) {
      try StoreVerifier(reader, progress: $0.progress).verify(isDeep: deep)
    }
    let rendering = CatalogVerifyRendering(result, store: source.from)
    report.render(rendering.document, on: context.console) { rendering.lines }
    report.printErrors(rendering.problems, on: context.console)
    return rendering.status
  }
}

struct CatalogPruneCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Delete objects that the catalog does not refer to.",
    discussion: """
      Interrupted uploads leave such objects behind. With --keep, prune first removes old releases from the catalog. \
      A later run deletes their objects, because clients may still use the previous catalog. Removed versions stay \
      reserved: they cannot be published again with other content. If the release list of a product is missing or \
      damaged, prune deletes nothing of that product, and the exit code is 69 or 76.
      """)
  static let reportName = "catalog prune"
  @OptionGroup var target: StoreTargetOptions

  @Option(
    help: ArgumentHelp(
      "Keep the newest n releases of each product and channel, and remove the others from the catalog.",
      valueName: "n"))
  var keep: Int?

  @Option(
    help: ArgumentHelp(
      "Delete only what is older than this number of days, at least 1. Younger files may be uploads in progress.",
      valueName: "days"))
  var olderThan = StorePruner.graceDays

  @Flag(help: "Show what would be deleted, and change nothing.")
  var dryRun = false

  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? { target.access() }
  var settingsFolders: [String] { ["."] }

  func validate() throws {
    if let keep, keep < 1 { throw ValidationError("--keep is \(keep), expected at least 1") }
    guard (StorePruner.graceDays...StoreTargetOptions.maximumDays).contains(olderThan) else {
      throw ValidationError(
        "--older-than is \(olderThan), expected \(StorePruner.graceDays) to \(StoreTargetOptions.maximumDays) days"
      )
    }
  }

  var interruption: String { "the next run deletes the rest" }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let target = try target.target()
    let change = try target.change(context)
    let result = try StorePruner(change, keeping: keep, days: olderThan, isDryRun: dryRun).prune()
    let rendering = CatalogPruneRendering(result, store: target.store, isDryRun: dryRun)
    report.render(rendering.document, on: context.console) { rendering.lines }
    report.printErrors(rendering.problems, on: context.console)
    change.warn(report.text, on: context.console)
    return rendering.status
  }
}

extension ReportOptions {
  /// Prints the problems of a store, one sentence each.
  fileprivate func printErrors(_ problems: [String], on console: Console) {
    for problem in problems {
      let head = style(for: .error).error("error:") + " "
      TextLayout(for: .error).lines(after: head, width: 7, problem).forEach(console.note)
    }
  }
}
