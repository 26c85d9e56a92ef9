import SafeFiles
public import ZipArchive

/// Installs a package into `Documents/<product-id>`: everything is checked while it is unpacked beside the
/// target, and only a whole, accepted tree is swapped in.
///
/// ```swift
/// let installer = PackageInstaller(access: DocumentsAccess(path: "Documents"))
/// let result = try installer.install("Book.pkg")
/// if result.outcome == .installed { print(result.files) }
/// ```
///
/// At every instant the product is the old version or the new one. Once `install` has returned, the new one is on
/// stable storage, unless the access says otherwise.
public struct PackageInstaller: Sendable {
  /// What is wished of an installation.
  public struct Options: Sendable {
    /// How the content lies in the product's folder; nil for as it does now, or flat.
    public let layout: InstallationLayout?
    /// Whether to install although the same version is there, or something that iapkg did not install.
    public let force: Bool
    /// Whether to install although a higher version is there.
    public let allowDowngrade: Bool
    /// Whether backups are to leave the product out; they do in any case if they did before.
    public let excludesFromBackup: Bool

    /// The usual wishes, and others.
    public init(
      layout: InstallationLayout? = nil, force: Bool = false, allowDowngrade: Bool = false,
      excludesFromBackup: Bool = false
    ) {
      self.layout = layout
      self.force = force
      self.allowDowngrade = allowDowngrade
      self.excludesFromBackup = excludesFromBackup
    }
  }

  /// What became of a package.
  public enum Outcome: Sendable, Equatable {
    /// It is installed.
    case installed
    /// These files, folders and links of it were made anew.
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

  /// What became of a package, and what was found in it.
  public struct Result: Sendable {
    /// What became of it.
    public let outcome: Outcome
    /// What the rules say of it.
    public let report: ValidationReport
    /// The version that was installed before, if any.
    public let previousVersion: String?
    /// How many files and links the package installs.
    public let files: Int
    /// What an installation changes, where it was only rehearsed.
    public let changes: InstallationChanges?
    /// What was in the product's folder and no longer as it had been installed, by kind and size: an installation
    /// keeps it in the version before until the next change.
    public let replacedModified: [EntryPath]
  }

  package let limits: Limits
  package let jobs: Int
  package let options: Options
  let access: DocumentsAccess
  /// Whether a package with these findings may be installed.
  let accepts: @Sendable ([Finding]) -> Bool

  /// An installer for any number of packages.
  ///
  /// - Parameters:
  ///   - limits: how large a package may be.
  ///   - jobs: how many threads check and unpack, at least 1; as many as there are processors if nil.
  ///   - options: what is wished.
  ///   - access: where to, and how.
  ///   - accepts: whether a package with these findings may be installed. One with an error never should.
  public init(
    limits: Limits = Limits(), jobs: Int? = nil, options: Options = Options(), access: DocumentsAccess,
    accepts: @escaping @Sendable ([Finding]) -> Bool = { $0.areAcceptable }
  ) {
    self.limits = limits
    self.jobs = WorkerPool.count(jobs)
    self.options = options
    self.access = access
    self.accepts = accepts
  }

  /// Installs the package at `path`; blocks until it is done.
  ///
  /// - Parameter path: the package.
  /// - Returns: what became of it; a package that is not acceptable is an outcome and no error.
  /// - Throws: `FileFailure`, `DocumentsBusy`, `InstallationRefusal`, `RecordUnreadable`, `SourceChanged`,
  ///   `Interruption`; the product, and the folder, are then as they were before.
  public func install(_ path: String) throws -> Result {
    var review = try openReview(path)
    guard accepts(review.findings), let info = review.contentInfo else { return try rejected(path, &review) }
    let folder = try DocumentsFolder.open(access)
    do {
      let present = try present(info.productIdentifier, in: folder)
      // All else of the record is not needed beyond the next line.
      let (version, modified) = (present.version, present.modified)
      let outcome =
        try decide(info, present, in: folder)
        ?? put(
          info, &review, as: form(over: present.record?.installed), over: present.replaced, in: folder)
      folder.close()
      return result(outcome, path, review, previousVersion: version, replacing: modified)
    } catch {
      folder.close()
      throw error
    }
  }

  /// Unpacks, and puts what was accepted in its place; what was there becomes the version `before`.
  func put(
    _ info: ContentInfo, _ review: inout ContentReview, as form: Form, over before: Installation?,
    in folder: borrowing DocumentsFolder
  ) throws -> Outcome {
    let plan = InstallationPlan(contentFolder: form.layout.contentFolder(info.contentVersion))
    guard try unpack(&review, plan, marked: form.isExcludedFromBackup, in: folder) else {
      return .rejected
    }
    let installation = Installation(
      contentVersion: info.contentVersion.text, layout: form.layout,
      isExcludedFromBackup: form.isExcludedFromBackup, items: plan.takeItems())
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
    review.add(try pass(spoolFolder: FileSystem.temporaryFolder).run(on: review, .checking, path))
    return result(.rejected, path, review, previousVersion: nil)
  }

  func pass(spoolFolder: String) -> ContentPass {
    ContentPass(
      jobs: jobs, cancellation: access.cancellation, progress: access.progress, spoolFolder: spoolFolder)
  }

  func result(
    _ outcome: Outcome, _ path: String, _ review: ContentReview, previousVersion: String?,
    changes: InstallationChanges? = nil, replacing modified: [EntryPath] = []
  ) -> Result {
    Result(
      outcome: outcome, report: ValidationReport(path: path, review: review),
      previousVersion: previousVersion,
      files: review.items.count { $0.isContent && $0.kind != .folder }, changes: changes,
      replacedModified: outcome == .installed ? modified : [])
  }
}
