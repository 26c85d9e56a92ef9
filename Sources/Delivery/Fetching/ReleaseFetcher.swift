public import ContentPackage
import HTTPTransport
public import Installation
import SafeFiles
import Support
import SystemPackage
import ZipArchive

/// Installs releases from a store; reuses local files and downloads only the missing bytes.
///
/// Everything received is verified before use: the catalog by its signature, each other document by the digest in its
/// parent, names, kinds and links by the rules, and each file by its SHA-256.
///
/// ```swift
/// let installer = PackageInstaller(access: DocumentsAccess(path: "Documents"))
/// let keys = try TrustedKeys.read("catalog-key.pub")
/// let fetcher = try ReleaseFetcher(from: "https://example.com/store", trusting: keys, installer: installer)
/// let result = try fetcher.fetch(product)
/// print(result.installation.outcome, result.transferredBytes)
/// ```
public struct ReleaseFetcher: Sendable {
  /// The transfer plan of a release, made before anything changes.
  public struct Plan: Sendable {
    /// The product.
    public let productIdentifier: ProductIdentifier
    /// The version to install.
    public let contentVersion: ContentVersion
    /// The installed version; nil if there is none.
    public let installedVersion: ContentVersion?
    /// Bytes of the index and of the package that will be requested.
    public let transferBytes: Int64
    /// Bytes of the index and of the missing parts of the package. Independent of the connection, unlike
    /// `transferBytes`, which may count the whole package.
    package let updateBytes: Int64
    /// Bytes of the files that are present locally.
    public let reusedBytes: Int64
    /// The store, in the form that `ProductOrigin` stores.
    package let store: String
    /// The fingerprint of the key that signed the catalog; nil for a catalog without a signature.
    package let signer: String?
    /// The reason why the installed version was withdrawn; nil if it was not.
    package let withdrawn: String?
    /// Whether the catalog was accepted without a known key.
    public let isFirstContact: Bool
    let choice: ReleaseChoice
    /// Whether one request reads the whole package.
    let isWhole: Bool
    /// Bytes of the package that are missing locally.
    let missingBytes: Int64
    /// The data needed to execute the plan; nil in a summary.
    fileprivate var details: Details?
    /// The requests made and the bytes received so far.
    package let meter: TransferMeter

    /// The plan without the data needed to execute it, which includes every name of the release.
    package var summary: Plan {
      var plan = self
      plan.details = nil
      return plan
    }
  }

  fileprivate struct Details: Sendable {
    let content: ReleaseContent
    let reused: ReusedFiles
    let provenance: Provenance
  }

  /// The installed versions that a release does not replace.
  package enum KeptVersion: Sendable {
    case none
    /// Higher versions: the release is of a channel that is behind.
    case newer
    /// Higher versions and the same version: the release is an update.
    case sameOrNewer
  }

  /// The treatment of the files that an earlier attempt received.
  package enum Resumption: Sendable {
    /// Moves the needed files and deletes the others.
    case moving
    /// Counts the files and changes nothing.
    case counting
  }

  /// The result of checking a product for a release to install.
  package enum Prospect: Sendable {
    case fetch(Plan)
    /// The store has no newer release than the installed one.
    case current(CurrentProduct)
  }

  /// The result of fetching one product.
  public struct Result: Sendable {
    /// The executed plan, with the version and the reused bytes.
    public let plan: Plan
    /// The result of the installation, with the findings. Unacceptable content is an outcome, not an error.
    public let installation: PackageInstaller.Result
    /// Bytes of the documents and of the package received from the store.
    public let transferredBytes: Int64
    /// The number of objects and ranges requested.
    public let requests: Int

    /// Whether this version was already installed.
    public var isUpToDate: Bool { installation.outcome == .upToDate }
  }

  let reader: StoreReader
  let installer: PackageInstaller
  var access: DocumentsAccess { installer.access }
  private var context: WorkContext { access.context }
  /// The store, in the form that `ProductOrigin` stores.
  let location: String
  /// The keys that the caller trusts.
  let named: NamedKeys?
  let allowsExpired: Bool
  let transfers: TransferProgress

  /// - Parameters:
  ///   - reader: The reader of the store.
  ///   - location: The store, in the form that `ProductOrigin` stores.
  ///   - named: The keys that the caller trusts, in addition to the recorded ones.
  ///   - allowsExpired: Whether an expired catalog is accepted.
  ///   - installer: The installer of the releases.
  ///   - transfers: Reports the progress of each product.
  package init(
    _ reader: StoreReader, location: String, trusting named: NamedKeys? = nil, allowsExpired: Bool,
    installer: PackageInstaller, transfers: TransferProgress = TransferProgress()
  ) {
    self.reader = reader
    self.location = location
    self.named = named
    self.allowsExpired = allowsExpired
    self.installer = installer
    self.transfers = transfers
  }

