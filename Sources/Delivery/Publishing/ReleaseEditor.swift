#if COMMAND_LINE_TOOL
package import ContentPackage

/// Changes the entry of a published release in the catalog. The objects of the release stay as they are.
package struct ReleaseEditor: Sendable {
  /// The result of an edit.
  package struct Result: Sendable {
    /// The release after the edit.
    package let release: Release
    /// Whether the edit changed the release.
    package let isChanged: Bool
    /// The sequence number of the catalog.
    package let sequence: Int64
  }

  let product: ProductIdentifier
  let change: CatalogChange
  /// Whether nothing is changed, which requires no key.
  let isDryRun: Bool

  /// Creates an editor of the releases of a product. With `isDryRun`, nothing is changed, which requires no key.
  package init(of product: ProductIdentifier, by change: CatalogChange, isDryRun: Bool = false) {
    self.product = product
    self.change = change
    self.isDryRun = isDryRun
  }

  /// Withdraws a version for a reason, or revokes its withdrawal if the reason is nil.
  ///
  /// - Throws: `PublishingError`, `IntegrityError`, `StoreError`, `SignatureError`.
  package func withdraw(_ version: ContentVersion, reason: String?) throws -> Result {
    try edit({ try release(version, of: $0) }) { release, _, _ in release.withdrawn = reason }
  }

  /// Adds a version to a channel. All its objects must be in the store.
  ///
  /// - Throws: `PublishingError.withdrawn`, or `.belowChannel` for a version below the highest of the channel, unless
  ///   `allowsOlder`; other cases of `PublishingError`, `IntegrityError`, `StoreError`, `SignatureError`.
  package func promote(
    _ version: ContentVersion, to channel: Channel, allowingOlder allowsOlder: Bool
  ) throws -> Result {
    try edit({ try self.release(version, of: $0) }) { release, releases, _ in
      try refuseWithdrawn(release)
      let decision = PublicationRules.decide(
        onPromoting: release, to: channel, among: releases, allowsOlder: allowsOlder)
      switch decision {
      case .current: return
      case .refuse(let finding):
        let place = change.reader.place(of: release.package.path)
        throw PublishingError.belowChannel(path: place, finding)
      case .add:
        for reference in release.objects {
          guard try change.reader.hasObject(reference) else {
            throw StoreReader.missing(change.reader.place(of: reference.path))
          }
          if change.isReadCheaply(reference) { try change.reader.check(reference) { _ in } }
        }
        release.promote(to: channel)
      }
    }
  }

  /// Changes the rollout of a version, by default of the newest version in rollout.
  ///
  /// - Throws: `PublishingError.noRollout` if no version is in rollout, `.withdrawn`, or `.critical`; other
  ///   cases of `PublishingError`, `IntegrityError`, `StoreError`, `SignatureError`.
  package func rollOut(_ version: ContentVersion?, by plan: RolloutPlan) throws -> Result {
    try edit({ releases in
      if let version { return try release(version, of: releases) }
      let newest = releases.releases.firstIndex { $0.rollout != nil && $0.withdrawn == nil }
      guard let newest else { throw PublishingError.noRollout(product, store: change.store.name) }
      return newest
    }) { release, _, time in
      try refuseWithdrawn(release)
      if let critical = release.critical, critical.below == nil {
        throw PublishingError.critical(product, release.contentVersion)
      }
      let next = plan.rollout(at: time)
      // The beginning of a rollout with a fixed share does not matter.
      let isSame =
        next?.share == release.rollout?.share && next?.until == nil && release.rollout?.until == nil
      if !isSame { release.rollout = next }
    }
  }

  private func refuseWithdrawn(_ release: Release) throws(PublishingError) {
    guard let reason = release.withdrawn else { return }
    throw .withdrawn(product, release.contentVersion, reason: reason)
  }

  /// Returns the index of a version in the list of releases.
  private func release(_ version: ContentVersion, of releases: ProductReleases) throws(PublishingError) -> Int
  {
    guard let index = releases.releases.firstIndex(where: { $0.contentVersion == version }) else {
      throw .noVersion(product, version, store: change.store.name)
    }
    return index
  }

  /// Changes the release at the index that `select` returns by `edit`, and the catalog if the release then differs.
  /// `edit` also receives the list of the release and the time of the change.
  ///
  /// - Throws: The errors of `select` and `edit`; `PublishingError`, `IntegrityError`, `StoreError`, `SignatureError`.
  private func edit(
    _ select: (ProductReleases) throws -> Int,
    _ edit: (inout Release, ProductReleases, Timestamp) throws -> Void
  ) throws -> Result {
    func apply(_ draft: inout CatalogDraft) throws -> (Release, isChanged: Bool) {
      guard draft.current != nil else { throw PublishingError.noCatalog(store: change.store.name) }
      guard var releases = try draft.releases(of: product) else {
        throw PublishingError.noProduct(product, store: change.store.name)
      }
      let index = try select(releases)
      let before = releases.releases[index]
      var release = before
      try edit(&release, releases, change.now(after: draft.current))
      guard release != before else { return (release, false) }
      releases.releases[index] = release
      draft.change(releases)
      return (release, true)
    }
    guard try isDryRun || change.current() != nil else {
      throw PublishingError.noCatalog(store: change.store.name)
    }
    let (result, catalog) = try isDryRun ? change.dryRun(apply) : change.commit(apply)
    return Result(
      release: result.0, isChanged: result.isChanged, sequence: catalog?.sequence ?? 0)
  }
}
#endif
