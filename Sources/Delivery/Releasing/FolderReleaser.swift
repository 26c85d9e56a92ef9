#if COMMAND_LINE_TOOL
package import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// Releases content folders that have changed since their newest release in a store, without downloading a package.
package struct FolderReleaser: Sendable {
  /// The settings for releasing folders.
  package struct Options: Sendable {
    /// The channel of the releases.
    package let channel: Channel
    /// The properties of new releases.
    package let attributes: ReleaseAttributes
    /// Whether a folder's version is raised if it is not above that of the newest release.
    package let raisesVersions: Bool
    /// Whether cached digests are used.
    package let usesCache: Bool
    /// Whether nothing is changed.
    package let isDryRun: Bool

    package init(
      channel: Channel, _ attributes: ReleaseAttributes = ReleaseAttributes(), raisesVersions: Bool,
      usesCache: Bool, isDryRun: Bool
    ) {
      self.channel = channel
      self.attributes = attributes
      self.raisesVersions = raisesVersions
      self.usesCache = usesCache
      self.isDryRun = isDryRun
    }
  }

  let change: CatalogChange
  let options: Options
  private let builder: PackageBuilder
  private let publisher: Publisher
  /// The current catalog; nil if the store has none.
  package let catalog: Catalog?
  /// Whether the store has release lists and no catalog, so that nothing is uploaded before all packages are known.
  private let defersUploads: Bool
  var reader: StoreReader { change.reader }
  var preloaded: PreloadedDocuments { change.reader.preloaded }
  var context: WorkContext { builder.context }

  /// Reads the catalog.
  ///
  /// - Throws: `PublishingError`, `IntegrityError`, `StoreError`.
  package init(_ change: CatalogChange, options: Options, builder: PackageBuilder) throws {
    self.change = change
    self.options = options
    self.builder = builder
    publisher = Publisher(
      change,
      options: .init(channel: options.channel, options.attributes, allowsOlder: false),
      progress: builder.context.progress)
    catalog = try change.current(isDryRun: options.isDryRun)?.catalog
    defersUploads = try catalog == nil && change.lacksCatalog()
  }

  /// Compares a folder with its newest release and, if it has changed, uploads its package, to which no catalog refers
  /// yet. In a store without a catalog, `complete` may upload it instead. The folder stays unchanged. `accepts` returns
  /// whether content with these findings may be published.
  ///
  /// - Throws: `PublishingError.invalid` for content that must not be published; `FileError`, `SourceError`,
  ///   `IntegrityError`, `StoreError`, `CompressionError`, `PackageTooLarge`, `Interruption`.
  package func prepare(
    _ folder: String, _ choices: FolderChoices, accepts: @escaping ([Finding]) -> Bool
  ) throws -> FolderRelease {
    for _ in 1..<Self.maximumAttemptCount {
      do { return try prepareOnce(folder, choices, accepts) } catch SourceError.changed
        where options.raisesVersions
      {
        // Another process that releases the same folder may have raised its version.
      }
    }
    return try prepareOnce(folder, choices, accepts)
  }

  /// The maximum number of attempts to read a folder that another process changes.
  private static let maximumAttemptCount = 3

  private func prepareOnce(
    _ folder: String, _ choices: FolderChoices, _ accepts: @escaping ([Finding]) -> Bool
  ) throws -> FolderRelease {
    let (compared, next) = try compare(folder, choices)
    let source: FolderSource
    switch consume next {
    case .settled(let outcome):
      return compared.release(
        outcome, keepingOtherProperties: keepsOtherProperties(outcome, of: compared.info))
    case .refused(let finding, let refused):
      // The report contains all findings, not only the one about the version.
      let findings = try findings(in: refused, by: builder.with(choices), since: compared.changes)
      return compared.release(.notRaised(finding), findings: findings)
    case .pack(let changed): source = changed
    }
    let packed = try pack(consume source, by: builder.with(choices), since: compared.changes, accepts)
    var made = try PackageSource.open(packed.file, cancellation: context.cancellation)
    made.ignores = choices.ignores
    let package = try PreparedPackage(
      made, at: packed.file.path, by: PackageValidator(context: context), accepts: accepts)
    if let lost = compared.lost, package.package != compared.newest?.package {
      let place = reader.place(of: lost.path)
      throw StoreError(
        .missing, place,
        "\(place) is missing or damaged, and \(folder) packs to other bytes; publish the original package again, or raise the version"
      )
    }
    var findings = packed.findings
    let publication = try publish(package) { plan in
      findings +=
        packed.budget?.findings(
          packageBytes: package.archiveBytes, since: compared.changes?.with(updateBytes: plan.updateBytes))
        ?? []
      guard accepts(findings) else { throw PublishingError.invalid(path: folder, findings: findings) }
    }
    return compared.release(.published(publication), findings: findings)
  }

  /// Returns whether an unchanged release keeps properties other than those given.
  private func keepsOtherProperties(_ outcome: FolderRelease.Outcome, of info: ContentInfo) -> Bool {
    guard case .unchanged(let release) = outcome else { return false }
    let published = ContentInfo(
      productIdentifier: info.productIdentifier, contentVersion: release.contentVersion)
    return !options.attributes.agree(with: release, published, at: change.now())
  }

  /// Completes the preparation of all releases. In a store with release lists but no catalog, verifies that the store has
  /// no other packages, and uploads the packages that an interrupted first publication has not uploaded.
  ///
  /// - Throws: `PublishingError.catalogLost`, and the errors of `prepare`.
  package func complete(_ releases: [FolderRelease]) throws -> [FolderRelease] {
    guard defersUploads else { return releases }
    let plan = try publisher.plan(
      releases.compactMap(\.publication?.package), isDryRun: options.isDryRun)
    let publications = options.isDryRun ? plan : try publisher.upload(plan)
    return releases.map { release in
      let publication = publications.first { $0.path == release.publication?.path }
      return publication.map { release.with($0.withoutBytes()) } ?? release
    }
  }

  /// Raises the version in a folder whose release requires it. Waits for another process that changes the folder, and
  /// does nothing if that process has raised the version in the same way.
  ///
  /// - Throws: The errors of `PackageEditor.edit`; `SourceError` if the manifest differs from the packed one.
  package func raise(_ release: FolderRelease) throws {
    guard let version = release.raisedVersion, let manifest = release.manifest else { return }
    let input = try openLocked(release.folder)
    guard try input.hasBytes(manifest.current) else {
      guard try input.hasBytes(manifest.raised) else { throw SourceError.changed(release.folder) }
      return
    }
    _ = try PackageEditor(.set(version, force: false), time: builder.time, context: context)
      .edit(input, into: .input)
  }

  /// The maximum time to wait for another process that changes a folder.
  private static let timeout = Duration.seconds(60)
  /// The interval between attempts to lock a folder.
  private static let interval = Duration.milliseconds(20)

  private func openLocked(_ folder: String) throws -> PackageEditor.Input {
    let deadline = ContinuousClock.now + Self.timeout
    while true {
      do { return try PackageEditor.Input.open(folder, locking: true) } catch let busy as InputBusy {
        try context.cancellation.check()
        guard .now < deadline else { throw busy }
        context.cancellation.wait(Self.interval)
      }
    }
  }

  /// Adds the prepared releases to the catalog atomically, except those that conflict with another publisher's
  /// releases.
  ///
  /// - Returns: A result for each release, and the sequence number of the catalog; nil if there is no catalog and
  ///   nothing to publish.
  /// - Throws: The errors of `Publisher.commit`.
  package func commit(
    _ releases: [FolderRelease]
  ) throws -> (releases: [Result<FolderRelease, PublishingError>], sequence: Int64?) {
    let publications = releases.compactMap(\.publication)
    guard catalog != nil || !publications.isEmpty else { return (releases.map { .success($0) }, nil) }
    let (results, sequence) = try publisher.commit(publications, skipsRefused: true)
    var next = results.makeIterator()
    return (
      releases.map { release in
        guard release.publication != nil, let result = next.next() else { return .success(release) }
        return result.map(release.with)
      }, sequence
    )
  }
}

