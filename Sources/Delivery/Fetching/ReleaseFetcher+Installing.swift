import ContentPackage
import HTTPTransport
package import Installation
import SafeFiles
import Support
import SystemPackage

// The execution of a transfer plan.
extension ReleaseFetcher {
  /// The maximum number of new plans after files that a plan reuses have disappeared.
  private static let maximumLossCount = 100

  /// Installs a release by its plan.
  ///
  /// - Throws: The errors of `plan`, and those of `PackageInstaller.install`.
  package func fetch(_ plan: Plan) throws -> Result {
    let (installation, plan) = try installation(by: plan)
    return result(of: installation, by: plan)
  }

  /// Returns the result of an installation. For a version that was already installed, no bytes are reused.
  func result(of installation: PackageInstaller.Result, by plan: Plan) -> Result {
    var plan = plan.summary
    if installation.outcome == .upToDate {
      plan.reusedBytes = 0
      transfers.reuseNothing(plan.productIdentifier)
    }
    return Result(
      plan: plan, installation: installation, transferredBytes: plan.meter.bytes,
      requests: plan.meter.requests)
  }

  /// Installs by the plan, and replans after damaged bytes or after a change of the release. Bytes that arrived intact
  /// are not requested again.
  ///
  /// - Returns: The result, and the plan that was executed.
  private func installation(by plan: Plan) throws -> (PackageInstaller.Result, Plan) {
    let first = plan.details.map {
      (release: $0.content.release, counts: $0.reused.byteCounts(of: $0.content))
    }
    var plan = plan
    var ignoresRanges = false
    var lossCount = 0
    var retry = reader.store.retry
    func replan() throws {
      var again = try self.plan(plan.productIdentifier, plan.choice)
      if again.missingBytes < plan.missingBytes { retry.reset() }
      // Bytes that this run received do not count as reused, and neither does a file that has disappeared.
      if let first, let details = again.details, details.content.release.package == first.release.package {
        let counts = details.reused.byteCounts(of: details.content)
        again.reusedBytes = SizeRules.sum(zip(first.counts, counts).map(min))
      }
      plan = again
    }
    while true {
      do {
        return (try install(plan, ignoringRanges: ignoresRanges), plan)
      } catch let error as StoreError where error.reason == .rangeIgnored && !ignoresRanges {
        ignoresRanges = true
        if plan.details?.reused.movesFiles != false { try replan() }
      } catch let error as StoreError where error.reason == .missing {
        let isPruned = try reader.newerCatalog(than: plan.sequence) != nil
        guard isPruned || reader.store.objectsMayFollow else { throw error }
        try retry.next(
          after: error, reporting: StoreReader.missingMessage(at: error.place), pausing: !isPruned)
        try replan()
      } catch let error as FileError where isLoss(error) && lossCount < Self.maximumLossCount {
        // A concurrent run has moved or deleted files that the plan reuses, and may do so again.
        lossCount += 1
        try replan()
      } catch let error as IntegrityError where error.isLasting {
        throw error
      } catch let error as any WrongContent where !(error is ContentError) {
        let compressed = (error as? CompressedContent)?.error
        try retry.next(after: compressed ?? error, pausing: compressed != nil)
        reader.forgetCatalog()
        try replan()
      }
    }
  }

  /// Returns whether an error means that a file in `Documents` no longer exists.
  private func isLoss(_ error: FileError) -> Bool {
    error.errno == .noSuchFileOrDirectory && error.path.hasPrefix(String(displaying: access.path.utf8))
  }

  private func install(_ plan: Plan, ignoringRanges: Bool) throws -> PackageInstaller.Result {
    guard let details = plan.details else {
      return try install(self.plan(plan.productIdentifier, plan.choice), ignoringRanges: ignoringRanges)
    }
    let source = try source(details, plan, ignoringRanges: ignoringRanges)
    return try installer.install(
      review(of: source, for: plan), named: source.path,
      download: DownloadKeeping(
        note: downloadNote(of: plan, details).bytes, packedParts: source.packedParts,
        origin: details.provenance.origin.bytes,
        seen: details.provenance.seen, store: details.provenance.note,
        index: KeptIndex.parts(of: details.content.index)))
  }

  /// Determines the result of installing by the plan, if it is known before content is downloaded.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - comparesContent: Whether the content of the installed version is compared too. The result may then be
  ///     `upToDate`.
  /// - Returns: The result; nil if the download would begin.
  /// - Throws: The errors of `fetch`.
  package func refusal(
    of plan: Plan, comparingContent comparesContent: Bool = false
  ) throws -> PackageInstaller.Result? {
    guard let details = plan.details else { return nil }
    do {
      let source = try reader.repeating { try self.source(details, plan, ignoringRanges: false, in: $0) }
      return try installer.refusal(
        of: review(of: source, for: plan), named: source.path, comparingContent: comparesContent)
    } catch let error as StoreError where error.reason == .rangeIgnored {
      return nil  // the link targets would require a download of the whole package
    } catch let error as CompressedContent {
      throw error.error
    }
  }

  /// Returns the note on the download of a release.
  func downloadNote(of plan: Plan, _ details: Details) -> DownloadNote {
    let release = details.content.release
    return DownloadNote(
      store: location, contentVersion: plan.contentVersion, choice: plan.choice,
      contentBytes: release.contentBytes, package: release.package.digest)
  }

  private func source(
    _ details: Details, _ plan: Plan, ignoringRanges: Bool, in store: (any Store)? = nil
  ) throws -> ReleaseSource {
    try ReleaseSource(
      details.content, in: store ?? reader.store, reusing: details.reused,
      usesOneRequest: plan.usesOneRequest || ignoringRanges, ignoringRanges: ignoringRanges,
      connections: reader.store.connections.map {
        reader.connection.estimate.connections(atMost: $0, processors: WorkerPool.processorCount)
      }, counting: plan.meter)
  }

  private func review(of source: ReleaseSource, for plan: Plan) throws -> ContentReview {
    let review = try ContentReview(of: source, limits: context.limits, cancellation: context.cancellation)
    if let info = review.contentInfo,
      info.productIdentifier != plan.productIdentifier || info.contentVersion != plan.contentVersion
    {
      throw IntegrityError(
        source.path,
        "is \(info.productIdentifier) \(info.contentVersion), expected \(plan.productIdentifier) "
          + "\(plan.contentVersion)")
    }
    return review
  }

  /// Records the catalog seen and the requested channel of an up-to-date product, and deletes received files that are
  /// no longer needed.
  ///
  /// - Throws: The errors of `InstalledProducts.discardDownload`.
  package func recordUpToDate(_ current: CurrentProduct) throws {
    let products = InstalledProducts(access)
    try products.note(store: current.provenance.note)
    try products.note(origin: current.provenance.origin.bytes, of: current.productIdentifier)
    try products.discardDownload(of: current.productIdentifier)
  }
}
