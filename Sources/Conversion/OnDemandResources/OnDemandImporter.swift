package import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// Converts on-demand resources to asset packs for Background Assets.
package struct OnDemandImporter: Sendable {
  /// A pack of the files with the same tags.
  package struct Pack: Sendable {
    package let identifier: AssetPackIdentifier
    /// The tags, sorted by their UTF-8 bytes.
    package let tags: [String]
    /// The policy that matches the tag with the earliest download.
    package let policy: DownloadPolicy.Kind
    /// The folder in the pack that contains its files, if another pack or the manifest has one of their paths; nil if
    /// the files keep their paths in the app.
    package fileprivate(set) var folder: String?
    /// The findings about the files, by their paths in the app.
    package let findings: [Finding]
    fileprivate let review: ContentReview
    /// The paths of the files in the app.
    fileprivate let appPaths: [EntryPath]

    /// The number of files and links.
    package var fileCount: Int { appPaths.count }
    /// The size of the files in bytes.
    package var contentBytes: Int64 { SizeRules.sum(review.items.lazy.filter(\.isContent).map(\.size)) }

    /// The paths of the files in the pack.
    fileprivate var packPaths: [EntryPath] {
      folder.map { folder in appPaths.map { EntryPath(folder).appending($0.bytes) } } ?? appPaths
    }
  }

  private let context: WorkContext

  /// Creates an importer.
  ///
  /// - Parameter context: The limits, the number of threads, the cancellation and the progress.
  package init(_ context: WorkContext) { self.context = context }

  /// Checks the files, and returns the packs, sorted by their identifiers. Tags without files get no pack.
  ///
  /// - Throws: `OnDemandResourcesError`, `FileError`, `SourceError`, `Interruption`.
  package func packs(_ resources: OnDemandResources) throws -> [Pack] {
    let identifiers = try identifiers(resources.groups.map(\.tags))
    var packs = try zip(resources.groups, identifiers).map { try pack($0, $1, of: resources.path) }
      .filter { $0.fileCount > 0 }
    for index in packs.indices where packs[index].appPaths.contains(where: Self.meetsManifest) {
      packs[index].folder = packs[index].identifier.text
    }
    for pair in SharedPaths(packs.map(\.packPaths), where: { _, _ in true }).pairs {
      for index in [pair.index, pair.other] { packs[index].folder = packs[index].identifier.text }
    }
    if let pair = SharedPaths(packs.map(\.packPaths), where: { _, _ in true }).pairs.first {
      throw OnDemandResourcesError.sharedPath(
        pair.path.escaped, packs[pair.index].identifier, packs[pair.other].identifier)
    }
    return packs.sorted { $0.identifier.text < $1.identifier.text }
  }

  /// Returns the parts of packs without a counterpart in Background Assets, as sentences without a full stop; safe to
  /// print.
  package static func losses(of packs: [Pack]) -> [String] {
    var losses: [String] = []
    let languages = Set(packs.flatMap(\.appPaths).map(\.first).filter { $0.hasSuffix(".lproj") }).sorted()
    if !languages.isEmpty {
      losses.append(
        "\(languages.map(\.escaped).joined(separator: ", ")): the system does not choose the language; the app must use "
          + "the path of each language"
      )
    }
    if packs.count > AssetPackLimits.defaultMaximumPackCount {
      losses.append(
        "there are \(packs.count) asset packs, expected at most \(AssetPackLimits.defaultMaximumPackCount); use fewer "
          + "different sets of tags")
    }
    return losses
  }

  /// Returns whether a file, or a folder above it, would have the path of the pack's manifest.
  private static func meetsManifest(_ path: EntryPath) -> Bool {
    AssetPackManifest.isFileName(path.first.escaped)
  }

  private func identifiers(_ groups: [[String]]) throws(OnDemandResourcesError) -> [AssetPackIdentifier] {
    var known: [String: [String]] = [:]
    var identifiers: [AssetPackIdentifier] = []
    for tags in groups {
      guard let identifier = ResourceTag.identifier(tags) else { throw .noIdentifier(tags) }
      if let other = known.updateValue(tags, forKey: identifier.folded) {
        throw .sameIdentifier(identifier, other, tags)
      }
      identifiers.append(identifier)
    }
    return identifiers
  }

  private func pack(
    _ group: OnDemandResources.Group, _ identifier: AssetPackIdentifier, of path: String
  ) throws -> Pack {
    // The rules of packages need a manifest, which is not written to the pack.
    guard let product = ProductIdentifier(identifier.text), let version = ContentVersion("1") else {
      throw OnDemandResourcesError.noIdentifier(group.tags)
    }
    let manifest = ContentInfo(productIdentifier: product, contentVersion: version).manifest
    let source = try ProjectSource(
      path: path, manifest: manifest, group.resources, cancellation: context.cancellation)
    let review = try AssetPackCode.applyingRule(
      to: PackageBuilder(context: context).review(of: source), context.cancellation)
    return Pack(
      identifier: identifier, tags: group.tags, policy: group.policy,
      findings: review.findings.map { $0.with(path: $0.path.map { Self.appPath($0) ?? $0 }) },
      review: review.ignoringErrors(),
      appPaths: review.items.lazy.filter { $0.kind != .folder }.compactMap { Self.appPath($0.path) })
  }

  /// Returns the path in the app of an item; nil for the manifest and the folder of the content.
  private static func appPath(_ path: EntryPath) -> EntryPath? {
    guard path.isContent, path != PackageLayout.contents else { return nil }
    return path.suffix(from: PackageLayout.contents.count + 1)
  }

  /// Writes checked packs into a missing or empty folder at `path`, atomically.
  ///
  /// - Throws: `InvalidContent` for a pack with an error, `FileError`, `SourceError`, `Interruption`.
  package func write(_ packs: [Pack], for platforms: [AssetPlatform], to path: String) throws {
    let staged = try StagedFolder.create(at: path, cancellation: context.cancellation)
    for pack in packs {
      guard pack.review.isAcceptable else { throw InvalidContent(findings: pack.findings) }
      let folder = try staged.handle.makeFolder(pack.identifier.text.utf8)
      var file = try folder.createFile(AssetPackManifest.fileName.utf8)
      try file.write(unsafe pack.manifest(for: platforms).bytes.borrowedSpan.bytes)  // UInt8 has no padding
      try file.close()
      try ContentFolderWriter(context).write(pack.review, into: folder) { item in
        guard let path = Self.appPath(item) else { return nil }
        return pack.folder.map { EntryPath($0).appending(path.bytes) } ?? path
      }
    }
    try context.cancellation.check()
    context.progress.begin(.synchronizing, path)
    try staged.commit()
  }
}

