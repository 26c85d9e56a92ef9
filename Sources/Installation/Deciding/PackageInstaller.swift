public import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// Installs packages into a `Documents` folder. The installer checks a package while it unpacks it into staging, and
/// moves only complete, accepted content into place.
///
/// ```swift
/// let installer = PackageInstaller(access: DocumentsAccess(path: "Documents"))
/// let result = try installer.install("Book.pkg")
/// if result.outcome == .installed { print(result.files) }
/// ```
///
/// At every instant the product is the old version or the new one. When `install` returns, the new version is on stable
/// storage, unless the access disables that.
public struct PackageInstaller: Sendable {
  /// The options of an installation.
  public struct Options: Sendable {
    /// The layout of the product's folder; nil keeps the current one, or uses flat for a new product.
    public let layout: InstallationLayout?
    /// Whether to overwrite the same version, or items that iapkg did not install.
    public let force: Bool
    /// Whether to replace a higher version.
    public let allowDowngrade: Bool
    /// Whether to exclude the product from backups; an existing exclusion always stays.
    public let excludesFromBackup: Bool
    /// The maximum number of previous versions to keep, at least 0.
    public let keptVersions: Int

    /// The default number of previous versions to keep.
    public static let defaultKeptVersions = 1

    /// Creates options; the defaults suit most installations.
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

  /// The options of each installation.
  package let options: Options
  /// The destination.
  package let access: DocumentsAccess
  /// Returns whether a package with these findings may be installed.
  let accepts: @Sendable ([Finding]) -> Bool

  /// Creates an installer for any number of packages.
  ///
  /// - Parameters:
  ///   - options: The options of each installation.
  ///   - access: The destination. Its context sets the limits of a package and the number of threads.
  ///   - accepts: Whether a package with these findings may be installed. Must not accept errors.
  public init(
    options: Options = Options(), access: DocumentsAccess,
    accepts: @escaping @Sendable ([Finding]) -> Bool = { $0.areAcceptable }
  ) {
    self.options = options
    self.access = access
    self.accepts = accepts
  }

  /// Installs the package at `path`; blocks until completion.
  ///
  /// - Parameter path: The package.
  /// - Returns: The result; a rejected package is an outcome, not an error.
  /// - Throws: `FileError`, `DocumentsBusy`, `InstallationError`, `RecordUnreadable`, `SourceError`, `Interruption`;
  ///   the product and the folder are then unchanged.
  public func install(_ path: String) throws -> Result { try install(openReview(path), named: path) }

  /// Installs reviewed content from any source; messages call it `name`.
  ///
  /// With a `download`, the bytes received before an error are kept for another attempt, unless a rule rejects the
  /// content.
  ///
  /// `Documents` is locked meanwhile, so the content may be read from versions installed there.
  package func install(
    _ review: consuming ContentReview, named name: String, download: DownloadKeeping? = nil
  ) throws -> Result {
    var review = review
    guard accepts(review.findings), let info = review.contentInfo else { return try invalid(&review, name) }
    return try DocumentsFolder.withLock(access, for: .installing, with: consume review) { folder, review in
      let state = try folder.state(of: info.productIdentifier, known: KnownPaths(of: review))
      return try decide(info, review, named: name, over: state) {
        $0
      } comparing: { review, installed in
        let result = try compare(review, name, with: installed, state)
        if result.outcome == .upToDate, let download {
          try download.recordOrigin(info.productIdentifier, in: folder)
          folder.finishDownload(of: info.productIdentifier)
        }
        return result
      } installing: { review, plan in
        try install(review, name, download, by: plan, over: state, in: folder)
      }
    }
  }