  /// Selects the release that matches the request, and determines which of its bytes are present locally, including
  /// those of an earlier attempt. If the installed version is kept, no index is read. With `noting`, the catalog is
  /// recorded whatever the result.
  ///
  /// - Throws: `FetchError`, `PublishingError` for what the store does not have, `Untrustworthy`, `StoreError`,
  ///   `FileError`, `DocumentsBusy`, `RecordUnreadable`, `Interruption`.
  package func plan(
    _ product: ProductIdentifier, _ choice: ReleaseChoice, resuming: Resumption, noting: Bool = true,
    keeping kept: KeptVersion = .none
  ) throws -> Prospect {
    let offer = try offer(of: product, choice, noting: noting)
    if let current = try offer.current(store: reader.store.name, keeping: kept, reader.meter) {
      return .current(current)
    }
    return .fetch(try plan(candidate(offer), resuming: resuming))
  }

  /// The selected release of a product.
  struct Candidate {
    let offer: ProductOffer
    let release: Release
  }

  /// Selects the release that matches the request.
  ///
  /// - Throws: The errors of `plan`.
  func candidate(_ product: ProductIdentifier, _ choice: ReleaseChoice) throws -> Candidate {
    try candidate(offer(of: product, choice))
  }

  private func candidate(_ offer: ProductOffer) throws -> Candidate {
    Candidate(
      offer: offer, release: try offer.choice.release(from: offer.releases, store: reader.store.name))
  }

  private func offer(
    of product: ProductIdentifier, _ choice: ReleaseChoice, noting: Bool = true
  ) throws -> ProductOffer {
    transfers.begin(product, counting: reader.meter)
    context.progress.begin(.checking, location)
    let trust = try trust(for: product)
    let store = StoreLocation.identity(of: location)
    let place = reader.place(of: .catalog)
    let (releases, current) = try reader.releases(of: product, allowsExpired: allowsExpired) { current in
      do throws(Untrustworthy) {
        try trust.check(current, at: place)
      } catch {
        if noting, let keys = trust.noteOfNamedKeys(of: store) { try remember(keys) }
        throw error
      }
      if noting, trust.isEstablished {
        try remember(trust.note(of: store, after: current, at: place, adoptsSigner: false))
      }
    }
    return ProductOffer(
      product: product, choice: choice, releases: releases,
      provenance: Provenance(
        origin: ProductOrigin(store: location, channel: choice.channel),
        seen: trust.isEstablished
          ? trust.note(of: store, after: current, at: place, adoptsSigner: false) : nil,
        note: trust.note(of: store, after: current, at: place, adoptsSigner: true),
        signer: current.signer?.fingerprint),
      isFirstContact: trust.isFirstContact,
      contents: try ifThere { try InstalledProducts(access).contents(of: product) } ?? [])
  }

  /// Determines which bytes of a release are present locally.
  ///
  /// - Throws: The errors of `plan`.
  func plan(_ candidate: Candidate, resuming: Resumption) throws -> Plan {
    let (offer, release) = (candidate.offer, candidate.release)
    let (product, contents) = (offer.product, offer.contents)
    let content = try ReleaseContent(of: release, by: reader)
    var reused = ReusedFiles(of: content)
    let downloads =
      try ifThere { try InstalledProducts(access).downloads(of: product, onlyReading: resuming == .counting) }
      ?? []
    for download in downloads {
      try reused.take(over: download, for: content, deletingOthers: resuming == .moving, context)
    }
    for installed in contents {
      try reused.look(
        in: .installed(installed.version.items, installed.tree), for: content, context)
    }
    let transfer = ReleaseSource.plan(of: content, reusing: reused)
    let reusedBytes = content.entries.indices.reduce(reused.parts.byteCount) {
      $0 + (reused.has($1) ? content.entries[$1].size : 0)
    }
    let isWhole = reader.store.connections.map { connections in
      reader.link.estimate.prefersWhole(
        release.package.byteCount, to: transfer.bytes, requests: transfer.runs.count, connections: connections
      )
    }
    let linkBytes = ReleaseSource.linkPlan(of: content.entries).bytes
    let packageBytes = (isWhole == true ? release.package.byteCount : transfer.bytes) + linkBytes
    transfers.plan(product, rest: packageBytes, reusing: reusedBytes)
    return Plan(
      productIdentifier: product, contentVersion: release.contentVersion,
      installedVersion: offer.installedVersion,
      transferBytes: packageBytes + release.index.byteCount,
      updateBytes: transfer.bytes + linkBytes + release.index.byteCount, reusedBytes: reusedBytes,
      store: location, signer: offer.provenance.signer, withdrawn: offer.withdrawn,
      isFirstContact: offer.isFirstContact, choice: offer.choice, isWhole: isWhole ?? false,
      missingBytes: transfer.bytes,
      details: Details(content: content, reused: reused, provenance: offer.provenance), meter: reader.meter)
  }

