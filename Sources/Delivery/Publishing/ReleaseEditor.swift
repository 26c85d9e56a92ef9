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
  let isRehearsal: Bool

  package init(of product: ProductIdentifier, by change: CatalogChange, isRehearsal: Bool = false) {
    self.product = product
    self.change = change
    self.isRehearsal = isRehearsal
  }

  /// Withdraws a version for a reason, or revokes its withdrawal if the reason is nil.
  ///
  /// - Throws: `PublishingError`, `IntegrityError`, `StoreError`, `SignatureError`.
  package func withdraw(_ version: ContentVersion, reason: String?) throws -> Result {
    try edit(version) { release, _ in release.withdrawn = reason }
  }

  /// Adds a version to a channel. All its objects must be in the store.
  ///
  /// - Throws: `PublishingError.withdrawn`, or `.invalid` for a version below the highest of the channel, unless
  ///   `allowsOlder`; other cases of `PublishingError`, `IntegrityError`, `StoreError`, `SignatureError`.
  package func promote(
    _ version: ContentVersion, to channel: Channel, allowingOlder allowsOlder: Bool
  ) throws -> Result {
    try edit(version) { release, releases in
      if let reason = release.withdrawn {
        throw PublishingError.withdrawn(product, release.contentVersion, reason: reason)
      }
      let decision = PublicationRules.decide(
        onPromoting: release, to: channel, among: releases, allowsOlder: allowsOlder)
      switch decision {
      case .current: return
      case .refuse(let finding):
        let place = change.reader.place(of: release.package.path)
        throw PublishingError.invalid(path: place, findings: [finding])
      case .add:
        for reference in release.objects where try !change.reader.hasObject(reference) {
          throw StoreReader.missing(change.reader.place(of: reference.path))
        }
        release.promote(to: channel)
      }
    }
  }

  /// Changes a release by `edit`, and the catalog if the release then differs.
  ///
  /// - Throws: The errors of `edit`; `PublishingError`, `IntegrityError`, `StoreError`, `SignatureError`.
  private func edit(
    _ version: ContentVersion, _ edit: (inout Release, ProductReleases) throws -> Void
  ) throws -> Result {
    func apply(_ draft: inout CatalogDraft) throws -> (Release, isChanged: Bool) {
      guard draft.current != nil else { throw PublishingError.noCatalog(store: change.store.name) }
      guard var releases = try draft.releases(of: product) else {
        throw PublishingError.noProduct(product, store: change.store.name)
      }
      guard let index = releases.releases.firstIndex(where: { $0.contentVersion == version }) else {
        throw PublishingError.noVersion(product, version, store: change.store.name)
      }
      let before = releases.releases[index]
      var release = before
      try edit(&release, releases)
      guard release != before else { return (release, false) }
      releases.releases[index] = release
      draft.change(releases)
      return (release, true)
    }
    guard let current = try change.current(isRehearsal: isRehearsal) else {
      throw PublishingError.noCatalog(store: change.store.name)
    }
    if isRehearsal {
      var draft = CatalogDraft(current, reader: change.reader)
      let (release, isChanged) = try apply(&draft)
      try draft.checkReadable()
      if isChanged { _ = try change.time(after: current) }
      return Result(release: release, isChanged: isChanged, sequence: current.catalog.sequence)
    }
    let (result, catalog) = try change.commit(apply)
    return Result(
      release: result.0, isChanged: result.isChanged,
      sequence: catalog?.sequence ?? current.catalog.sequence)
  }
}
