#if COMMAND_LINE_TOOL
package import ContentPackage
import SafeFiles
import Support

/// Copies a store: first the missing objects, each verified by its digest, and the catalog last.
package struct StoreCopier: Sendable {
  private let source: StoreReader
  private let target: CatalogChange
  /// Whether a catalog signed by another key may be replaced.
  private let allowsNewKey: Bool
  /// Whether a catalog with entries that the source lacks may be replaced.
  private let allowsLoss: Bool
  private let isDryRun: Bool
  /// Whether every byte of the objects in the copy is verified, not only their size. Damaged trust documents are then
  /// replaced, and a damaged catalog if the caller names the key of the source or allows a new key.
  private let isDeep: Bool
  private let context: WorkContext

  /// Creates a copier.
  ///
  /// - Parameters:
  ///   - source: The reader of the store to copy.
  ///   - target: The copy, which must be writable.
  ///   - allowsNewKey: Whether a catalog signed by another key may be replaced.
  ///   - allowsLoss: Whether a catalog with entries that the source lacks may be replaced.
  ///   - isDryRun: Whether nothing is written.
  ///   - isDeep: Whether every byte of the objects in the copy is verified, not only their size.
  ///   - context: Ends the work, and receives the progress.
  package init(
    from source: StoreReader, to target: any Store, allowsNewKey: Bool, allowsLoss: Bool, isDryRun: Bool,
    isDeep: Bool, _ context: WorkContext
  ) {
    self.source = source
    self.target = CatalogChange(of: target, cancellation: context.cancellation)
    self.allowsNewKey = allowsNewKey
    self.allowsLoss = allowsLoss
    self.isDryRun = isDryRun
    self.isDeep = isDeep
    self.context = context
  }

  /// Copies all objects that the catalog of the source refers to. Reuses objects that an interrupted run copied and, in
  /// a folder, partly copied ones.
  ///
  /// - Throws: `PublishingError` if the copy is ahead of the source or belongs to another store; `IntegrityError`,
  ///   `StoreError`, `FileError`, `Interruption`.
  package func copy() throws -> Report {
    var attempt = 1
    while true {
      guard let (current, bytes) = try source.catalogDocument() else {
        throw PublishingError.noCatalog(store: source.store.name)
      }
      do {
        return try copy(current, bytes)
      } catch  where error.concernsObject || error is TrustError {
        // A publisher may have replaced the catalog and pruned objects of the previous one, or changed the keys.
        guard attempt < OptimisticRetry.maximumAttemptCount, let now = try source.catalog(),
          now.tag != current.tag
        else { throw error }
        attempt += 1
      }
    }
  }

  private func copy(_ current: CurrentCatalog, _ envelope: [UInt8]) throws -> Report {
    let present = try self.present()
    let trust = try TrustCopy(
      for: current, from: source, to: target, after: present?.signers ?? [], allowsNewKey: allowsNewKey,
      isDeep: isDeep)
    let isNew = try isNew(current, after: present, trust)
    var revoked = try checkLoss(of: present, replacedBy: current)
    context.progress.begin(.comparing, source.store.name)
    let wanted = try missing(of: references(of: current.catalog, by: source), after: present)
    func report(_ copied: [ObjectReference]) -> Report {
      Report(
        catalog: current.catalog, isNew: isNew, objects: copied.count + trust.missing.count,
        bytes: SizeRules.sum(copied.map(\.byteCount)) + trust.byteCount, revoked: revoked)
    }
    guard !isDryRun else { return report(try wanted.filter { try !isPresent($0) }) }
    if present == nil { try target.store.writable().checkConditions() }
    context.progress.begin(
      .copying, target.store.name, totalBytes: SizeRules.sum(wanted.map(\.byteCount)))
    let copied = try WorkerPool.collect(count: wanted.count, jobs: Self.jobs) {
      { index in try copy(wanted[index]) ? [wanted[index]] : [] }
    }
    try target.store.writable().exclusively {
      try context.cancellation.check()
      let checked = present?.tag
      let present = try self.present()
      let trust = try TrustCopy(
        for: current, from: source, to: target, after: present?.signers ?? [], allowsNewKey: allowsNewKey,
        isDeep: isDeep)
      let isNew = try self.isNew(current, after: present, trust)
      if present?.tag != checked { revoked = try checkLoss(of: present, replacedBy: current) }
      // A catalog that the newest trust document of the copy accepts is written before the missing documents.
      let catalogIsFirst = trust.acceptsCatalogBefore(current)
      if !catalogIsFirst { try trust.copy() }
      guard isNew else { return catalogIsFirst ? try trust.copy() : () }
      for reference in wanted where try !target.reader.hasObject(reference) {
        throw StoreError(
          .missing, target.store.name,
          "\(target.reader.place(of: reference.path)) disappeared after it was copied; another process is changing the copy"
        )
      }
      if let catalog = present?.catalog { try target.renewLists(of: catalog, replacedBy: current.catalog) }
      _ = try target.replace(present?.tag, with: current.catalog, in: envelope)
      if catalogIsFirst { try trust.copy() }
    }
    return report(copied)
  }

  /// The catalog of the copy.
  private struct TargetCatalog {
    let tag: ObjectTag
    /// The catalog; nil if it cannot be read.
    let catalog: Catalog?
    /// The sequence number; nil if it cannot be read.
    let sequence: Int64?
    let signers: [SSHPublicKey]
    let isDamaged: Bool
  }

  /// Returns the catalog of the copy; nil if there is none.
  ///
  /// - Throws: `PublishingError.copyDamaged` for a damaged catalog, unless the copy is deep and the key of the source
  ///   is trusted, and the errors of `CatalogChange.currentByAnyKey`.
  private func present() throws -> TargetCatalog? {
    do {
      return try target.currentByAnyKey().map {
        TargetCatalog(
          tag: $0.tag, catalog: $0.catalog, sequence: $0.catalog.sequence, signers: $0.signers,
          isDamaged: false
        )
      }
    } catch let damage where damage is IntegrityError || (damage as? StoreError)?.reason == .invalidResponse {
      let (store, place) = (target.store, StorePath.catalog)
      // A damaged catalog of any size may be replaced, but not the catalog of another version of iapkg.
      let bytes = (try? store.object(at: place, limit: DocumentLimits.maximumCatalogBytes))?.bytes ?? []
      guard !CatalogEnvelope.isOfOtherVersion(bytes), let status = try store.status(of: place) else {
        throw damage
      }
      // The key of a damaged catalog is unknown, so the caller must name the key of the source or allow any key.
      guard isDeep, source.requiresKey || allowsNewKey else {
        throw PublishingError.copyDamaged(store: store.name, reason: "\(damage)", source: source.store.name)
      }
      let payload = (try? CatalogEnvelope(bytes: bytes))?.payload
      let catalog = payload.flatMap { try? Catalog(payload: $0) }
      return TargetCatalog(
        tag: status.tag, catalog: catalog, sequence: payload.flatMap(Catalog.sequence(in:)), signers: [],
        isDamaged: true)
    }
  }

  /// Returns whether the copy has an object; verifies its bytes only if that is cheap.
  private func isPresent(_ reference: ObjectReference) throws -> Bool {
    guard try target.reader.hasObject(reference) else { return false }
    return try !target.isReadCheaply(reference) || target.reader.isIntact(reference)
  }

  /// Copies an object unless the copy has it, and verifies the result.
  ///
  /// - Returns: Whether the copy lacked the object.
  private func copy(_ reference: ObjectReference) throws -> Bool {
    let progress = context.progress
    if try target.isPresent(reference) {
      progress.advance(by: reference.byteCount)
      return false
    }
    let present = try target.presentObject(reference)
    if let present {
      // The object is old: `prune` may delete it before the catalog refers to it. Writing it again renews its time.
      try target.write(present, at: reference) { progress.advance(by: $0) }
    } else if try !complete(reference) {
      try target.write(try source.copy(of: reference), at: reference) { progress.advance(by: $0) }
    }
    try target.reader.check(reference) { _ in }
    return present == nil
  }

  /// Appends the missing bytes to the part of an object, which may be empty, and gives the part the name of the object.
  ///
  /// - Returns: False if the store keeps no part, or the result is not the object.
  private func complete(_ reference: ObjectReference) throws -> Bool {
    guard let part = try target.store.writable().part(of: reference.path, atMost: reference.byteCount) else {
      return false
    }
    let progress = context.progress
    do {
      var hasher = SHA256Hasher()
      try part.readPresent { hasher.update($0) }
      progress.advance(by: part.byteCount)
      try source.check(reference, in: source.store, after: (part.byteCount, hasher)) { block in
        try part.append(block)
        progress.advance(by: Int64(block.byteCount))
      }
      try part.commit()
      return true
    } catch let error where error is DamagedDocument || (error as? StoreError)?.reason == .rangeIgnored {
      // The caller reads the object from its beginning, with retries.
      progress.advance(by: -part.byteCount)
      try part.discard()
      return false
    }
  }

  /// The number of objects copied at a time.
  private static let jobs = 4

  /// Returns whether the catalog differs from that of the copy.
  ///
  /// - Throws: `PublishingError` if it must not replace the catalog of the copy.
  private func isNew(
    _ current: CurrentCatalog, after present: TargetCatalog?, _ trust: TrustCopy
  ) throws(PublishingError) -> Bool {
    guard let present, let sequence = present.sequence else { return true }
    let (copy, source) = (target.store.name, source.store.name)
    if !trust.isContinued, let signed = present.signers.first, !current.signers.contains(signed),
      !allowsNewKey
    {
      throw .copyByOtherKey(
        store: copy, fingerprint: signed.fingerprint, source: source, found: current.signer?.fingerprint)
    }
    // Under a later trust document, the sequence number may be lower.
    if let seen = present.catalog, (seen.trust ?? 0) < current.catalog.trust ?? 0 { return true }
    guard sequence <= current.catalog.sequence else {
      throw .copyAhead(
        store: copy, sequence: sequence, source: source, sourceSequence: current.catalog.sequence)
    }
    guard sequence == current.catalog.sequence, !present.isDamaged else { return true }
    guard present.catalog == current.catalog else {
      throw .copyDiffers(store: copy, sequence: sequence, source: source)
    }
    return present.signers != current.signers
  }

  /// Verifies that the catalog of the copy has no products, releases or withdrawals that the source lacks, unless that
  /// is allowed.
  ///
  /// - Returns: The withdrawals of the copy that the source does not list.
  /// - Throws: `PublishingError.copyLoses`, `IntegrityError`, `StoreError`.
  private func checkLoss(
    of present: TargetCatalog?, replacedBy current: CurrentCatalog
  ) throws -> [CatalogEntry] {
    guard !allowsLoss, let catalog = present?.catalog else { return [] }
    let loss = try CatalogLoss.find(
      in: catalog, by: target.reader, missingIn: current.catalog, by: source)
    guard loss.entries.isEmpty else {
      throw PublishingError.copyLoses(store: target.store.name, source: source.store.name, loss.entries)
    }
    return loss.revoked
  }

  /// Returns all objects that a catalog refers to. With `skipsDamage`, omits unreadable release lists
  /// and the objects of their products.
  private func references(
    of catalog: Catalog, by reader: StoreReader, skipsDamage: Bool = false
  ) throws -> [ObjectReference] {
    try reader.forEachList(in: catalog) { product, entry in
      do {
        let releases = try reader.releases(of: product, in: catalog)?.releases ?? []
        return releases.flatMap(\.objects) + [entry.releases]
      } catch  where skipsDamage && error.concernsObject {
        return []
      }
    }
  }

  /// Returns the objects that the copy lacks. An object that the copy's catalog refers to is present if its size
  /// matches, and for a deep copy its digest. All other objects are returned: `prune` may delete them at any time, so
  /// `copy(_:)` verifies them.
  private func missing(
    of references: [ObjectReference], after present: TargetCatalog?
  ) throws -> [ObjectReference] {
    let references = references.sorted { $0.path.text > $1.path.text }
    guard let present, let catalog = present.catalog, !present.isDamaged else { return references }
    let known = Set(try self.references(of: catalog, by: target.reader, skipsDamage: true).map(\.path))
    return try WorkerPool.collect(count: references.count, jobs: StoreVerifier.jobs) {
      { index in
        let reference = references[index]
        guard known.contains(reference.path), try target.reader.hasObject(reference) else {
          return [reference]
        }
        return try isDeep && !target.reader.isIntact(reference) ? [reference] : []
      }
    }.sorted { $0.path.text > $1.path.text }
  }
}
#endif
