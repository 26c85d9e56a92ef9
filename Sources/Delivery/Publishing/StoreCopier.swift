package import ContentPackage
import SafeFiles
import Support

/// Copies a store: first the missing objects, each verified by its digest, and the catalog last.
package struct StoreCopier: Sendable {
  /// The result of a copy.
  package struct Report: Sendable {
    package let catalog: Catalog
    /// Whether the copy received a new catalog.
    package let isNew: Bool
    /// The number of objects copied, or to be copied in a rehearsal.
    package let objects: Int
    package let bytes: Int64
  }

  private let source: StoreReader
  private let target: CatalogChange
  /// Whether a catalog signed by another key may be replaced.
  private let allowsNewKey: Bool
  private let isRehearsal: Bool
  private let context: WorkContext

  package init(
    from source: StoreReader, to target: any Store, allowsNewKey: Bool, isRehearsal: Bool,
    _ context: WorkContext
  ) {
    self.source = source
    self.target = CatalogChange(of: target, signer: nil, cancellation: context.cancellation)
    self.allowsNewKey = allowsNewKey
    self.isRehearsal = isRehearsal
    self.context = context
  }

  /// Copies all objects that the catalog of the source refers to. Objects copied by an interrupted run are reused.
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
      } catch let error as IntegrityError {
        // A publisher may have replaced the catalog and pruned objects of the previous one.
        guard attempt < OptimisticRetry.attempts, let now = try source.catalog(),
          now.catalog != current.catalog
        else { throw error }
        attempt += 1
      }
    }
  }

  private func copy(_ current: CurrentCatalog, _ envelope: [UInt8]) throws -> Report {
    let present = try target.present(isRehearsal: isRehearsal)
    let isNew = try isNew(current, after: present)
    context.progress.begin(.comparing, source.store.name)
    let wanted = try missing(of: references(of: current.catalog, by: source), after: present)
    let bytes = wanted.reduce(0) { $0 + $1.byteCount }
    let report = Report(catalog: current.catalog, isNew: isNew, objects: wanted.count, bytes: bytes)
    guard !isRehearsal else { return report }
    context.progress.begin(.copying, target.store.name, totalBytes: bytes)
    _ = try WorkerPool.collect(count: wanted.count, jobs: Self.jobs) {
      { index in
        let progress = context.progress
        let content = try source.copy(of: wanted[index])
        return [try target.put(content, at: wanted[index]) { progress.advance(by: $0) }]
      }
    }
    try target.store.exclusively {
      try context.cancellation.check()
      let present = try target.present()
      guard try self.isNew(current, after: present) else { return }
      for reference in wanted
      where try target.store.status(of: reference.path)?.byteCount != reference.byteCount {
        throw StoreError(
          .conflict, target.store.name,
          "\(target.reader.place(of: reference.path)) disappeared after it was copied; another process changes the copy"
        )
      }
      _ = try target.replace(present, with: current.catalog, in: envelope)
    }
    return report
  }

  /// The number of objects copied at a time.
  private static let jobs = 4

  /// Returns whether the catalog differs from that of the copy.
  ///
  /// - Throws: `PublishingError` if it must not replace the catalog of the copy.
  private func isNew(_ current: CurrentCatalog, after present: CurrentCatalog?) throws(PublishingError)
    -> Bool
  {
    guard let present else { return true }
    let (copy, source) = (target.store.name, source.store.name)
    if let signed = present.signer, signed != current.signer, !allowsNewKey {
      throw .copyByOtherKey(
        store: copy, fingerprint: signed.fingerprint, source: source, found: current.signer?.fingerprint)
    }
    guard present.catalog.sequence <= current.catalog.sequence else {
      throw .copyAhead(
        store: copy, sequence: present.catalog.sequence, source: source,
        sourceSequence: current.catalog.sequence)
    }
    guard present.catalog.sequence == current.catalog.sequence else { return true }
    guard present.catalog == current.catalog else {
      throw .copyDiffers(store: copy, sequence: present.catalog.sequence, source: source)
    }
    return present.signer != current.signer
  }

  /// Returns all objects that a catalog refers to. With `skipsDamage`, products with an unreadable release list are
  /// left out.
  private func references(
    of catalog: Catalog, by reader: StoreReader, skipsDamage: Bool = false
  ) throws -> [ObjectReference] {
    let products = Array(catalog.products)
    let releases = try WorkerPool.collect(count: products.count, jobs: StoreVerifier.jobs) {
      { index in
        do {
          return try reader.releases(of: products[index].key, in: catalog)?.releases ?? []
        } catch is IntegrityError where skipsDamage {
          return []
        } catch let error as StoreError where skipsDamage && error.reason == .missing {
          return []
        }
      }
    }
    return releases.flatMap { [$0.package, $0.index] } + products.map(\.value.releases)
  }

  /// Returns the objects that the copy lacks. An object that the copy's catalog refers to is present if its size
  /// matches. Others may be pruned at any time, so they are verified when they are copied.
  private func missing(
    of references: [ObjectReference], after present: CurrentCatalog?
  ) throws -> [ObjectReference] {
    let references = references.sorted { $0.path.text > $1.path.text }
    guard let present else { return references }
    let known = Set(
      try self.references(of: present.catalog, by: target.reader, skipsDamage: true).map(\.path))
    return try WorkerPool.collect(count: references.count, jobs: StoreVerifier.jobs) {
      { index in
        let reference = references[index]
        guard known.contains(reference.path),
          try target.store.status(of: reference.path)?.byteCount == reference.byteCount
        else { return [reference] }
        return []
      }
    }.sorted { $0.path.text > $1.path.text }
  }
}
