public import ContentPackage
import SafeFiles
import Support
public import ZipArchive

/// Installs packages into a `Documents` folder: everything is checked while it is unpacked beside the target, and only
/// a whole, accepted tree is put in its place.
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
  /// How a package is to be installed.
  public struct Options: Sendable {
    /// How the content lies in the product's folder; nil for as it does now, or flat.
    public let layout: InstallationLayout?
    /// Whether to install although the same version is there, or something that iapkg did not install.
    public let force: Bool
    /// Whether to install although a higher version is there.
    public let allowDowngrade: Bool
    /// Whether backups are to leave the product out; they do in any case if they did before.
    public let excludesFromBackup: Bool
    /// How many previous versions are kept at most, at least 0.
    public let keptVersions: Int

    /// One previous version is kept unless another number is given.
    public static let defaultKeptVersions = 1

    /// The usual options, and others.
    public init(
      layout: InstallationLayout? = nil, force: Bool = false, allowDowngrade: Bool = false,
      excludesFromBackup: Bool = false, keptVersions: Int = defaultKeptVersions
    ) {
      self.layout = layout
      self.force = force
      self.allowDowngrade = allowDowngrade
      self.excludesFromBackup = excludesFromBackup
      self.keptVersions = max(0, keptVersions)
    }
  }

  /// What became of a package.
  public enum Outcome: Sendable, Equatable {
    /// It is installed.
    case installed
    /// These files, folders and links of it were restored.
    case repaired([EntryPath])
    /// The package was rejected: a finding is an error.
    case invalid
    /// This version is installed already, with this content.
    case upToDate
    /// This version is installed, but no longer as it was.
    case damaged(ProductInspection)
    /// This version is installed, or kept as a previous version, with other content than the package's.
    case otherContent(version: String)
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
    /// What was in the product's folder and no longer as it had been installed, by kind and size.
    public let replacedModified: [EntryPath]
    /// Whether that lies in a previous version now. If not, it is among `kept`.
    public let keepsPrevious: Bool
    /// The paths of the files that iapkg did not install and that are kept for the user to move or delete. They are
    /// safe to print.
    public let kept: LocatedPaths
  }

  package let options: Options
  package let access: DocumentsAccess
  /// Whether a package with these findings may be installed.
  let accepts: @Sendable ([Finding]) -> Bool

  /// An installer for any number of packages.
  ///
  /// - Parameters:
  ///   - options: how it is to be installed.
  ///   - access: where to. Its context says how large a package may be, and how many threads check and unpack.
  ///   - accepts: whether a package with these findings may be installed. One with an error never should.
  public init(
    options: Options = Options(), access: DocumentsAccess,
    accepts: @escaping @Sendable ([Finding]) -> Bool = { $0.areAcceptable }
  ) {
    self.options = options
    self.access = access
    self.accepts = accepts
  }

  /// Installs the package at `path`; blocks until it is done.
  ///
  /// - Parameter path: the package.
  /// - Returns: what became of it; a package that is not acceptable is an outcome and no error.
  /// - Throws: `FileError`, `DocumentsBusy`, `InstallationError`, `RecordUnreadable`, `SourceError`,
  ///   `Interruption`; the product, and the folder, are then as they were before.
  public func install(_ path: String) throws -> Result { try install(openReview(path), named: path) }

  /// Installs content that has been reviewed, wherever its bytes come from; `name` is what messages call it.
  ///
  /// With what is to be kept of a `download`, what was received before an error is kept for another try; it is not where a rule
  /// rejects the content.
  ///
  /// While this runs, `Documents` is locked, so that the content may be read from versions that are installed there.
  package func install(
    _ review: consuming ContentReview, named name: String, download: DownloadKeeping? = nil
  ) throws -> Result {
    var review = review
    guard accepts(review.findings), let info = review.contentInfo else { return try invalid(&review, name) }
    var reviewed: ContentReview? = consume review
    let result = try DocumentsFolder.withLock(access, for: .installing) { folder in
      guard var review = reviewed.take() else { throw DocumentsBusy(path: access.path) }  // it is taken once
      let state = try folder.state(of: info.productIdentifier, known: KnownPaths(of: review))
      switch InstallationDecision(for: info.contentVersion, over: state, options) {
      case .refuse(let error): throw error
      case .refuseDowngrade:
        return self.result(Installed(outcome: .downgradeRefused), Checked(review, named: name), state)
      case .compare(let installed):
        let outcome = try compare(&review, name, with: installed, state)
        if outcome == .upToDate, let download {
          try download.remember(info.productIdentifier, in: folder)
          folder.finishDownload(of: info.productIdentifier)
        }
        return self.result(Installed(outcome: outcome), Checked(review, named: name), state)
      case .install(let plan):
        return try install(consume review, name, download, by: plan, over: state, in: folder)
      }
    }
    guard let result else { throw DocumentsBusy(path: access.path) }  // it is made if it is missing
    return result
  }
}

extension PackageInstaller {
  /// What became of a package, as far as it is not told by its review and by what was there before.
  struct Installed {
    var outcome = Outcome.invalid
    var changes: InstallationChanges?
    var kept = LocatedPaths()
    var keepsPrevious = false
  }

