#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles
import Support

extension AssetPackHost {
  /// The next manifest, and the archives that it needs.
  struct Plan {
    var manifest: DownloadManifest
    var changes: [Change] = []
    /// The archives of the manifest that this run provides.
    var archives: [PlannedArchive] = []
    var isRebuilt = false
  }

  /// An archive that this run provides.
  struct PlannedArchive {
    let path: StorePath
    /// The index of the pack.
    let index: Int
    /// Whether the present manifest names the archive.
    let isNamed: Bool
  }

  /// The manifest and the archives of a store.
  struct State {
    /// The manifest; nil if it is missing.
    let manifest: DownloadManifest?
    let tag: ObjectTag?
    let archives: [AssetPackLayout.Archive]
  }

  /// Returns whether the store has lost its manifest: it has archives that an interrupted first publication of the same
  /// packs would not leave.
  ///
  /// - Throws: `.manifestLost` if the next manifest would lack packs.
  func hasLostManifest(_ state: State, publishing packs: [Pack]) throws(AssetPackHostError) -> Bool {
    let first = packs.map { layout.archive($0.identifier, options.minimumVersion, $0.digest) }
    guard state.manifest == nil, !Set(state.archives.map(\.path)).isSubset(of: first) else { return false }
    let lost = Set(state.archives.map(\.identifier)).subtracting(packs.map(\.identifier))
      .subtracting(options.removed)
    guard lost.isEmpty || options.startsNewManifest else {
      throw .manifestLost(manifest: "\(store.name)/\(layout.manifest)", packs: lost.sorted())
    }
    return true
  }

  /// Returns the archives in the manifest whose bytes differ from those of the pack with the same archive name.
  ///
  /// - Throws: The errors of reading the store.
  func damagedArchives(_ state: State, publishing packs: [Pack]) throws -> Set<StorePath> {
    let known = Dictionary((state.manifest?.packs ?? []).map { ($0.identifier, $0) }) { first, _ in first }
    let present = Set(state.archives.map(\.path))
    let named = packs.compactMap { pack in
      known[pack.identifier].map { entry in
        ObjectReference(
          path: layout.archive(pack.identifier, entry.version, pack.digest), byteCount: pack.bytes.byteCount,
          digest: pack.digest)
      }
    }.filter { present.contains($0.path) }
    context.progress.begin(
      .verifying, store.name, totalBytes: SizeRules.sum(named.lazy.map(\.byteCount)))
    var damaged: Set<StorePath> = []
    for reference in named {
      try context.cancellation.check()
      if try !objects.reader.isIntact(reference) { damaged.insert(reference.path) }
      context.progress.advance(by: reference.byteCount)
    }
    return damaged
  }

  /// Plans the next manifest. A changed pack gets a version above all its versions in the manifest and the archives, or
  /// the version of its archive that an interrupted run has uploaded. Devices may have downloaded a damaged archive, so
  /// an archive with a higher version replaces it.
  ///
  /// - Throws: `.versionsExhausted`, `.manifestTooLarge`.
  func plan(
    _ packs: [Pack], _ state: State, isLost: Bool, damaged: Set<StorePath>
  ) throws(AssetPackHostError) -> Plan {
    let before = Dictionary((state.manifest?.packs ?? []).map { ($0.identifier, $0) }) { first, _ in first }
    let archives = Dictionary(grouping: state.archives, by: \.identifier)
    var plan = Plan(manifest: DownloadManifest(packs: []))
    plan.isRebuilt = isLost
    let given = Set(packs.map(\.identifier))
    var entries: [DownloadManifest.Pack] = []
    for (index, pack) in packs.enumerated() {
      let known = before[pack.identifier]
      let (version, isKnown) = try version(
        of: pack, known, archives[pack.identifier, default: []], isLost: isLost, damaged: damaged)
      let path = layout.archive(pack.identifier, version, pack.digest)
      let entry = DownloadManifest.Pack(
        identifier: pack.identifier, address: "\(base)/\(path)", version: version,
        byteCount: pack.bytes.byteCount, policy: pack.policy, userInfo: pack.userInfo,
        others: known?.others ?? [])
      entries.append(entry)
      plan.archives.append(PlannedArchive(path: path, index: index, isNamed: isKnown))
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
    let byteCount = plan.manifest.bytes.count
    guard byteCount <= DownloadManifest.maximumByteCount else {
      throw .manifestTooLarge(manifest: "\(store.name)/\(layout.manifest)", byteCount: byteCount)
    }
    return plan
  }

  /// Returns the version of a pack, and whether the manifest names the same archive with that version.
  private func version(
    of pack: Pack, _ known: DownloadManifest.Pack?, _ archives: [AssetPackLayout.Archive], isLost: Bool,
    damaged: Set<StorePath>
  ) throws(AssetPackHostError) -> (version: Int64, isKnown: Bool) {
    let highest = archives.map(\.version).max()
    let digits = pack.digest.hexadecimal.prefix(StorePath.releaseDigitCount)
    if let known, known.version >= highest ?? 0, known.byteCount == pack.bytes.byteCount,
      case let path = layout.archive(pack.identifier, known.version, pack.digest),
      known.address.hasSuffix("/" + path.text), !damaged.contains(path)
    {
      return (known.version, true)
    }
    // An interrupted run may have uploaded the archive without writing the manifest.
    if !isLost, let highest, highest > known?.version ?? -1, highest >= options.minimumVersion,
      archives.contains(where: { $0.version == highest && $0.digits == digits })
    {
      return (highest, false)
    }
    let seen = max(known?.version ?? -1, highest ?? -1)
    // The skipped version tells `AssetPackPruner` that no manifest has named the archive with the highest version.
    let step: Int64 = seen == (known?.version ?? seen) ? 1 : 2
    guard seen <= DownloadManifest.maximumNumber - step else { throw .versionsExhausted(pack.identifier) }
    return (max(seen + step, options.minimumVersion), false)
  }
}

extension AssetPackHost.Change {
  fileprivate init(_ pack: DownloadManifest.Pack, _ outcome: Outcome, before: DownloadManifest.Pack?) {
    self.init(
      identifier: pack.identifier, outcome: outcome, version: pack.version, previousVersion: before?.version,
      address: pack.address, byteCount: pack.byteCount)
  }
}
#endif
