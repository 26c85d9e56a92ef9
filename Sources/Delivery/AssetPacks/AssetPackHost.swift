#if COMMAND_LINE_TOOL
package import ContentPackage
package import SafeFiles
package import StrictJSON
package import Support

/// Publishes self-hosted asset packs: first the archives, under names that never change, then the download manifest. The
/// manifest is replaced only if it is unchanged since it was read.
package struct AssetPackHost: Sendable {
  /// A pack to publish.
  package struct Pack: Sendable {
    /// The identifier, which must satisfy `AssetPackLayout.isIdentifier`.
    package let identifier: String
    /// The archive.
    package let bytes: any ByteSource
    /// The SHA-256 digest of the archive.
    package let digest: SHA256Digest
    /// The value of `downloadPolicy` in the manifest.
    package let policy: JSONValue
    /// The object for the app; nil for none.
    package let userInfo: JSONValue?

    package init(
      identifier: String, bytes: any ByteSource, digest: SHA256Digest, policy: JSONValue, userInfo: JSONValue?
    ) {
      self.identifier = identifier
      self.bytes = bytes
      self.digest = digest
      self.policy = policy
      self.userInfo = userInfo
    }
  }

  /// The settings of a publication.
  package struct Options: Sendable {
    /// Identifiers whose entries are removed.
    package var removed: Set<String> = []
    /// The minimum version of changed and new packs.
    package var minimumVersion: Int64 = 1
    /// Whether a lost manifest may be replaced by one that lacks earlier packs.
    package var startsNewManifest = false

    package init() {}
  }

  /// The result for one pack.
  package struct Change: Sendable {
    /// The difference between the entries in the present and in the next manifest. A changed entry names another
    /// archive, an updated one the same archive with other properties; a kept pack is not among the published packs.
    package enum Outcome: String, Sendable { case added, changed, updated, unchanged, kept, removed }

    package let identifier: String
    package let outcome: Outcome
    /// The version in the next manifest, or the last version of a removed pack.
    package let version: Int64
    /// The version in the present manifest; nil if the manifest has no entry of the pack.
    package let previousVersion: Int64?
    /// The address of the archive for devices.
    package let address: String
    /// The size of the archive in bytes.
    package let byteCount: Int64
  }

  /// The result of a publication or its dry run.
  package struct Result: Sendable {
    /// The next manifest.
    package let manifest: DownloadManifest
    /// The results for all packs, including unchanged ones, sorted by identifier.
    package let changes: [Change]
    /// The identifiers to remove that the manifest lacks.
    package let absent: [String]
    /// Whether a lost manifest was, or would be, rebuilt.
    package let isRebuilt: Bool
    /// The number of bytes uploaded for archives; 0 in a dry run.
    package let uploadedBytes: Int64
    /// Whether the manifest was, or would be, written.
    package let isChanged: Bool
  }

  let store: any WritableStore
  let layout: AssetPackLayout
  let base: String
  let options: Options
  let context: WorkContext
  /// The uploader of archives, which reads them back; requires no catalog in the store.
  let objects: CatalogChange

  /// Creates a host without contacting the store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - layout: The paths in the store.
  ///   - base: The address of the store for devices, without a trailing slash.
  ///   - options: The settings.
  ///   - context: The work context, whose progress counts the uploaded bytes.
  package init(
    _ store: any WritableStore, layout: AssetPackLayout, base: String, options: Options = Options(),
    context: WorkContext
  ) {
    self.store = store
    self.layout = layout
    self.base = base
    self.options = options
    self.context = context
    objects = CatalogChange(of: store, signers: [], cancellation: context.cancellation)
  }

  /// The address of the manifest for devices.
  package var manifestAddress: String { "\(base)/\(layout.manifest)" }

  /// Returns the identifiers of the packs in the manifest, and of removed packs, which only have archives; nil if there is
  /// no manifest.
  ///
  /// - Throws: The errors of `publish`.
  package func identifiers() throws -> (listed: Set<String>, removed: Set<String>)? {
    let state = try state()
    guard let manifest = state.manifest else { return nil }
    let listed = Set(manifest.packs.map(\.identifier))
    return (listed, Set(state.archives.map(\.identifier)).subtracting(listed))
  }

  /// Publishes packs, and keeps those of the manifest that are not among them.
  ///
  /// - Parameters:
  ///   - packs: The packs, with different identifiers.
  ///   - isDryRun: Whether nothing is written.
  /// - Returns: The next manifest, and the change of each pack.
  /// - Throws: `AssetPackHostError`, `IntegrityError` for a damaged manifest, `StoreError`, `SourceError`,
  ///   `Interruption`.
  package func publish(_ packs: [Pack], isDryRun: Bool) throws -> Result {
    for pack in packs where !AssetPackLayout.isIdentifier(pack.identifier) {
      throw AssetPackHostError.identifier(pack.identifier)
    }
    let (state, isLost) = try firstState(publishing: packs)
    let damaged = try damagedArchives(state, publishing: packs)
    var plan = try plan(packs, state, isLost: isLost, damaged: damaged)
    guard !isDryRun else { return result(plan, state, uploadedBytes: 0) }
    if state.tag == nil { try store.checkConditions() }
    let present = Set(state.archives.map(\.path))
    context.progress.begin(
      .uploading, store.name, totalBytes: SizeRules.sum(packs.lazy.map(\.bytes.byteCount)))
    var uploaded: Int64 = 0
    for attempt in 1...Self.maximumAttemptCount {
      let start = ContinuousClock.now
      for archive in plan.archives { uploaded += try upload(packs[archive.index], archive) }
      let paths = Set(plan.archives.map(\.path))
      let done: Result? = try store.exclusively {
        try context.cancellation.check()
        let now = try self.state(without: paths.subtracting(present))
        // Archives that others have uploaded meanwhile belong to a first publication, not to a lost manifest.
        let final = try self.plan(
          packs, now, isLost: isLost && now.manifest == nil, damaged: damaged)
        plan = final
        // If another publisher has raised versions meanwhile, archives need other names.
        guard paths.isSuperset(of: final.archives.map(\.path)) else { return nil }
        let result = self.result(final, now, uploadedBytes: uploaded)
        if result.isChanged { try replace(now.tag, with: final.manifest) }
        return result
      }
      if let done { return done }
      if attempt < Self.maximumAttemptCount {
        OptimisticRetry.pause(after: attempt, began: start, context.cancellation)
      }
    }
    throw StoreError(
      .conflict, store.name,
      "other publishers changed \(store.name) at every attempt; try again when they have finished")
  }

  /// The maximum number of attempts. An attempt fails if other publishers have raised versions, so that archives need
  /// other names.
  private static let maximumAttemptCount = 10

  private func result(_ plan: Plan, _ state: State, uploadedBytes: Int64) -> Result {
    let known = Set((state.manifest?.packs ?? []).map(\.identifier)).union(
      plan.manifest.packs.map(\.identifier))
    return Result(
      manifest: plan.manifest, changes: plan.changes, absent: options.removed.subtracting(known).sorted(),
      isRebuilt: plan.isRebuilt, uploadedBytes: uploadedBytes,
      isChanged: plan.manifest != state.manifest)
  }

  /// Returns the state before the publication, and whether the manifest was lost.
  private func firstState(publishing packs: [Pack]) throws -> (State, isLost: Bool) {
    let state = try state()
    do throws(AssetPackHostError) {
      return (state, try hasLostManifest(state, publishing: packs))
    } catch {
      // Another publisher may be about to write the first manifest.
      do {
        return try OptimisticRetry.run(on: store.name, context.cancellation) {
          let state = try self.state()
          guard state.manifest != nil else {
            throw StoreError(.conflict, store.name, "\(store.name) has no download manifest")
          }
          return (state, false)
        }
      } catch let conflict as StoreError where conflict.reason == .conflict {
        throw error
      }
    }
  }

  /// Reads the manifest and lists the archives, except those that this run has uploaded.
  private func state(without uploaded: Set<StorePath> = []) throws -> State {
    guard try store.status(of: .catalog) == nil else {
      throw AssetPackHostError.catalogFound(store: store.name)
    }
    let current = try DownloadManifest.read(from: store, layout)
    let archives = try store.list(layout.prefix).compactMap { layout.archive(at: $0.path) }.filter {
      !uploaded.contains($0.path)
    }
    return State(manifest: current?.manifest, tag: current?.tag, archives: archives)
  }

  /// Uploads an archive and reads it back, unless it is present.
  ///
  /// - Returns: The number of uploaded bytes.
  private func upload(_ pack: Pack, _ archive: PlannedArchive) throws -> Int64 {
    let progress = context.progress
    let reference = ObjectReference(
      path: archive.path, byteCount: pack.bytes.byteCount, digest: pack.digest)
    if archive.isNamed, try objects.reader.hasObject(reference) {
      progress.advance(by: reference.byteCount)
      return 0
    }
    let bytes: Int64
    do {
      bytes = try OptimisticRetry.run(on: store.name, context.cancellation) {
        try objects.put(pack.bytes, at: reference) { progress.advance(by: $0) }
      }
    } catch let error as IntegrityError {
      // The store returned the bytes that it received, which differ from the digested ones.
      guard try !pack.bytes.hasChanged() else { throw SourceError.changed(pack.bytes.name) }
      throw error
    }
    guard try !pack.bytes.hasChanged() else { throw SourceError.changed(pack.bytes.name) }
    return bytes
  }

  private func replace(_ tag: ObjectTag?, with manifest: DownloadManifest) throws {
    try store.put(
      MemoryBytes(manifest.bytes), at: layout.manifest, caching: .revalidated,
      if: tag.map(StoreCondition.unchanged) ?? .absent, advance: { _ in })
  }
}
#endif
