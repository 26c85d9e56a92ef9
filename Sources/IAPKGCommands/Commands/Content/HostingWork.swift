import ContentPackage
import Conversion
import Delivery
import SafeFiles
import Support

/// The work of `export` on a store of asset packs: `--download-manifest`, `--verify` and `--prune`.
struct HostingWork {
  /// The result for the packs of one platform.
  struct HostedPacks {
    let platform: AssetPlatform
    /// The address of the manifest for devices.
    let address: String
    let result: AssetPackHost.Result
    /// The packs of unknown unpacked size. The property list counts the sizes of their archives instead.
    var estimated: [String] = []

    /// Returns whether a pack was kept at an address that is not below the current base address.
    func isElsewhere(_ change: AssetPackHost.Change) -> Bool {
      change.outcome == .kept
        && !change.address.hasPrefix(address.dropLast(platform.layout.manifest.text.count))
    }
  }

  /// The verified packs of one platform.
  struct VerifiedPacks {
    let platform: AssetPlatform
    let packs: [AssetPackVerifier.Pack]
  }

  private let command: ExportCommand
  private let context: WorkContext

  init(_ command: ExportCommand, _ context: WorkContext) {
    self.command = command
    self.context = context
  }

  /// Reads a folder of asset packs.
  ///
  /// - Throws: `CommandError` if a pack is not valid; the errors of `AssetPackProject.read`.
  static func validProject(
    _ folder: String, mayBeEmpty: Bool = false, _ cancellation: Cancellation
  ) throws -> AssetPackProject {
    let project = try AssetPackProject.read(folder, mayBeEmpty: mayBeEmpty, cancellation)
    let findings = project.report(maximumPackCount: .max).findings.filter { $0.severity == .error }
    guard findings.isEmpty else {
      throw CommandError(invalidPacks: folder, findings)
    }
    return project
  }

  /// Publishes the packs of a folder for each of their platforms, except the packs to remove, and writes the app's
  /// `Info.plist` keys to `infoPlist`.
  ///
  /// - Throws: `CommandError`; the errors of `AssetPackHost.publish`.
  func publish(_ folder: String, infoPlist: OutputDestination?) throws -> [HostedPacks] {
    let removed = Set(command.hosting.remove)
    let project = try Self.validProject(folder, mayBeEmpty: !removed.isEmpty, context.cancellation).without(
      removed)
    let (store, platforms, removals) = try destination(for: Set(project.platforms))
    let packs = try platforms.map {
      ($0, try AssetPackArchives.packs(of: project, for: $0, context.cancellation))
    }
    var hosted = try packs.map { platform, packs in
      var options = command.hosting.publication
      options.removed = removals[platform] ?? []
      let host = try host(of: platform, store, options)
      return HostedPacks(
        platform: platform, address: host.manifestAddress,
        result: try host.publish(packs, isDryRun: command.dryRun))
    }
    if let infoPlist, let only = hosted.first, !command.dryRun {
      hosted[0].estimated = try write(only, project, to: infoPlist)
    }
    return hosted
  }

  /// Verifies, before packs are staged, all conditions of their publication that do not depend on the archives.
  ///
  /// - Parameter platforms: The platforms of the packs.
  /// - Throws: The errors of `publish`.
  func check(_ platforms: Set<AssetPlatform>) throws {
    let (store, platforms, _) = try destination(for: platforms)
    // For removals, `destination` has already read all manifests.
    for platform in platforms where command.hosting.remove.isEmpty {
      _ = try host(of: platform, store, command.hosting.publication).identifiers()
    }
  }

  /// Returns the store, the platforms of packs and removals in the order of `AssetPlatform.allCases`, and the
  /// identifiers to remove for each platform.
  ///
  /// - Throws: `CommandError` for several platforms with `--info-plist`, and the errors of `removals`.
  private func destination(
    for packs: Set<AssetPlatform>
  ) throws -> (any WritableStore, [AssetPlatform], removals: [AssetPlatform: Set<String>]) {
    let address = command.hosting.to ?? ""
    try ContentFolderCheck.check(address)
    try StoreLocation.checkCreation(of: address)
    let store = try store(address).writable()
    let removals = try removals(Set(command.hosting.remove), from: store)
    let platforms = AssetPlatform.allCases.filter { packs.contains($0) || removals[$0] != nil }
    guard command.hosting.infoPlist == nil || platforms.count <= 1 else {
      throw CommandError(
        .usage,
        "--info-plist is for packs of one platform, found \(platforms.map(\.rawValue).joined(separator: ", ")); keep "
          + "the packs of each platform in a folder of its own")
    }
    return (store, platforms, removals)
  }

