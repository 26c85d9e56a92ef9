import ArgumentParser
import ContentPackage
import SafeFiles
import ZipArchive

struct CreateCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Make a package of a content folder.",
    discussion: """
      The folder holds ContentInfo.plist and Contents. With --contents, any folder becomes the content and \
      ContentInfo.plist is made from --product-id and --content-version.

      The same content gives the same bytes on every machine; SOURCE_DATE_EPOCH sets the time that is recorded.
      """)

  @Argument(help: "The content folder.")
  var folder: String?

  @Option(help: ArgumentHelp("A folder whose files become Contents.", valueName: "folder"))
  var contents: String?

  @Option(
    help: ArgumentHelp(
      "With --contents: the product identifier, up to 100 letters, digits, periods, hyphens, underscores.",
      valueName: "id"))
  var productId: ProductIdentifier?

  @Option(
    help: ArgumentHelp(
      "With --contents: the version of the content, integers separated by periods.", valueName: "version"))
  var contentVersion: ContentVersion?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The package to make; <product-id>-<version>.pkg here unless given.", valueName: "file"))
  var output: String?

  @Option(help: "What to deflate: auto stores what would not shrink, best tries hardest.")
  var compression: Compression = .auto

  @Option(
    help: ArgumentHelp(
      "Fail if the content differs from this package and its version is not above it.", valueName: "published"
    ))
  var against: String?

  @Flag(help: "Check everything and write nothing.")
  var dryRun = false

  @OptionGroup var replacing: ReplaceOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] {
    [folder].compactMap { $0 }.map { CommandInput($0, .contentFolder) }
      + [contents].compactMap { $0 }.map { CommandInput($0, .folder) }
      + [against].compactMap { $0 }.map { CommandInput($0, .package, .contentFolder) }
  }

  func validate() throws {
    switch (folder, contents) {
    case (nil, nil):
      throw ValidationError("name a content folder, or --contents with any folder\(Self.suggestion)")
    case (.some, .some): throw ValidationError("give a content folder or --contents, not both")
    case (nil, .some) where productId == nil || contentVersion == nil:
      throw ValidationError("--contents needs --product-id and --content-version")
    case (.some, nil) where productId != nil || contentVersion != nil:
      throw ValidationError(
        "--product-id and --content-version go with --contents; a content folder has its own")
    default: break
    }
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let made = try progress.showing(report.text, in: context) { try make(context.cancellation, $0) }
    report.render(made.findings, on: context.console)
    rules.noteUnused(made.review.findings, report.text, on: context.console)
    let document = document(made)
    report.render(document, on: context.console) { [summary(document.path, made)] }
    return .success
  }

  /// A package that was made, or could be.
  private struct Made {
    let path: String
    let info: ContentInfo
    let review: ContentReview
    let findings: [Finding]
    /// Bytes of the package; nil if it was not written.
    let bytes: Int64?
  }

  private func make(_ cancellation: Cancellation, _ progress: WorkProgress) throws -> Made {
    let builder = PackageBuilder(
      limits: work.limits, jobs: work.threads, compression: compression,
      time: try RecordedTime.fromEnvironment(), cancellation: cancellation, progress: progress)
    let review = try builder.review(try source())
    let findings = rules.counted(review.findings) + (try versionFindings(review, cancellation, progress))
    guard !rules.reject(findings), let info = review.contentInfo else {
      throw CommandFailure(
        .rejected, "the content cannot be packed as it is\(hint(findings))", path: folder ?? contents,
        findings: findings)
    }
    let path = output ?? "\(info.productIdentifier)-\(info.contentVersion)\(PackageLayout.fileExtension)"
    if dryRun { try StagedOutput.probe(at: path, replacing: replacing.force) }
    let bytes = dryRun ? nil : try builder.write(review, to: path, replacing: replacing.force)
    return Made(path: path, info: info, review: review, findings: findings, bytes: bytes)
  }

  /// What somebody may have meant who gave a folder that has nothing of a content folder.
  private func hint(_ findings: [Finding]) -> String {
    let absences: Set<Rule> = [.manifestMissing, .packageContentsMissing]
    guard folder != nil, absences.isSubset(of: findings.map(\.rule)) else { return "" }
    return "; to pack a folder of any files, give it with --contents"
  }

  /// The content folders that lie here and could have been meant.
  private static var suggestion: String {
    let names = try? DirectoryHandle.open(".").list().map { String(displaying: $0) }
    let folders = (["."] + (names ?? [])).filter { name in
      (try? FileSystem.kind(of: "\(name)/\(PackageLayout.manifest.escaped)")) == .file
    }
    return folders.isEmpty || folders.count > Suggestion.most
      ? "" : "; did you mean \(Suggestion.list(folders.map { "iapkg create \($0)" }))?"
  }

  /// What the comparison with the published package says.
  private func versionFindings(
    _ review: ContentReview, _ cancellation: Cancellation, _ progress: WorkProgress
  ) throws -> [Finding] {
    guard let against, review.contentInfo != nil else { return [] }
    let comparison = try PackageComparison(
      of: against, with: review.source, at: folder ?? contents ?? "", cancellation: cancellation,
      progress: progress)
    try PublishedPackage.check(comparison)
    return comparison.finding.map { [$0] } ?? []
  }

  private func source() throws -> FolderSource {
    if let contents, let productId, let contentVersion {
      let info = ContentInfo(productIdentifier: productId, contentVersion: contentVersion)
      return try FolderSource.open(contents: contents, info)
    }
    return try FolderSource.open(folder ?? ".")
  }

  private func document(_ made: Made) -> PackageDocument {
    var document = PackageDocument(
      command: Self.reportName, path: made.path, product: made.info.productIdentifier,
      version: made.info.contentVersion)
    document.entries = made.review.items.count
    document.archiveBytes = made.bytes
    document.contentBytes = made.review.contentBytes
    document.findings = made.findings.map(FindingDocument.init)
    return document
  }

  private func summary(_ path: String, _ made: Made) -> String {
    let (info, review) = (made.info, made.review)
    let content = "\(Quantity.entries(review.items.count)), \(Quantity.bytes(review.contentBytes))"
    let identity = "\(info.productIdentifier) \(info.contentVersion)"
    guard let bytes = made.bytes else { return "\(path): would hold \(identity), \(content)" }
    return "\(path): \(identity), \(content) in \(Quantity.bytes(bytes))"
  }
}