extension OnDemandImporter.Pack {
  /// Returns the manifest, which selects each top-level file and folder of the pack.
  fileprivate func manifest(for platforms: [AssetPlatform]) -> AssetPackManifest {
    let topLevelItems = Set(
      packPaths.map { $0.parent == nil ? ($0, false) : ($0.first, true) }.map(TopLevelItem.init))
    let selectors = topLevelItems.sorted { $0.path < $1.path }.map { top -> AssetPackSelector in
      let text = top.path.string ?? top.path.escaped
      return top.isFolder ? .directory(text) : .file(text)
    }
    return AssetPackManifest(
      identifier: identifier.text, policy: DownloadPolicy(policy), selectors: selectors, platforms: platforms)
  }

  private struct TopLevelItem: Hashable {
    let path: EntryPath
    let isFolder: Bool
  }
}

/// A reason why on-demand resources cannot become asset packs.
package enum OnDemandResourcesError: Error, Sendable, Equatable {
  /// One of these tags has no ASCII letter or digit, so there is no asset pack ID for the tags.
  case noIdentifier([String])
  /// Two sets of tags would have the same asset pack ID, or IDs that differ only in case.
  case sameIdentifier(AssetPackIdentifier, [String], [String])
  /// Two packs would have the same path even with folders of their own.
  case sharedPath(String, AssetPackIdentifier, AssetPackIdentifier)
}
