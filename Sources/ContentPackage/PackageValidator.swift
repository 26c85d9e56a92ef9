package import SafeFiles
import ZipArchive

/// Checks a package or content folder against every rule.
package struct PackageValidator {
  package let limits: Limits
  package let jobs: Int
  package let cancellation: Cancellation
  package let progress: WorkProgress

  package init(
    limits: Limits, jobs: Int, cancellation: Cancellation, progress: WorkProgress = WorkProgress()
  ) {
    self.limits = limits
    self.jobs = jobs
    self.cancellation = cancellation
    self.progress = progress
  }

  /// - Throws: `FileFailure` if the input cannot be opened or read, `Interruption`.
  package func validate(_ path: String) throws -> ValidationReport {
    progress.begin(.checking, path)
    let source = try PackageInput.open(path)
    var review = try ContentReview(of: source, limits: limits)
    let pass = ContentPass(
      source: source, jobs: jobs, cancellation: cancellation, progress: progress,
      spoolFolder: FileSystem.temporaryFolder)
    progress.begin(.checking, path, totalBytes: SizeRules.contentBytes(of: review.files))
    review.add(try pass.run(review.files))
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
package struct ValidationReport: Sendable {
  package let path: String
  package let kind: ContentKind
  package let productIdentifier: ProductIdentifier?
  package let contentVersion: ContentVersion?
  package let archiveBytes: Int64?
  package let contentBytes: Int64
  package let entries: Int
  package private(set) var findings: [Finding]

  init(path: String, review: ContentReview) {
    self.path = path
    kind = review.source.kind
    productIdentifier = review.productIdentifier
    contentVersion = review.contentVersion
    archiveBytes = review.source.archiveBytes
    contentBytes = review.contentBytes
    entries = review.items.count
    findings = review.report
  }

  /// The same report with what something else found besides.
  package func adding(_ finding: Finding) -> ValidationReport {
    var report = self
    report.findings.append(finding)
    return report
  }
}
