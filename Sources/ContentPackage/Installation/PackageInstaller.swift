import SafeFiles
package import ZipArchive

/// Installs a package into `Documents/<product-id>`: everything is checked while it is unpacked beside the
/// target, and only a whole, accepted tree is swapped in.
package struct PackageInstaller {
  package struct Options: Sendable {
    package let layout: InstallationLayout
    /// Install although the same version is there, or something that iapkg did not install.
    package let force: Bool
    package let allowDowngrade: Bool
    /// Whether backups are to leave the product out.
    package let excludesFromBackup: Bool

    package init(layout: InstallationLayout, force: Bool, allowDowngrade: Bool, excludesFromBackup: Bool) {
      self.layout = layout
      self.force = force
      self.allowDowngrade = allowDowngrade
      self.excludesFromBackup = excludesFromBackup
    }
  }

  package enum Outcome: Sendable, Equatable {
    case installed
    /// So many files and links were made anew.
    case repaired([EntryPath])
    /// The package was rejected: a finding is an error.
    case rejected
    /// This version is installed already.
    case upToDate
    /// This version is installed, but no longer as it was.
    case damaged(ProductInspection)
    /// A higher version is installed.
    case downgradeRefused
  }

  package struct Result: Sendable {
    package let outcome: Outcome
    package let report: ValidationReport
    /// The version that was installed before, if any.
    package let previousVersion: String?
    /// How many files and links the package installs.
    package let files: Int
    /// What an installation changes, where it was only rehearsed.
    package let changes: InstallationChanges?
  }

  package let limits: Limits
  package let jobs: Int
  package let options: Options
  let access: DocumentsAccess
  /// Whether a package with these findings may be installed.
  let accepts: @Sendable ([Finding]) -> Bool

  package init(
    limits: Limits, jobs: Int, options: Options, access: DocumentsAccess,
    accepts: @escaping @Sendable ([Finding]) -> Bool
  ) {
    self.limits = limits
    self.jobs = jobs
    self.options = options
    self.access = access
    self.accepts = accepts
  }

  /// Installs the package at `path`.
  ///
  /// - Throws: `FileFailure`, `DocumentsBusy`, `InstallationRefusal`, `RecordUnreadable`, `SourceChanged`,
  ///   `Interruption`; the product, and the folder, are then as they were before.
  package func install(_ path: String) throws -> Result {
    var review = try openReview(path)
    guard accepts(review.findings), let info = review.contentInfo else { return try rejected(path, &review) }
    let folder = try DocumentsFolder.open(access)
    do {
      let present = try present(info.productIdentifier, in: folder)
      let outcome = try decide(info, present) ?? put(info, &review, over: present, in: folder)
      folder.close()
      return result(outcome, path, review, present)
    } catch {
      folder.close()
      throw error
    }
  }

  /// Unpacks, and puts what was accepted in its place.
  func put(
    _ info: ContentInfo, _ review: inout ContentReview, over present: Present,
    in folder: borrowing DocumentsFolder
  ) throws -> Outcome {
    let plan = InstallationPlan(contentFolder: options.layout.contentFolder(info.contentVersion))
    guard let digest = try unpack(&review, plan, marked: options.excludesFromBackup, in: folder) else {
      return .rejected
    }
    let installation = Installation(
      contentVersion: info.contentVersion.text, layout: options.layout, packageSHA256: digest,
      isExcludedFromBackup: options.excludesFromBackup, items: plan.items)
    let before =
      switch present.kind {
      case nil: present.record?.previous
      case .folder: present.record?.installed
      default: Installation?.none  // somebody has put it in the place of what was installed
      }
    let record = InstallationRecord(info.productIdentifier, installed: installation, previous: before)
    do {
      try access.cancellation.check()
      try folder.replace(info.productIdentifier, from: .staging, with: record)
    } catch {
      try? folder.discardStaging()  // the first error is the one to tell
      throw error
    }
    return .installed
  }

  func openReview(_ path: String) throws -> ContentReview {
    access.progress.begin(.checking, path)
    return try ContentReview(of: PackageSource.open(path), limits: limits)
  }

  /// What is to be said of a package that is refused before anything was unpacked.
  func rejected(_ path: String, _ review: inout ContentReview) throws -> Result {
    access.progress.begin(.checking, path, totalBytes: SizeRules.contentBytes(of: review.files))
    review.add(try pass(review, spoolFolder: FileSystem.temporaryFolder).run(review.files))
    return result(.rejected, path, review, nil)
  }

  func pass(_ review: ContentReview, spoolFolder: String) -> ContentPass {
    ContentPass(
      source: review.source, jobs: jobs, cancellation: access.cancellation,
      progress: access.progress, spoolFolder: spoolFolder)
  }

  func result(
    _ outcome: Outcome, _ path: String, _ review: ContentReview, _ present: Present?,
    changes: InstallationChanges? = nil
  ) -> Result {
    Result(
      outcome: outcome, report: ValidationReport(path: path, review: review),
      previousVersion: present?.record?.installed?.contentVersion,
      files: review.items.count { $0.isContent && $0.kind != .folder }, changes: changes)
  }
}