  /// What is told of a package once it was checked. The review, which has every name in it, can go then.
  struct Checked {
    let report: ValidationReport
    let files: Int

    init(_ review: ContentReview, named name: String) {
      report = ValidationReport(path: name, review: review)
      files = PackageContent.fileCount(of: review)
    }
  }

  /// Whether content that is not to be installed again is the one that is installed.
  func compare(
    _ review: inout ContentReview, _ name: String, with installed: InstalledVersion, _ state: ProductState
  ) throws -> Outcome {
    let read = try readContent(
      PackageContent(of: review), of: &review, Unpacking(version: installed.contentVersion, name: name))
    guard let read else { return .invalid }
    guard read.contentDigest == installed.contentDigest else {
      return .otherContent(version: installed.contentVersion.text)
    }
    guard let inspection = state.inspection, !inspection.isComplete else { return .upToDate }
    return .damaged(inspection)
  }

  /// Unpacks, and puts what was accepted in its place.
  private func install(
    _ review: consuming ContentReview, _ name: String, _ download: DownloadKeeping?,
    by plan: InstallationPlan,
    over state: ProductState, in folder: borrowing DocumentsFolder
  ) throws -> Result {
    var review = review
    guard let product = review.productIdentifier else {
      return result(Installed(), Checked(review, named: name), state)
    }
    try plan.refuseTakenMark(in: review)
    if let seen = download?.seen { try folder.note(store: seen) }
    let unpacking = Unpacking(
      version: plan.contentVersion, name: name, contentFolder: plan.contentFolder,
      isMarked: plan.isExcludedFromBackup && plan.target == .product, download: download)
    let staged = try unpack(&review, unpacking, in: folder)
    let checked = Checked(review, named: name)
    _ = consume review
    guard let staged else { return result(Installed(), checked, state) }
    do {
      try access.context.cancellation.check()
      if let counterpart = plan.counterpart, counterpart.contentDigest != staged.contentDigest {
        try folder.discardStaging()
        return result(
          Installed(outcome: .otherContent(version: counterpart.contentVersion.text)), checked, state)
      }
      // Before the product is there: a stop between the two would leave it without, and its key unknown.
      if let download { try download.remember(product, in: folder) }
      try replace(with: staged, of: product, by: plan, in: folder)
    } catch {
      try? folder.discardStaging(isWorthKeeping: true)  // the first error is the one to tell
      throw error
    }
    if download != nil { folder.finishDownload(of: product) }
    if !staged.keepsPermissions { access.report(.permissionsNotKept(product: product.text)) }
    let kept = try folder.keptPaths(of: product, in: plan.layout, extra: state.inspection?.extra ?? [])
    return result(
      Installed(outcome: .installed, kept: kept, keepsPrevious: plan.keepsPrevious(of: state)), checked,
      state)
  }

  /// Puts what was staged in its place, or switches to the same version where it stands already.
  private func replace(
    with staged: InstalledVersion, of product: ProductIdentifier, by plan: InstallationPlan,
    in folder: borrowing DocumentsFolder
  ) throws {
    if plan.target == .version, let kept = plan.counterpart, kept.folderName == staged.folderName,
      try folder.holds(kept, of: product)
    {
      try folder.discardStaging()
      return try folder.apply(
        plan.record(of: product, installing: kept), replacing: .version, from: .inPlace)
    }
    try folder.apply(plan.record(of: product, installing: staged), replacing: plan.target, from: .package)
  }

  /// What is to be said of a package that is refused before anything was unpacked.
  func invalid(_ review: inout ContentReview, _ name: String) throws -> Result {
    review.add(try pass(spoolFolder: FileSystem.temporaryFolder).run(on: review, .checking, name))
    return result(Installed(), Checked(review, named: name), nil)
  }

  func openReview(_ path: String) throws -> ContentReview {
    let context = access.context
    context.progress.begin(.checking, path)
    return try ContentReview(
      of: PackageSource.open(path, cancellation: context.cancellation), limits: context.limits,
      cancellation: context.cancellation)
  }

  func pass(spoolFolder: String) -> ContentScan { ContentScan(access.context, spoolFolder: spoolFolder) }

  func result(_ installed: Installed, _ checked: Checked, _ state: ProductState?) -> Result {
    Result(
      outcome: installed.outcome, report: checked.report,
      previousVersion: state?.record?.installed?.contentVersion.text, files: checked.files,
      changes: installed.changes,
      replacedModified: installed.outcome == .installed ? state?.inspection?.modified ?? [] : [],
      keepsPrevious: installed.keepsPrevious, kept: installed.kept)
  }
}

extension InstallationPlan {
  /// The content may have a file of the name that the mark for backups gets, where both lie in one folder.
  func refuseTakenMark(in review: ContentReview) throws(InstallationError) {
    guard isExcludedFromBackup, layout == .flat, BackupMark.isFile else { return }
    if PackageContent.hasNameOfBackupMark(in: review) { throw .backupMarkTaken }
  }
}
