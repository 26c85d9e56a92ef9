#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles
package import Support

/// The signing, dating and atomic replacement of catalogs.
package struct CatalogChange: Sendable {
  /// The settings for signing and dating catalogs.
  package struct Options: Sendable {
    /// Whether a key other than that of the current catalog may sign.
    package let allowsNewKey: Bool
    /// The days until the catalog expires: 0 for no expiry, nil for the previous period.
    package let expiryDays: Int64?
    /// Whether the local clock may be behind the publication time of the current catalog.
    package let ignoresClock: Bool
    /// Whether a store that has releases but no catalog gets a new catalog without them.
    package let startsNewCatalog: Bool

    /// Creates settings, by default for the present key, with the previous expiry period.
    package init(
      allowsNewKey: Bool = false, expiryDays: Int64? = nil, ignoresClock: Bool = false,
      startsNewCatalog: Bool = false
    ) {
      self.allowsNewKey = allowsNewKey
      self.expiryDays = expiryDays
      self.ignoresClock = ignoresClock
      self.startsNewCatalog = startsNewCatalog
    }
  }

  /// The store of the catalog.
  package let store: any Store
  let reader: StoreReader
  /// A cache of the last catalog read.
  private let known = KnownCatalog()
  let signers: [CatalogSigner]
  let options: Options
  let cancellation: Cancellation
  let observed = ObservedStoreState()
  /// The local clock.
  let now: @Sendable () -> Timestamp

  /// Creates a change of the catalog of a store; `now` returns the time of the local clock.
  package init(
    of store: any Store, signers: [CatalogSigner] = [], options: Options = Options(),
    cancellation: Cancellation,
    now: @escaping @Sendable () -> Timestamp = { .now }
  ) {
    self.store = store
    self.signers = signers
    self.options = options
    self.cancellation = cancellation
    self.now = now
    reader = StoreReader(store)
  }

  /// Reads the current catalog, and verifies that the given keys may change it.
  ///
  /// - Parameters:
  ///   - isDryRun: Whether nothing is changed, which requires no key.
  ///   - acceptsLoss: Whether the catalog may lack releases that the keys remember.
  ///   - packages: The packages that are published if the store has no catalog; nil if they are still unknown.
  /// - Returns: The catalog; nil if the store is empty or missing.
  /// - Throws: `PublishingError`, `IntegrityError`, `StoreError`.
  func current(
    isDryRun: Bool = false, acceptingLoss acceptsLoss: Bool = false,
    publishing packages: Set<StorePath>? = nil
  ) throws -> CurrentCatalog? {
    readMemories()
    guard let current = try currentByAnyKey(publishing: packages) else {
      if acceptsLoss { return nil }
      // This check comes first: a missing store lacks its trust documents too.
      try checkAbsence()
      try check(nil, isDryRun: isDryRun)
      return nil
    }
    try check(current, isDryRun: isDryRun)
    if !acceptsLoss { try checkReleases(of: current) }
    return current
  }

  /// Reads the current catalog, whichever key signed it.
  ///
  /// A store with release lists has lost its catalog if it also has packages other than `packages`. Without others, an
  /// interrupted first publication of the same packages has left the lists.
  ///
  /// - Returns: The catalog; nil if the store is empty or missing.
  /// - Throws: `PublishingError.notAStore` or `.catalogLost`, `IntegrityError`, `StoreError`.
  func currentByAnyKey(publishing packages: Set<StorePath>? = nil) throws -> CurrentCatalog? {
    if let current = try known.update(by: reader) { return current }
    guard let found = try listing(), let packages, lacksCatalog(found), !found.packages.isSubset(of: packages)
    else { return nil }
    do {
      // Another publisher may be about to write the first catalog.
      return try OptimisticRetry.run(on: store.name, cancellation) {
        if let current = try known.update(by: reader) { return current }
        throw StoreError(.conflict, store.name, "\(store.name) has no catalog")
      }
    } catch let error as StoreError where error.reason == .conflict {
      throw PublishingError.catalogLost(store: store.name, products: found.products.count)
    }
  }

  /// Returns whether a store without a catalog has release lists, of a lost catalog or an interrupted first
  /// publication.
  ///
  /// - Throws: `PublishingError.notAStore`, `StoreError`.
  func lacksCatalog() throws -> Bool { try listing().map(lacksCatalog) ?? false }

  private func lacksCatalog(_ found: StoreListing) -> Bool {
    !found.products.isEmpty && !options.startsNewCatalog
  }

  /// Lists a store without a catalog; nil if it cannot be listed.
  ///
  /// - Throws: `PublishingError.notAStore`, `StoreError`.
  func listing() throws -> StoreListing? {
    guard !store.objectsMayFollow else { return nil }
    let found = try known.listing(of: store.writable())
    if let unmanagedFile = found.unmanagedFile {
      throw PublishingError.notAStore(store: store.name, found: unmanagedFile)
    }
    return found
  }

  /// Verifies before an upload that the next catalog can be signed, dated, numbered and, if it is the first, written
  /// without overwriting another one. Each key signs a probe text.
  ///
  /// - Throws: `PublishingError`, `SignatureError`, `IntegrityError`, `StoreError`, `Interruption`.
  package func checkWritable() throws {
    let current = try current()
    _ = try CatalogDraft(current, reader: reader).catalog(
      at: time(after: current), expiringAfter: options.expiryDays, store: store.name)
    if current == nil { try store.writable().checkConditions() }
    try signingRules(after: current).check(try signers.map { try $0.probe() })
  }

  /// Returns the publication time of the next catalog.
  ///
  /// - Throws: `PublishingError` for a wrong clock.
  func time(after current: CurrentCatalog?) throws(PublishingError) -> Timestamp {
    let now = now()
    guard now.isDocumented else { throw .clockUnusable(year: now.year) }
    guard let published = current?.catalog.published, !options.ignoresClock,
      now < Timestamp(seconds: published.seconds - Self.toleratedDelay)
    else { return now }
    throw .clockBehind(store: store.name, published: published, now: now)
  }

  /// Returns the current time, but no time before the catalog: clients assume that a catalog is not from the future.
  func now(after current: CurrentCatalog?) -> Timestamp {
    let now = now()
    return max(now, current?.catalog.published ?? now)
  }

  /// The current time of the store's clock, in seconds since 1970.
  var storeTime: Int64 { now().seconds + clockDifference }

  /// The seconds by which the store's clock is ahead; 0 if it is unknown.
  var clockDifference: Int64 { store.clockDifference ?? 0 }

  /// The tolerated difference between the clocks of two publishers, in seconds.
  private static let toleratedDelay: Int64 = 300

  /// Changes the catalog atomically, and retries if another publisher came first. Without a change the catalog is
  /// replaced only to change the key or the expiry, or to renew an expired catalog.
  ///
  /// - Parameters:
  ///   - isForced: Whether the catalog is replaced even without a change.
  ///   - acceptsLoss: Whether the catalog may lack releases and withdrawals that the keys remember. The keys then no
  ///     longer require them.
  ///   - minimumSequence: The minimum sequence number of the next catalog.
  ///   - packages: The packages that `change` adds.
  ///   - change: Changes a draft and returns its result; called with a new draft at each attempt.
  /// - Returns: The last result of `change`, and the current catalog; nil if there is none and none was created.
  /// - Throws: The errors of `change`; `PublishingError`, `IntegrityError`, `StoreError`, `SignatureError`.
  func commit<Result>(
    isForced: Bool = false, acceptingLoss acceptsLoss: Bool = false, minimumSequence: Int64 = 1,
    adding packages: Set<StorePath> = [],
    _ change: (inout CatalogDraft) throws -> Result
  ) throws -> (result: Result, catalog: Catalog?) {
    try store.writable().exclusively {
      try cancellation.check()
      let current = try current(acceptingLoss: acceptsLoss, publishing: packages)
      var draft = CatalogDraft(current, reader: reader)
      let result = try change(&draft)
      let rules = try signingRules(after: current)
      guard isForced || draft.isChanged || mustRenew(current, rules) else {
        // The run that replaced the catalog may have been killed before it updated the memories.
        if let current, hasSigner(among: current.signers) {
          let releases = try forgottenReleases(in: current, reading: draft.knownReleases)
          try remember(current.catalog, releases, of: draft, acceptingLoss: acceptsLoss, under: rules.trust)
        }
        return (result, current?.catalog)
      }
      let catalog = try draft.catalog(
        at: time(after: current), expiringAfter: options.expiryDays, atLeast: minimumSequence,
        under: rules.trust, store: store.name)
      try draft.checkReadable()
      // Signing may fail, so it precedes every write.
      let envelope = try envelope(of: catalog, rules)
      for (reference, bytes) in draft.files { _ = try put(MemoryBytes(bytes), at: reference) { _ in } }
      if let current { try renewLists(of: current.catalog, replacedBy: catalog) }
      let written = try replace(current?.tag, with: catalog, in: envelope)
      // A bucket has no lock, so another process may have published a trust document.
      if store.connections != nil {
        let after = try signingRules(after: current)
        if after.trust?.version != rules.trust?.version { try after.check(reader.catalog()) }
      }
      observed.advance(to: written.sequence)
      try remember(catalog, draft.changedReleases, of: draft, acceptingLoss: acceptsLoss, under: rules.trust)
      return (result, written)
    }
  }

  /// Remembers the catalog of a draft, which one of the keys signed, and the releases of lists that were read.
  private func remember(
    _ catalog: Catalog, _ releases: KeyMemory.Releases, of draft: CatalogDraft,
    acceptingLoss acceptsLoss: Bool, under newest: TrustDocument?
  ) throws {
    // A new catalog begins without the earlier releases.
    let missing = try draft.current.map { current in
      acceptsLoss ? try missingReleases(in: current) : observed.search(of: current.tag) ?? MissingReleases()
    }
    try remember(
      .init(
        sequence: catalog.sequence, isFirst: draft.current == nil && options.startsNewCatalog,
        releases: (missing?.listed ?? [:]).merging(releases) { $1 },
        lost: missing?.versions ?? rememberedReleases, revoked: missing?.withdrawals ?? [:],
        catalog: KeyMemory.SignedCatalog(
          catalog, SHA256Digest(of: catalog.payload), unread: missing?.unread ?? [])),
      under: newest)
  }

  /// Changes a draft of the current catalog as `commit` would, and writes nothing, which requires no key.
  ///
  /// - Parameter change: Changes a draft and returns its result.
  /// - Returns: The result of `change`, and the current catalog; nil if there is none.
  /// - Throws: The errors of `commit`, except those of writing and signing.
  func dryRun<Result>(
    _ change: (inout CatalogDraft) throws -> Result
  ) throws -> (result: Result, catalog: Catalog?) {
    let current = try current(isDryRun: true)
    var draft = CatalogDraft(current, reader: reader)
    let result = try change(&draft)
    try draft.checkReadable()
    try checkNext(draft)
    return (result, current?.catalog)
  }

  /// Writes a catalog, and verifies the result.
  ///
  /// - Parameters:
  ///   - tag: The tag of the current catalog; nil if there must be none.
  ///   - catalog: The catalog.
  ///   - bytes: The bytes of `catalog.json`.
  /// - Returns: The current catalog.
  /// - Throws: `StoreError`, with `.conditionFailed` if the store has another catalog; `IntegrityError` if the
  ///   store returns other bytes than were written.
  func replace(_ tag: ObjectTag?, with catalog: Catalog, in bytes: [UInt8]) throws -> Catalog {
    // An interrupted write may take effect, so cancellation is no longer checked.
    let condition = tag.map(StoreCondition.unchanged) ?? .absent
    let written = try store.writable().put(
      MemoryBytes(bytes), at: .catalog, caching: .revalidated, if: condition, advance: { _ in })
    if written.tag.isDigest(of: bytes), try store.status(of: .catalog) == written { return catalog }
    guard let now = try reader.catalog() else {
      let place = reader.place(of: .catalog)
      throw StoreError(.missing, place, "\(place) disappeared after it was written")
    }
    // Another publisher may have replaced the catalog since; the caller then finds its releases in the newer catalog.
    guard now.catalog == catalog || now.catalog.sequence > catalog.sequence else {
      throw IntegrityError(reader.place(of: .catalog), "is not the catalog that was written")
    }
    return now.catalog
  }

  /// Replaces the catalog with one of the same releases, dated now, with the next sequence number or `minimumSequence`,
  /// whichever is higher. With a `minimumSequence`, which restored catalogs need, the catalog may lack releases that
  /// the keys remember.
  ///
  /// - Throws: `PublishingError`, `IntegrityError`, `StoreError`, `SignatureError`.
  package func renew(atLeast minimumSequence: Int64?) throws -> Catalog {
    let isRestored = minimumSequence != nil
    guard try current(acceptingLoss: isRestored) != nil else {
      throw PublishingError.noCatalog(store: store.name)
    }
    let (_, catalog) = try commit(
      isForced: true, acceptingLoss: isRestored, minimumSequence: minimumSequence ?? 1
    ) { draft in
      guard draft.current != nil else { throw PublishingError.noCatalog(store: store.name) }
    }
    guard let catalog else { throw PublishingError.noCatalog(store: store.name) }
    return catalog
  }
}
#endif
