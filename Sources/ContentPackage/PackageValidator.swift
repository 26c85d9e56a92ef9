public import SafeFiles
import ZipArchive

/// Checks packages and content folders against every rule.
///
/// ```swift
/// let report = try PackageValidator().validate("Book.pkg")
/// for finding in report.findings { print(finding.severity, finding.message) }
/// ```
public struct PackageValidator: Sendable {
  package let limits: Limits
  package let jobs: Int
  package let cancellation: Cancellation
  package let progress: WorkProgress

  /// A validator for any number of inputs.
  ///
  /// - Parameters:
  ///   - limits: how large a package may be.
  ///   - jobs: how many threads read, at least 1; as many as there are processors if nil.
  ///   - cancellation: ends the work early.
  ///   - progress: counts the bytes that are checked.
  public init(
    limits: Limits = Limits(), jobs: Int? = nil, cancellation: Cancellation = Cancellation(),
    progress: WorkProgress = WorkProgress()
  ) {
    self.limits = limits
    self.jobs = WorkerPool.count(jobs)
    self.cancellation = cancellation
    self.progress = progress
  }

  /// Checks what lies at `path`; blocks until it is done.
  ///
  /// - Parameter path: a package or a content folder.
  /// - Returns: what it is, and all that was found.
  /// - Throws: `FileFailure` if it cannot be opened or read, `SourceChanged`, `Interruption`.
  public func validate(_ path: String) throws -> ValidationReport {
    progress.begin(.checking, path)
    let source = try PackageInput.open(path)
    var review = try ContentReview(of: source, limits: limits)
    let pass = ContentPass(
      jobs: jobs, cancellation: cancellation, progress: progress, spoolFolder: FileSystem.temporaryFolder)
    review.add(try pass.run(on: review, .checking, path))
    if source.kind == .package, !EntryPath(path).hasSuffix(PackageLayout.fileExtension) {
      review.add([
        Finding(
          .packageExtension,
          "the name is '\(String(displaying: FileSystem.name(of: path)))', expected one that ends in .pkg")
      ])
    }
    return ValidationReport(path: path, review: review)
  }
}

/// Opens what a path leads to.
package enum PackageInput {
  /// - Throws: `FileFailure` if there is nothing, or something that is neither file nor folder.
  package static func open(_ path: String) throws -> any ContentSource {
    switch try FileSystem.kind(of: path) {
    case .folder: try FolderSource.open(path)
    default: try PackageSource.open(path)
    }
  }
}

/// What `PackageValidator` says of one input.
public struct ValidationReport: Sendable {
  /// The input, as it was given.
  public let path: String
  /// What the input is.
  public let kind: ContentKind
  /// The product, if the manifest names one.
  public let productIdentifier: ProductIdentifier?
  /// The version, if the manifest names one.
  public let contentVersion: ContentVersion?
  /// Bytes of the package, or nil for a folder.
  public let archiveBytes: Int64?
  /// Bytes of all files and links, once unpacked.
  public let contentBytes: Int64
  /// How many files, folders and links there are.
  public let entries: Int
  /// All that was found, by path.
  public private(set) var findings: [Finding]

  /// Whether no finding is an error.
  public var isValid: Bool { findings.areAcceptable }

  init(path: String, review: ContentReview) {
    self.path = path
    kind = review.source.kind
    productIdentifier = review.productIdentifier
    contentVersion = review.contentVersion
    archiveBytes = review.source.archiveBytes
    contentBytes = review.contentBytes
    entries = review.items.count
    findings = review.findings
  }

  /// The same report with what something else found besides.
  package func adding(_ finding: Finding) -> ValidationReport {
    var report = self
    report.findings.append(finding)
    return report
  }
}
