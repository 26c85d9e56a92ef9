public import ContentPackage
public import Installation
import SafeFiles
import Support
import SystemPackage
import ZipArchive

/// Installs releases from a store: what is there already is taken over, and only the rest is transferred.
///
/// Nothing that comes is believed before it was checked: the catalog by its signature, each document by the digest in the
/// one before, names, kinds and links by the rules, and the bytes of each file by their SHA-256.
///
/// ```swift
/// let installer = PackageInstaller(access: DocumentsAccess(path: "Documents"))
/// let keys = try TrustedKeys.read("catalog-key.pub")
/// let fetcher = try ReleaseFetcher(from: "https://example.com/store", trusting: keys, installer: installer)
/// let result = try fetcher.fetch(product)
/// print(result.installation.outcome, result.transferredBytes)
/// ```
public struct ReleaseFetcher: Sendable {
  /// What is to be transferred for a release, before anything was changed.
  public struct Plan: Sendable {
    /// The product.
    public let productIdentifier: ProductIdentifier
    /// The version that is to be installed.
    public let contentVersion: ContentVersion
    /// The version that is installed now, if any.
    public let installedVersion: ContentVersion?
    /// Bytes of the index, and of the parts of the package that are asked for.
    public let transferBytes: Int64
    /// Bytes of the index, and of the parts of the package that are missing: the same whatever the connection, where
    /// `transferBytes` may be those of the whole package.
    package let updateBytes: Int64
    /// Bytes of the files that are there already.
    public let reusedBytes: Int64
    /// The store, as it is remembered.
    package let store: String
    /// The fingerprint of the key that signed the catalog; nil for a catalog without a signature.
    package let signer: String?
    /// Why the installed version was withdrawn, if it was.
    package let withdrawn: String?
    /// Whether no key was known before that must have signed the catalog.
    public let isFirstContact: Bool
    let choice: ReleaseChoice
    /// Whether the package is read from its start to its end in one request.
    let isWhole: Bool
    /// Bytes of the package that are needed.
    let missingBytes: Int64
    /// What it takes to carry the plan out; nil once that is done.
    fileprivate var details: Details?
    /// Counts what was asked of the store so far, and what came.
    package let meter: TransferMeter

    /// What is told of the plan, without what it takes to carry it out: that has every name of the release in it.
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

  /// The installed versions in whose place a release is not installed.
  package enum KeptVersion: Sendable {
    case none
    /// Those with a higher number: the release is of a channel that is behind.
    case newer
    /// The same version too: the release is an update.
    case sameOrNewer
  }

  /// The use that a plan makes of the files that an earlier try has received.
  package enum Resumption: Sendable {
    /// It moves those that are needed, and deletes the others.
    case moving
    /// It counts them, and changes nothing.
    case counting
  }

  /// What can be done for a product.
  package enum Prospect: Sendable {
    case fetch(Plan)
    /// The store has nothing newer than what is installed.
    case current(CurrentProduct)
  }

  /// What became of a product.
  public struct Result: Sendable {
    /// The version, and what was there already.
    public let plan: Plan
    /// What became of it, and what the rules say of its content. Content that is not acceptable is an outcome, and no
    /// error.
    public let installation: PackageInstaller.Result
    /// Bytes of the documents and of the package that came from the store.
    public let transferredBytes: Int64
    /// How many objects and parts of objects were asked for.
    public let requests: Int

    /// Whether this version was installed already.
    public var isUpToDate: Bool { installation.outcome == .upToDate }
  }

  let reader: StoreReader
  let installer: PackageInstaller
  var access: DocumentsAccess { installer.access }
  private var context: WorkContext { access.context }
  /// The store as it is remembered.
  let location: String
  /// The keys that the caller trusts.
  let named: NamedKeys?
  let allowsExpired: Bool
  let transfers: TransferProgress

  /// - Parameters:
  ///   - reader: of the store.
  ///   - location: the store as it is remembered.
  ///   - named: the keys that the caller trusts, beside those that are remembered.
  ///   - allowsExpired: whether a catalog will do that has expired.
  ///   - installer: how and where releases are installed.
  ///   - transfers: says how far each product is.
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

  /// Finds the release that is wanted, and what of it is there already, also what an earlier try has
  /// received. Where the installed version is kept, nothing more is asked of the store. With `noting`, it is
  /// remembered which catalog was seen, whatever comes of it.
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

  /// The release that is wanted of a product.
  struct Candidate {
    let offer: ProductOffer
    let release: Release
  }

  /// Finds the release that is wanted.
  ///
  /// - Throws: as `plan`.
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

  /// Finds out what of a release is there already.
  ///
  /// - Throws: as `plan`.
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
  /// - Throws: as `plan`, and as `PackageInstaller.install`.
  package func fetch(_ plan: Plan) throws -> Result {
    let (installation, plan) = try installation(by: plan)
    return Result(
      plan: plan.summary, installation: installation, transferredBytes: plan.meter.bytes,
      requests: plan.meter.requests)
  }

  /// What was damaged on the way, or has given way to another release, is asked for once more, and what came well before
  /// is not.
  ///
  /// - Returns: what became of it, and the plan that was carried out.
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
        // Another run has taken what was there when the plan was made.
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

  /// The same plan, made once more: the files that were to be moved lie elsewhere now.
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

  /// Says why a release would not be installed by its plan, as far as that is known before its content is transferred; nil
  /// where it would begin.
  ///
  /// - Throws: as `fetch`.
  package func refusal(of plan: Plan) throws -> PackageInstaller.Result? {
    guard let details = plan.details else { return nil }
    do {
      let source = try source(details, plan, ignoringRanges: false)
      return try installer.refusal(of: review(of: source, for: plan), named: source.path)
    } catch let error as StoreError where error.reason == .rangeIgnored {
      return nil  // to know the targets of the links it would take the whole package
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

  /// Remembers of a product that is up to date which catalog was seen and which channel was asked for, and deletes what
  /// was received of a release that is not needed any more.
  ///
  /// - Throws: as `InstalledProducts.discardDownload`.
  package func settle(_ current: CurrentProduct) throws {
    let products = InstalledProducts(access)
    try products.note(store: current.provenance.note)
    try products.note(origin: current.provenance.origin.bytes, of: current.productIdentifier)
    try products.discardDownload(of: current.productIdentifier)
  }

  /// What `work` finds in `Documents`; nil if the folder is not there yet.
  func ifThere<Found>(_ work: () throws -> Found?) throws -> Found? {
    do {
      return try work()
    } catch let error as FileError where error.errno == .noSuchFileOrDirectory {
      return nil
    }
  }
}
