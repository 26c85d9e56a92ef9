package import ContentPackage
package import SafeFiles
package import StrictJSON
package import Support

/// Publishes asset packs for a server of your own: archives under names that never change, then the download manifest,
/// replaced only if it is still the one that was read.
package struct AssetPackHost: Sendable {
  /// A pack to publish.
  package struct Pack: Sendable {
    package let identifier: String
    /// The archive.
    package let bytes: any ByteSource
    package let digest: SHA256Digest
    package let policy: JSONValue
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
    /// Whether a lost manifest is replaced by one without the packs that are not published.
    package var startsNewManifest = false

    package init() {}
  }

  /// The result for one pack.
  package struct Change: Sendable {
    package enum Outcome: String, Sendable { case added, changed, updated, unchanged, kept, removed }

    package let identifier: String
    package let outcome: Outcome
    package let version: Int64
    /// The version in the manifest before; nil if it had no entry.
    package let previousVersion: Int64?
    package let address: String
    package let byteCount: Int64
  }

  /// The result of a publication or its rehearsal.
  package struct Result: Sendable {
    package let manifest: DownloadManifest
    package let changes: [Change]
    /// Whether a lost manifest was made again.
    package let isRebuilt: Bool
    package let uploadedBytes: Int64
    /// Whether the manifest was, or would be, written.
    package let isChanged: Bool
  }

  private struct Plan {
    var manifest: DownloadManifest
    var changes: [Change] = []
    /// The archives of the manifest that this run provides, with the indices of their packs.
    var archives: [(path: StorePath, index: Int)] = []
    var isRebuilt = false
  }

  private struct State {
    let manifest: DownloadManifest?
    let tag: ObjectTag?
    let archives: [AssetPackLayout.Archive]
  }

  private let store: any Store
  private let layout: AssetPackLayout
  private let base: String
  private let options: Options
  private let context: WorkContext

  /// - Parameters:
  ///   - store: The store.
  ///   - layout: The paths in the store.
  ///   - base: The address of the store for devices, without a trailing slash.
  ///   - options: The settings.
  ///   - context: Its progress counts the uploaded bytes.
  package init(
    _ store: any Store, layout: AssetPackLayout, base: String, options: Options = Options(),
    context: WorkContext
  ) {
    self.store = store
    self.layout = layout
    self.base = base
    self.options = options
    self.context = context
  }

  /// The address of the manifest for devices.
  package var manifestAddress: String { "\(base)/\(layout.manifest)" }

  /// Publishes packs, and keeps those of the manifest that are not among them.
  ///
  /// - Parameters:
  ///   - packs: The packs, with different identifiers.
  ///   - isRehearsal: Whether nothing is written.
  /// - Returns: The next manifest, and the change of each pack.
  /// - Throws: `AssetPackHostError`, `IntegrityError` for a damaged manifest, `StoreError`, `SourceError`,
  ///   `Interruption`.
  package func publish(_ packs: [Pack], isRehearsal: Bool) throws -> Result {
    for pack in packs where !AssetPackLayout.isIdentifier(pack.identifier) {
      throw AssetPackHostError.identifier(pack.identifier)
    }
    let state = try state()
    var plan = try plan(packs, state)
    guard !isRehearsal else { return result(plan, state, uploadedBytes: 0) }
    if state.tag == nil { try store.checkConditions() }
    context.progress.begin(
      .uploading, store.name, totalBytes: packs.reduce(0) { $0 + $1.bytes.byteCount })
    var uploaded: Int64 = 0
    for _ in 1...Self.maximumAttemptCount {
      for archive in plan.archives { uploaded += try upload(packs[archive.index], to: archive.path) }
      let paths = Set(plan.archives.map(\.path))
      let done: Result? = try store.exclusively {
        try context.cancellation.check()
        let now = try self.state(without: paths)
        let final = try self.plan(packs, now)
        plan = final
        // Another publisher has raised versions meanwhile, so archives need other names.
        guard paths.isSuperset(of: final.archives.map(\.path)) else { return nil }
        let result = self.result(final, now, uploadedBytes: uploaded)
        if result.isChanged { try replace(now.tag, with: final.manifest) }
        return result
      }
      if let done { return done }
    }
    throw StoreError(
      .conflict, store.name, "others changed \(store.name) again and again; try again when they are done")
  }

  /// The maximum number of times that archives get other names because of other publishers.
  private static let maximumAttemptCount = 10

  private func result(_ plan: Plan, _ state: State, uploadedBytes: Int64) -> Result {
    Result(
      manifest: plan.manifest, changes: plan.changes, isRebuilt: plan.isRebuilt, uploadedBytes: uploadedBytes,
      isChanged: plan.manifest != state.manifest)
  }

  /// Reads the manifest and lists the archives, except those that this run has uploaded.
  private func state(without uploaded: Set<StorePath> = []) throws -> State {
    let place = "\(store.name)/\(layout.manifest)"
    guard try store.status(of: .catalog) == nil else {
      throw AssetPackHostError.catalogFound(store: store.name)
    }
    let object = try store.object(at: layout.manifest, limit: DownloadManifest.maximumByteCount)
    let archives = try store.list(layout.prefix).compactMap { layout.archive(at: $0.path) }.filter {
      !uploaded.contains($0.path)
    }
    guard let object else { return State(manifest: nil, tag: nil, archives: archives) }
    do throws(DocumentError) {
      return State(manifest: try DownloadManifest(bytes: object.bytes), tag: object.tag, archives: archives)
    } catch {
      throw AssetPackHostError.damagedManifest(place: place, reason: error.message)
    }
  }

  /// Plans the next manifest. Versions never fall: they are above every version of the manifest and of the archives.
  private func plan(_ packs: [Pack], _ state: State) throws(AssetPackHostError) -> Plan {
    let before = Dictionary((state.manifest?.packs ?? []).map { ($0.identifier, $0) }) { first, _ in first }
    let archives = Dictionary(grouping: state.archives, by: \.identifier)
    var plan = Plan(manifest: DownloadManifest(packs: []))
    plan.isRebuilt = state.manifest == nil && !archives.isEmpty
    let given = Set(packs.map(\.identifier))
    let lost =
      plan.isRebuilt ? Set(archives.keys).subtracting(given).subtracting(options.removed).sorted() : []
    guard lost.isEmpty || options.startsNewManifest else {
      throw .manifestLost(place: "\(store.name)/\(layout.manifest)", packs: lost)
    }
    var entries: [DownloadManifest.Pack] = []
    for (index, pack) in packs.enumerated() {
      let known = before[pack.identifier]
      let (version, isKnown) = try version(
        of: pack, known, archives[pack.identifier, default: []], isLost: state.manifest == nil)
      let path = layout.archive(pack.identifier, version, pack.digest)
      let entry = DownloadManifest.Pack(
        identifier: pack.identifier, address: "\(base)/\(path)", version: version,
        byteCount: pack.bytes.byteCount,
        policy: pack.policy, userInfo: pack.userInfo, others: known?.others ?? [])
      entries.append(entry)
      plan.archives.append((path, index))
      let outcome: Change.Outcome =
        known == nil ? .added : !isKnown ? .changed : entry == known ? .unchanged : .updated
      plan.changes.append(Change(entry, outcome, before: known))
    }
    for pack in state.manifest?.packs ?? [] where !given.contains(pack.identifier) {
      let isRemoved = options.removed.contains(pack.identifier)
      plan.changes.append(Change(pack, isRemoved ? .removed : .kept, before: pack))
      if !isRemoved { entries.append(pack) }
    }
    plan.changes.sort { $0.identifier < $1.identifier }
    plan.manifest = DownloadManifest(packs: entries)
    return plan
  }

  /// Returns the version of a pack, and whether the manifest has the same archive with that version.
  private func version(
    of pack: Pack, _ known: DownloadManifest.Pack?, _ archives: [AssetPackLayout.Archive],
    isLost: Bool
  ) throws(AssetPackHostError) -> (version: Int64, isKnown: Bool) {
    let highest = archives.map(\.version).max()
    let digits = pack.digest.hexadecimal.prefix(StorePath.releaseDigits)
    if let known, known.version >= highest ?? 0, known.byteCount == pack.bytes.byteCount,
      known.address.hasSuffix("/" + layout.archive(pack.identifier, known.version, pack.digest).text)
    {
      return (known.version, true)
    }
    // A stopped run may have uploaded the archive without a manifest.
    if !isLost, let highest, highest > known?.version ?? -1, highest >= options.minimumVersion,
      archives.contains(where: { $0.version == highest && $0.digits == digits })
    {
      return (highest, false)
    }
    let seen = max(known?.version ?? -1, highest ?? -1)
    guard seen < Self.maximumVersion else { throw .versionsExhausted(pack.identifier) }
    return (max(seen + 1, options.minimumVersion), false)
  }

  /// The maximum version, which every reader of JSON represents exactly (RFC 8259, section 6).
  package static let maximumVersion: Int64 = 1 << 53 - 1

  /// Uploads an archive unless it is present.
  ///
  /// - Returns: The number of uploaded bytes.
  private func upload(_ pack: Pack, to path: StorePath) throws -> Int64 {
    let progress = context.progress
    if let present = try store.status(of: path), present.byteCount == pack.bytes.byteCount {
      progress.advance(by: pack.bytes.byteCount)
      return 0
    }
    try store.put(pack.bytes, at: path, caching: .immutable, if: .none) { progress.advance(by: $0) }
    guard try !pack.bytes.hasChanged() else { throw SourceError.changed(pack.bytes.name) }
    return pack.bytes.byteCount
  }

  private func replace(_ tag: ObjectTag?, with manifest: DownloadManifest) throws {
    try store.put(
      MemoryBytes(manifest.bytes), at: layout.manifest, caching: .revalidated,
      if: tag.map(StoreCondition.unchanged) ?? .absent, advance: { _ in })
  }
}

extension AssetPackHost.Change {
  fileprivate init(_ pack: DownloadManifest.Pack, _ outcome: Outcome, before: DownloadManifest.Pack?) {
    self.init(
      identifier: pack.identifier, outcome: outcome, version: pack.version, previousVersion: before?.version,
      address: pack.address, byteCount: pack.byteCount)
  }
}

/// A reason why asset packs are not published.
package enum AssetPackHostError: Error, Sendable, Equatable {
  /// The identifier cannot be a part of an address.
  case identifier(String)
  /// The store is one of packages.
  case catalogFound(store: String)
  /// The store has archives of these packs, which are not published, and no manifest.
  case manifestLost(place: String, packs: [String])
  /// The manifest is not valid.
  case damagedManifest(place: String, reason: String)
  /// There is no manifest to verify.
  case noManifest(place: String)
  /// The pack has the maximum version.
  case versionsExhausted(String)
}