  /// Installs a release by its plan.
  ///
  /// - Throws: The errors of `plan`, and those of `PackageInstaller.install`.
  package func fetch(_ plan: Plan) throws -> Result {
    let (installation, plan) = try installation(by: plan)
    return Result(
      plan: plan.summary, installation: installation, transferredBytes: plan.meter.bytes,
      requests: plan.meter.requests)
  }

  /// Installs by the plan, and replans after damaged bytes or after a change of the release. Bytes that arrived intact
  /// are not requested again.
  ///
  /// - Returns: The result, and the plan that was executed.
  private func installation(by plan: Plan) throws -> (PackageInstaller.Result, Plan) {
    var plan = plan
    var ignoresRanges = false
    var (errors, isMissing, isGone) = (0, false, false)
    while true {
      do {
        return (try install(plan, ignoringRanges: ignoresRanges), plan)
      } catch let error as StoreError where error.reason == .rangeIgnored && !ignoresRanges {
        ignoresRanges = true
        if plan.details?.reused.movesFiles != false { plan = try planned(plan) }
      } catch let error as StoreError where error.reason == .missing && !isMissing {
        isMissing = true
        plan = try planned(plan)
      } catch let error as FileError where error.errno == .noSuchFileOrDirectory && !isGone {
        // A concurrent run has taken the files that the plan reuses.
        isGone = true
        plan = try planned(plan)
      } catch let error as any WrongContent where !(error is ContentError) {
        errors += 1
        guard errors < RetryPolicy().attempts else { throw (error as? CompressedContent)?.error ?? error }
        let again = try planned(plan)
        if again.missingBytes < plan.missingBytes { errors = 0 }
        plan = again
      }
    }
  }

  /// Makes the plan again: the files to move are now elsewhere.
  private func planned(_ plan: Plan) throws -> Plan {
    reader.forgetCatalog()
    return try self.plan(candidate(plan.productIdentifier, plan.choice), resuming: .moving)
  }

  private func install(_ plan: Plan, ignoringRanges: Bool) throws -> PackageInstaller.Result {
    guard let details = plan.details else {
      return try install(planned(plan), ignoringRanges: ignoringRanges)
    }
    let source = try source(details, plan, ignoringRanges: ignoringRanges)
    let release = details.content.release
    let note = DownloadNote(
      store: location, contentVersion: plan.contentVersion, contentBytes: release.contentBytes,
      package: release.package.digest)
    return try installer.install(
      review(of: source, for: plan), named: source.path,
      download: DownloadKeeping(
        note: note.bytes, packedParts: source.packedParts, origin: details.provenance.origin.bytes,
        seen: details.provenance.seen, store: details.provenance.note))
  }

  /// Returns why a release would not be installed by its plan, as far as is known before its content is downloaded; nil
  /// if the download would begin.
  ///
  /// - Throws: The errors of `fetch`.
  package func refusal(of plan: Plan) throws -> PackageInstaller.Result? {
    guard let details = plan.details else { return nil }
    do {
      let source = try source(details, plan, ignoringRanges: false)
      return try installer.refusal(of: review(of: source, for: plan), named: source.path)
    } catch let error as StoreError where error.reason == .rangeIgnored {
      return nil  // the targets of the links would require the whole package
    } catch let error as CompressedContent {
      throw error.error
    }
  }

  private func source(_ details: Details, _ plan: Plan, ignoringRanges: Bool) throws -> ReleaseSource {
    try ReleaseSource(
      details.content, in: reader.store, reusing: details.reused,
      isWhole: plan.isWhole || ignoringRanges, ignoringRanges: ignoringRanges,
      connections: reader.store.connections.map {
        reader.link.estimate.connections(atMost: $0, processors: WorkerPool.processorCount)
      }, counting: plan.meter)
  }

  private func review(of source: ReleaseSource, for plan: Plan) throws -> ContentReview {
    let review = try ContentReview(of: source, limits: context.limits, cancellation: context.cancellation)
    if let info = review.contentInfo,
      info.productIdentifier != plan.productIdentifier || info.contentVersion != plan.contentVersion
    {
      throw Untrustworthy(
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
  package func settle(_ current: CurrentProduct) throws {
    let products = InstalledProducts(access)
    try products.note(store: current.provenance.note)
    try products.note(origin: current.provenance.origin.bytes, of: current.productIdentifier)
    try products.discardDownload(of: current.productIdentifier)
  }

  /// Returns the result of `work`; nil if the `Documents` folder does not exist.
  func ifThere<Found>(_ work: () throws -> Found?) throws -> Found? {
    do {
      return try work()
    } catch let error as FileError where error.errno == .noSuchFileOrDirectory {
      return nil
    }
  }
}
