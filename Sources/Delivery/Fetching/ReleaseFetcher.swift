package import ContentPackage
package import Installation
import SafeFiles
import Support
import SystemPackage
import ZipArchive

/// Installs releases from a store: what is there already is taken over, and only the rest is transferred.
///
/// Nothing that comes is believed before it was checked: the catalog by its signature, each document by the digest in the
/// one before, names, kinds and links by the rules, and the bytes of each file by their SHA-256.
package struct ReleaseFetcher: Sendable {
  /// What is to be transferred for a release, before anything was changed.
  package struct Plan: Sendable {
    package let productIdentifier: ProductIdentifier
    package let contentVersion: ContentVersion
    package let installedVersion: ContentVersion?
    /// Bytes of the parts of the package that are asked for.
    package let transferBytes: Int64
    /// Bytes of the files that are there already.
    package let reusedBytes: Int64
    package let origin: ProductOrigin
    /// Whether no key was known before that must have signed the catalog.
    package let isFirstContact: Bool
    let choice: ReleaseChoice
    let content: ReleaseContent
    let reused: ReusedFiles
    /// Counts what was asked of the store so far, and what came.
    package let meter: TransferMeter
  }

  /// What can be done for a product.
  package enum Prospect: Sendable {
    case fetch(Plan)
    /// This version is installed, and the store has no newer one.
    case current(ContentVersion, TransferMeter)
  }

  /// What became of a product.
  package struct Result: Sendable {
    package let plan: Plan
    package let installation: PackageInstaller.Result
    package let transferredBytes: Int64
    package let requests: Int

    /// Whether this version was installed already.
    package var isUpToDate: Bool { installation.outcome == .upToDate }
  }

  private let reader: StoreReader
  private let installer: PackageInstaller
  private var access: DocumentsAccess { installer.access }
  private var context: WorkContext { access.context }
  /// The store as it is remembered.
  private let location: String
  /// Whether the caller named the keys that may have signed the catalog.
  private let namesSigners: Bool
  private let allowsExpired: Bool

  /// - Parameters:
  ///   - reader: of the store, which checks the signature of its catalog.
  ///   - location: the store as it is remembered.
  ///   - namesSigners: whether `reader` was told who may have signed the catalog.
  ///   - allowsExpired: whether a catalog will do that has expired.
  ///   - installer: how and where releases are installed.
  package init(
    _ reader: StoreReader, location: String, namesSigners: Bool, allowsExpired: Bool,
    installer: PackageInstaller
  ) {
    self.reader = reader
    self.location = location
    self.namesSigners = namesSigners
    self.allowsExpired = allowsExpired
    self.installer = installer
  }

  /// Finds the release that is wanted, and what of it is there already; with `resuming` also what an earlier try has
  /// received. For an update nothing more is asked of the store where no newer release is there.
  ///
  /// - Throws: `FetchRefusal`, `PublishingRefusal` for what the store does not have, `Untrustworthy`, `StoreFailure`,
  ///   `FileFailure`, `DocumentsBusy`, `RecordUnreadable`, `Interruption`.
  package func plan(
    _ product: ProductIdentifier, _ choice: ReleaseChoice, resuming: Bool, isUpdate: Bool = false
  ) throws -> Prospect {
    context.progress.begin(.checking, location)
    let products = InstalledProducts(access)
    let known = try known(product)
    let isKnown = known?.store == location
    let (release, present) = try reader.release(of: product, choice, allowsExpired: allowsExpired) {
      present in
      try known?.check(
        present, of: location, at: reader.place(of: .catalog), allowsOtherSigner: namesSigners)
    }
    let contents = try ifThere { try products.contents(of: product) } ?? []
    if isUpdate, let installed = contents.first?.version.contentVersion, installed >= release.contentVersion {
      return .current(installed, reader.meter)
    }
    let content = try ReleaseContent(of: release, by: reader)
    var reused = ReusedFiles(of: content)
    let downloads = resuming ? try ifThere { try products.downloads(of: product) } ?? [] : []
    let installed = try contents.map { ReusableFolder.installed(try $0.version.items(), $0.tree) }
    for folder in installed + downloads.map(ReusableFolder.received) {
      try reused.look(in: folder, for: content, context)
    }
    let transfer = ReleaseSource.plan(of: content, reusing: reused)
    let plan = Plan(
      productIdentifier: product, contentVersion: release.contentVersion,
      installedVersion: contents.first?.version.contentVersion,
      transferBytes: transfer.bytes + release.index.byteCount,
      reusedBytes: content.entries.indices.reduce(0) {
        $0 + (reused.has($1) ? content.entries[$1].size : 0)
      },
      origin: ProductOrigin(
        store: location, channel: choice.channel, signer: present.signer?.fingerprint,
        sequence: max(present.catalog.sequence, isKnown ? known?.sequence ?? 0 : 0)),
      isFirstContact: !namesSigners && known?.signer == nil, choice: choice, content: content, reused: reused,
      meter: reader.meter)
    return .fetch(plan)
  }

  /// What is remembered of a product; where that cannot be read, nothing if the caller says whom to trust.
  private func known(_ product: ProductIdentifier) throws -> ProductOrigin? {
    do {
      return try ifThere { try ProductOrigin.of(product, in: access) }
    } catch FetchRefusal.originUnreadable where namesSigners {
      return nil
    }
  }

  /// Installs a release by its plan.
  ///
  /// - Throws: as `plan`, and as `PackageInstaller.install`.
  package func fetch(_ plan: Plan) throws -> Result {
    let installation = try installation(by: plan)
    switch installation.outcome {
    case .installed, .upToDate:
      let products = InstalledProducts(access)
      try products.note(origin: plan.origin.bytes, of: plan.productIdentifier)
      try products.discardDownload(of: plan.productIdentifier)
    default: break
    }
    return Result(
      plan: plan, installation: installation, transferredBytes: plan.meter.bytes,
      requests: plan.meter.requests)
  }

  /// What was damaged on the way is asked for once more, and what came well before is not.
  private func installation(by plan: Plan) throws -> PackageInstaller.Result {
    do {
      return try install(plan, isWhole: false)
    } catch let failure as StoreFailure where failure.reason == .rangeIgnored {
      return try install(plan, isWhole: true)
    } catch let error as Untrustworthy {
      guard case .fetch(let again) = try self.plan(plan.productIdentifier, plan.choice, resuming: true) else {
        throw error
      }
      return try install(again, isWhole: false)
    }
  }

  private func install(_ plan: Plan, isWhole: Bool) throws -> PackageInstaller.Result {
    let source = try ReleaseSource(
      plan.content, in: reader.store, reusing: plan.reused, isWhole: isWhole, counting: plan.meter)
    let review = try ContentReview(of: source, limits: context.limits, cancellation: context.cancellation)
    if let info = review.contentInfo,
      info.productIdentifier != plan.productIdentifier || info.contentVersion != plan.contentVersion
    {
      throw Untrustworthy(
        source.path,
        "is \(info.productIdentifier) \(info.contentVersion), expected \(plan.productIdentifier) "
          + "\(plan.contentVersion)")
    }
    let note = DownloadNote(
      store: location, contentVersion: plan.contentVersion, contentBytes: plan.content.release.contentBytes)
    return try installer.install(review, named: source.path, download: note.bytes)
  }

  /// Deletes what was received of a release that is not needed any more.
  ///
  /// - Throws: as `InstalledProducts.discardDownload`.
  package func discardDownload(of product: ProductIdentifier) throws {
    try InstalledProducts(access).discardDownload(of: product)
  }

  /// What `work` finds in `Documents`; nil if the folder is not there yet.
  private func ifThere<Found>(_ work: () throws -> Found?) throws -> Found? {
    do {
      return try work()
    } catch let failure as FileFailure where failure.errno == .noSuchFileOrDirectory {
      return nil
    }
  }
}