// MARK: - Packing

extension FolderReleaser {
  /// Checks a folder by all rules, and packs it into a temporary file with the name of its package.
  private func pack(
    _ source: consuming FolderSource, by builder: PackageBuilder, since changes: ChangeSummary?,
    _ accepts: ([Finding]) -> Bool
  ) throws -> (file: InputFile, findings: [Finding], budget: BudgetCheck?) {
    let review = try builder.review(consume source)
    let budget = builder.choices.budget.map { BudgetCheck(of: review, by: $0) }
    guard accepts(review.findings), let info = review.contentInfo else {
      let more = budget?.findings(packageBytes: nil, since: changes) ?? []
      throw PublishingError.invalid(path: review.source.path, findings: review.findings + more)
    }
    return (try builder.spool(review.ignoringErrors(), as: info.packageName), review.findings, budget)
  }

  /// Checks a folder by all rules without packing it, and compares it with its budget.
  private func findings(
    in source: FolderSource, by builder: PackageBuilder, since changes: ChangeSummary?
  ) throws -> [Finding] {
    let review = try builder.review(source)
    return review.findings + (try builder.budgetFindings(of: review, since: changes))
  }

  /// Plans the publication of a package and, unless in a dry run or deferred, uploads it. `check` receives the plan
  /// before anything is uploaded.
  private func publish(
    _ package: PreparedPackage, checking check: (Publisher.Publication) throws -> Void
  ) throws -> Publisher.Publication {
    let plan = try publisher.plan([package], isDryRun: options.isDryRun, isPart: true)
    try plan.forEach(check)
    if defersUploads { return plan[0] }
    let publications = options.isDryRun ? plan : try publisher.upload(plan)
    // The temporary files of uploaded bytes are no longer needed.
    return publications[0].withoutBytes()
  }
}
#endif