  private func host(
    of platform: AssetPlatform, _ store: any WritableStore, _ options: AssetPackHost.Options
  ) throws -> AssetPackHost {
    AssetPackHost(
      store, layout: platform.layout, base: try command.hosting.base, options: options, context: context)
  }

  /// Returns the identifiers to remove from the manifest of each platform. An earlier run may have removed some.
  ///
  /// - Throws: `AssetPackHostError.unknownPacks` for identifiers that the store never had; the errors of
  ///   `AssetPackHost.identifiers`.
  private func removals(
    _ removed: Set<String>, from store: any WritableStore
  ) throws -> [AssetPlatform: Set<String>] {
    guard !removed.isEmpty else { return [:] }
    var (listed, before): ([AssetPlatform: Set<String>], [AssetPlatform: Set<String>]) = ([:], [:])
    for platform in AssetPlatform.allCases {
      guard let found = try host(of: platform, store, command.hosting.publication).identifiers() else {
        continue
      }
      listed[platform] = found.listed.intersection(removed)
      before[platform] = found.removed.intersection(removed)
    }
    let present = listed.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    let unknown = before.values.reduce(removed.subtracting(present)) { $0.subtracting($1) }
    guard unknown.isEmpty else {
      throw AssetPackHostError.unknownPacks(
        store: DisplayedStore.name(command.hosting.to ?? ""), unknown.sorted())
    }
    return listed.merging(before) { $0.union($1.subtracting(present)) }.filter { !$0.value.isEmpty }
  }

  /// Verifies the packs of each chosen platform. Without a choice, skips the platforms that have no download manifest.
  ///
  /// - Throws: The errors of `AssetPackVerifier.verify`.
  func verify() throws -> [VerifiedPacks] {
    let address = command.hosting.to ?? ""
    let store = try store(address)
    let base = try command.hosting.base
    var missing: AssetPackHostError?
    let verified = try chosenPlatforms.compactMap { platform -> VerifiedPacks? in
      do {
        let verifier = AssetPackVerifier(store, layout: platform.layout, base: base, context: context)
        return VerifiedPacks(platform: platform, packs: try verifier.verify())
      } catch AssetPackHostError.noManifest(let place) {
        missing = missing ?? .noManifest(manifest: place)
        guard command.staging.platform.isEmpty else { throw AssetPackHostError.noManifest(manifest: place) }
        return nil
      }
    }
    if verified.isEmpty, let missing { throw missing }
    return verified
  }

  /// Deletes old archives of the chosen platforms.
  ///
  /// - Throws: `CommandError` for a store without asset packs; the errors of `AssetPackPruner.prune`.
  func prune() throws -> [StoredItem] {
    let store = try store(command.hosting.to ?? "").writable()
    let pruner = AssetPackPruner(
      store, layouts: chosenPlatforms.map(\.layout),
      days: command.hosting.olderThan ?? AssetPackPruner.defaultDays,
      isDryRun: command.dryRun, cancellation: context.cancellation)
    guard let deleted = try pruner.prune() else {
      throw CommandError(
        .noInput, "\(DisplayedStore.name(store.name)) has no asset packs, expected a folder such as ios",
        path: store.name)
    }
    return deleted
  }

  /// The platforms to check or clean up: those of the options, or else all.
  private var chosenPlatforms: [AssetPlatform] {
    let given = command.staging.platform
    return AssetPlatform.allCases.filter { given.isEmpty || given.contains($0) }
  }

  private func store(_ address: String) throws -> any Store {
    try StoreLocation.open(
      address, isSinglePublisher: command.hosting.singlePublisher,
      headers: command.credentials.headers(context.cancellation), cancellation: context.cancellation)
  }

  /// Writes the app's `Info.plist` keys.
  ///
  /// - Returns: The packs whose unpacked size is unknown.
  private func write(
    _ hosted: HostedPacks, _ project: AssetPackProject, to place: OutputDestination
  ) throws -> [String] {
    let list = AssetPackInfoPlist(
      of: hosted.result.manifest, project, appGroup: command.hosting.appGroup ?? "", address: hosted.address,
      host: try command.hosting.host)
    var file = try StagedOutput.create(at: place)
    try file.write(unsafe list.bytes.borrowedSpan.bytes)  // UInt8 has no padding
    try file.commit()
    return list.estimated
  }
}

extension AssetPlatform {
  fileprivate var layout: AssetPackLayout { AssetPackLayout(folder: rawValue.lowercased()) }
}
