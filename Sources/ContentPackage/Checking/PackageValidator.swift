import SafeFiles
package import Support
import ZipArchive

/// Checks packages and content folders against every rule.
///
/// ```swift
/// let report = try PackageValidator().validate("Book.pkg")
/// for finding in report.findings { print(finding.severity, finding.message) }
/// ```
public struct PackageValidator: Sendable {
  /// The limits, threads, cancellation and progress.
  package let context: WorkContext

  /// Creates a validator for any number of inputs.
  ///
  /// - Parameter context: The limits and threads. The progress counts the checked bytes.
  public init(context: WorkContext = WorkContext()) { self.context = context }

  /// Checks the package or content folder at `path`. Blocks until the check ends.
  ///
  /// - Parameter path: A package or a content folder.
  /// - Returns: The identity and all findings.
  /// - Throws: `FileError` if the input cannot be opened, `SourceError` if it cannot be read, `Interruption`.
  public func validate(_ path: String) throws -> ValidationReport {
    ValidationReport(path: path, review: try review(path))
  }

  /// Checks the package or content folder at `path`, and keeps it open for a comparison.
  ///
  /// - Throws: The same errors as `validate`.
  package func review(_ path: String, _ choices: FolderChoices = FolderChoices()) throws -> ContentReview {
    context.progress.begin(.checking, path)
    var review = try review(
      of: PackageInput.open(path, choices, reportingInstallers: true, cancellation: context.cancellation))
    review.add(Self.nameFindings(of: review.source, at: path))
    return review
  }

  /// Returns the finding for a package whose name does not end in `.pkg`; none for other inputs.
  package static func nameFindings(of source: any ContentSource, at path: String) -> [Finding] {
    guard source.kind == .package, !EntryPath(path).hasSuffix(PackageLayout.fileExtension) else { return [] }
    return [
      Finding(
        .packageExtension,
        "the name is '\(String(displaying: FileSystem.name(of: path)))', expected one that ends in .pkg")
    ]
  }

  /// Checks an open source, but not its name.
  ///
  /// - Parameters:
  ///   - source: A package or a content folder.
  ///   - makeReceiver: Creates the receiver of the files that one thread reads; nil for no receiver.
  /// - Returns: The findings, with the source still open.
  /// - Throws: The same errors as `validate`, and the errors of a receiver.
  package func review(
    of source: any ContentSource, makeReceiver: (@Sendable () throws -> any ContentReceiver)? = nil
  ) throws -> ContentReview {
    var review = try ContentReview(
      of: source, limits: context.limits, cancellation: context.cancellation)
    let pass = ContentScan(context, spoolFolder: FileSystem.temporaryFolder)
    review.add(try pass.run(on: review, .checking, source.path, makeReceiver: makeReceiver))
    return review
  }
}

/// Opens the package or content folder at a path.
package enum PackageInput {
  /// Opens a source. `reportingInstallers` has the same meaning as in `PackageSource.open`.
  ///
  /// - Throws: `FileError` if `path` is neither a file nor a folder, and the same errors as `PackageSource.open`.
  package static func open(
    _ path: String, _ choices: FolderChoices = FolderChoices(), reportingInstallers: Bool = false,
    cancellation: Cancellation
  ) throws -> any ContentSource {
    switch try FileSystem.kind(of: path) {
    case .folder: try FolderSource.open(path, choices, cancellation: cancellation)
    default:
      try PackageSource.open(path, reportingInstallers: reportingInstallers, cancellation: cancellation)
    }
  }
}

/// The report of `PackageValidator` on one input.
public struct ValidationReport: Sendable {
  /// The path of the input as given.
  public let path: String
  /// The kind of the input.
  public let kind: ContentKind
  /// The product, if the manifest has a valid one.
  public let productIdentifier: ProductIdentifier?
  /// The version, if the manifest has a valid one.
  public let contentVersion: ContentVersion?
  /// The size of the package in bytes; nil for a folder.
  public let archiveBytes: Int64?
  /// The unpacked size of all files and links in bytes.
  public let contentBytes: Int64
  /// The number of files, folders and links.
  public let entries: Int
  /// The items of a content folder that the user's settings exclude.
  public var excluded = ExcludedItems()
  /// All findings, sorted by path.
  public private(set) var findings: [Finding]

  /// Whether no finding is an error.
  public var isValid: Bool { findings.areAcceptable }

  /// Returns the report with an additional finding, in the order of reports.
  package func adding(_ finding: Finding) -> ValidationReport {
    var report = self
    report.findings = (findings + [finding]).inReportOrder
    return report
  }
}

extension ValidationReport {
  /// Creates the report on a folder of asset packs.
  package init(
    path: String, kind: ContentKind, archiveBytes: Int64?, contentBytes: Int64, entries: Int,
    findings: [Finding]
  ) {
    self.init(
      path: path, kind: kind, productIdentifier: nil, contentVersion: nil, archiveBytes: archiveBytes,
      contentBytes: contentBytes, entries: entries, findings: findings.inReportOrder)
  }

  /// Creates the report on a reviewed package or content folder.
  package init(path: String, review: ContentReview) {
    self.init(
      path: path, kind: review.source.kind, productIdentifier: review.productIdentifier,
      contentVersion: review.contentVersion, archiveBytes: review.source.archiveBytes,
      contentBytes: review.contentBytes, entries: review.items.count,
      excluded: review.source.excluded, findings: review.findings)
  }
}