  /// Decides on installing reviewed content over the state of its product, and calls the closure for the decision.
  ///
  /// - Parameters:
  ///   - info: The identity of the content.
  ///   - review: The review of the content.
  ///   - name: The name of the content in messages.
  ///   - state: The state of the product.
  ///   - refusing: Receives the result for a refused downgrade.
  ///   - comparing: Compares the content with the installed version of the same number.
  ///   - installing: Installs the content.
  /// - Returns: The result of the closure called.
  /// - Throws: `InstallationError` for a refusal, and the errors of the closures.
  func decide<Output>(
    _ info: ContentInfo, _ review: consuming ContentReview, named name: String, over state: ProductState,
    refusing: (Result) -> Output,
    comparing: (consuming ContentReview, InstalledVersion) throws -> Output,
    installing: (consuming ContentReview, InstallationPlan) throws -> Output
  ) throws -> Output {
    switch InstallationDecision(for: info.contentVersion, over: state, options) {
    case .refuse(let error): throw error
    case .refuseDowngrade:
      return refusing(
        result(Installed(outcome: .downgradeRefused), Checked(consume review, named: name), state))
    case .compare(let installed): return try comparing(consume review, installed)
    case .install(let plan):
      try plan.refuseMarkConflict(in: copy review)
      return try installing(consume review, plan)
    }
  }
}

extension PackageInstaller {
  /// Compares the content of a package with the installed version of the same number.
  func compare(
    _ review: consuming ContentReview, _ name: String, with installed: InstalledVersion, _ state: ProductState
  ) throws -> Result {
    var review = review
    let outcome = try outcome(of: &review, name, comparedWith: installed, state)
    return result(Installed(outcome: outcome), Checked(review, named: name), state)
  }

  private func outcome(
    of review: inout ContentReview, _ name: String, comparedWith installed: InstalledVersion,
    _ state: ProductState
  ) throws -> Outcome {
    let read = try readContent(
      PackageContent(of: review), of: &review,
      Unpacking(version: installed.contentVersion, algorithm: installed.items.algorithm, name: name))
    guard let read else { return .invalid }
    guard read.contentDigest == installed.contentDigest else {
      return .otherContent(version: installed.contentVersion.text)
    }
    guard let inspection = state.inspection, !inspection.isComplete else { return .upToDate }
    return .damaged(inspection)
  }

  /// Unpacks the package and moves accepted content into place.
  private func install(
    _ review: consuming ContentReview, _ name: String, _ download: DownloadKeeping?,
    by plan: InstallationPlan,
    over state: ProductState, in folder: borrowing DocumentsFolder
  ) throws -> Result {
    var review = review
    guard let product = review.productIdentifier else {
      return result(Installed(), Checked(review, named: name), state)
    }
    if let seen = download?.seen { try folder.note(store: seen) }
    let unpacking = Unpacking(
      version: plan.contentVersion, algorithm: state.algorithm, name: name, contentFolder: plan.contentFolder,
      isMarked: plan.isExcludedFromBackup && plan.target == .product, download: download)
    let staged = try unpack(&review, unpacking, in: folder)
    let checked = Checked(review, named: name)
    _ = consume review
    guard let staged else { return result(Installed(), checked, state) }
    var plan = plan
    do {
      try access.context.cancellation.check()
      if let counterpart = plan.counterpart, counterpart.contentDigest != staged.contentDigest {
        try folder.discardStaging()
        return result(
          Installed(outcome: .otherContent(version: counterpart.contentVersion.text)), checked, state)
      }
      // Written before the product is in place: an interruption in between must not leave a product without its origin
      // and the key of its store.
      if let download { try download.recordOrigin(product, in: folder) }
      plan = try plan.keepingIntact(over: state, in: folder)
      try replace(with: staged, of: product, by: plan, in: folder)
    } catch {
      try? folder.discardStaging(isWorthKeeping: true)  // the first error is the one to report
      throw error
    }
    if let download {
      folder.finishDownload(of: product)
      folder.keep(index: download.index, of: product)
    }
    if !staged.keepsPermissions { access.report(.permissionsNotKept(product: product.text)) }
    let kept = try folder.keptPaths(
      of: plan.record(of: product, installing: staged), extra: state.inspection?.extra ?? [])
    return result(
      Installed(
        outcome: .installed, kept: kept, keepsPrevious: plan.keepsPrevious(of: state), damaged: plan.damaged),
      checked, state)
  }

  /// Moves staging into place. If the folder of the same version is complete, discards staging and switches to that
  /// folder.
  private func replace(
    with staged: InstalledVersion, of product: ProductIdentifier, by plan: InstallationPlan,
    in folder: borrowing DocumentsFolder
  ) throws {
    if plan.target == .version, let kept = plan.counterpart, kept.folderName == staged.folderName,
      try folder.holds(kept, of: product)
    {
      try folder.discardStaging()
      try folder.apply(plan.record(of: product, installing: kept), replacing: .version, from: .inPlace)
      return
    }
    try folder.apply(plan.record(of: product, installing: staged), replacing: plan.target, from: .package)
  }

  /// Returns the result for a package that is rejected before unpacking.
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
}
