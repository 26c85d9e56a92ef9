public import ContentPackage
package import SafeFiles
import Support
import SystemPackage
import ZipArchive

/// Stages the content of packages for Background Assets, Apple's successor to hosted content.
///
/// Each package becomes a folder with a manifest, and with the files of the package in a subfolder named like the
/// product. Apple's `ba-package` creates the archive.
public struct AssetPackExporter: Sendable {
  let options: Options
  let context: WorkContext
  let lock: AssetPackFolderLock

  /// The settings for asset packs.
  public struct Options: Sendable {
    /// The download policy of the packs; if nil, the policy in the settings, otherwise on demand.
    public var policy: DownloadPolicy?
    /// The platforms of the packs; if nil, the platforms in the settings, otherwise iOS.
    public var platforms: [AssetPlatform]?
    /// The maximum number of asset packs of an app.
    public var maximumPackCount = AssetPackLimits.defaultMaximumPackCount
    /// The identifier of a single pack. If nil, the identifier in the settings, the recorded identifier, or an
    /// identifier derived from the product, in this order.
    public var identifier: AssetPackIdentifier?
    /// The file that keeps the identifiers; nil to record none.
    public var registerPath: String?
    /// Whether a folder with packs is updated: the exported packs replace those with the same identifiers.
    public var isUpdating = false
    /// Whether an update also replaces packs that iapkg did not stage, or that were changed since.
    public var replacesUnmanagedPacks = false
    /// The inputs that an update must not replace.
    package var protectedInputs = ProtectedInputs([])

    /// Creates the options that match hosted content: on-demand download on iOS.
    public init() {}
  }

  /// A staged package.
  public struct Pack: Sendable {
    /// The identifier of the pack, and the name of its folder.
    public let identifier: AssetPackIdentifier
    /// The product and the version in the package.
    public let info: ContentInfo
    /// The size of the content in bytes.
    public let contentBytes: Int64
    /// The items of a content folder that settings exclude.
    public let excluded: ExcludedItems
    let manifest: AssetPackManifest
    /// The files of the pack.
    let selection: AssetPackSelection
    /// The platforms of the pack.
    package var platforms: [AssetPlatform] { manifest.platforms }
    /// Whether `ba-package` resolves its command-line paths against a folder other than the working directory.
    package var hasSourceRoot: Bool { manifest.sourceRoot != nil }
  }

  /// Reviewed content and the settings of its pack.
  package struct Content {
    /// The review of the content, which must not have errors.
    package let review: ContentReview
    /// The keys of `background-assets` in the settings; nil without any.
    package let keys: AssetPackKeys?

    package init(_ review: ContentReview, _ keys: AssetPackKeys?) {
      self.review = review
      self.keys = keys
    }
  }

  /// Creates an exporter.
  ///
  /// - Parameters:
  ///   - options: The settings for asset packs.
  ///   - context: The limits and the number of threads; its progress counts the unpacked bytes.
  public init(_ options: Options = Options(), context: WorkContext = WorkContext()) {
    self.init(options, context: context, lock: AssetPackFolderLock())
  }

  /// Creates an exporter that acquires `lock` to update a folder, and keeps it afterwards.
  package init(_ options: Options, context: WorkContext, lock: AssetPackFolderLock) {
    self.options = options
    self.context = context
    self.lock = lock
  }

  /// Stages reviewed content into a folder at `path`, atomically.
  ///
  /// - Parameters:
  ///   - reviews: The reviews of the packages, which must not have errors.
  ///   - path: The path of a missing or empty folder, with `isUpdating` also of one with packs; nil to check everything
  ///     without writing.
  /// - Returns: The packs, in the order of the packages.
  /// - Throws: `ExportError`, `InvalidContent`, `FileError`, `SourceError`, `Interruption`; an error for a folder or
  ///   input that an update must not replace.
  @discardableResult
  public func export(_ reviews: [ContentReview], to path: String?) throws -> [Pack] {
    try export(reviews.map { Content($0, nil) }, to: path)
  }

  /// Stages reviewed content as `export(_:to:)` does, with the settings of each pack.
  ///
  /// - Throws: `InvalidAssetPack` for settings that do not suit the content; `AssetPackFileError`; the errors of
  ///   `export(_:to:)`.
  package func export(_ contents: [Content], to path: String?) throws -> [Pack] {
    var register = try options.registerPath.map(AssetPackRegister.read) ?? AssetPackRegister()
    try check(contents.compactMap(\.review.productIdentifier))
    let packs = try contents.map { try pack($0, &register) }
    let shared = SharedPaths(packs.map { Array($0.selection.sources.keys) }) {
      AssetPackRules.canShareDevice(packs[$0].manifest, packs[$1].manifest)
    }
    if let pair = shared.pairs.first {
      throw ExportError.sharedPath(
        pair.path.escaped, packs[pair.index].info.productIdentifier, packs[pair.other].info.productIdentifier)
    }
    guard let path else { return packs }
    // An identifier without a pack does no harm. A pack without a recorded identifier could get another identifier
    // later.
    func record() throws {
      if let file = options.registerPath { try register.add(to: file, context.cancellation) }
    }
    if options.isUpdating {
      try checkInputs(packs, in: path)
      _ = try FileSystem.makeFolderIfMissing(path)
      // The register may be in the folder, so it is written before the folder is locked.
      try record()
      try lock.acquire(path)
      try update(zip(packs, contents).map { ($0, $1.review) }, in: path)
      return packs
    }
    let staged = try StagedFolder.create(at: path, cancellation: context.cancellation)
    var stagedPacks = AssetPackRecord()
    for (pack, content) in zip(packs, contents) {
      let name = pack.identifier.text
      try stage(pack, content.review, into: staged.handle.makeFolder(name.utf8))
      let digest = try AssetPackRecord.digest(of: staged.handle.openFolder(name.utf8), context.cancellation)
      stagedPacks.entries[name] = AssetPackRecord.Entry(staged: [digest])
    }
    try stagedPacks.write(into: staged.handle)
    try context.cancellation.check()
    context.progress.begin(.synchronizing, path)
    try record()
    try staged.commit()
    return packs
  }

  private func pack(_ content: Content, _ register: inout AssetPackRegister) throws -> Pack {
    let (review, keys) = (content.review, content.keys)
    guard review.isAcceptable, let info = review.contentInfo else {
      throw InvalidContent(findings: review.findings)
    }
    let product = info.productIdentifier
    let wanted = options.identifier ?? keys?.identifier.flatMap { AssetPackIdentifier($0) }
    let identifier = try register.identifier(for: product, wanted: wanted)
    var manifest = AssetPackManifest(
      identifier: identifier.text, policy: options.policy ?? keys?.policy ?? DownloadPolicy(.onDemand),
      selectors: keys?.selectors ?? [.directory(product.text)],
      platforms: options.platforms ?? keys?.platforms ?? [.iOS])
    manifest.sourceRoot = keys?.sourceRoot
    manifest.language = keys?.language
    manifest.userInfo = keys?.userInfo
    let selection = try selection(manifest, keys, for: review, of: product)
    return Pack(
      identifier: identifier, info: info, contentBytes: review.contentBytes, excluded: review.source.excluded,
      manifest: manifest, selection: selection)
  }

  /// Returns the files that a manifest selects.
  ///
  /// - Throws: `InvalidAssetPack` if the keys of the settings do not suit the content as it is staged.
  private func selection(
    _ manifest: AssetPackManifest, _ keys: AssetPackKeys?, for review: ContentReview,
    of product: ProductIdentifier
  ) throws -> AssetPackSelection {
    let manifestPath = EntryPath(AssetPackManifest.fileName)
    if let text = keys?.identifier, AssetPackIdentifier(text) == nil {
      throw InvalidAssetPack(
        product: product,
        findings: [
          Finding(
            .assetPackIdentifier, at: manifestPath, severity: .error,
            "assetPackID is '\(String(displaying: text.utf8))', expected \(AssetPackIdentifier.form)")
        ])
    }
    let root = manifest.sourceRoot.map { EntryPath(AssetPackPath.plain($0)) }
    let items = review.items.lazy.filter { $0.isContent || $0.path == PackageLayout.manifest }.compactMap {
      item -> SelectableItem? in
      var path = EntryPath(product.text).appending(item.path.bytes)
      if let root, root != EntryPath(".") {
        guard path.isBeneath(root) else { return nil }
        path = path.suffix(from: root.count + 1)
      }
      return SelectableItem(path: path, isFolder: item.kind == .folder, size: item.size)
    }
    let selection = try AssetPackSelection(manifest.selectors, to: Array(items), context.cancellation)
    guard keys != nil else { return selection }
    let findings = AssetPackRules.findings(for: manifest, selection, at: manifestPath)
    guard findings.areAcceptable else {
      throw InvalidAssetPack(product: product, findings: findings.filter { $0.severity == .error })
    }
    return selection
  }

  func stage(_ pack: Pack, _ review: ContentReview, into folder: consuming DirectoryHandle) throws {
    var file = try folder.createFile(AssetPackManifest.fileName.utf8)
    try file.write(unsafe pack.manifest.bytes.borrowedSpan.bytes)  // UInt8 has no padding
    try file.close()
    let prefix = EntryPath(pack.info.productIdentifier.text)
    try ContentFolderWriter(context).write(review, into: folder) { prefix.appending($0.bytes) }
  }

  /// Verifies that packs of the products can belong to one app, whose packs share a namespace.
  private func check(_ products: [ProductIdentifier]) throws(ExportError) {
    guard products.count <= options.maximumPackCount else {
      throw .tooManyPacks(products.count, maximum: options.maximumPackCount)
    }
    var known: [String: ProductIdentifier] = [:]
    for name in products {
      guard !AssetPackManifest.isFileName(name.text) else { throw .reservedName(name) }
      // Most Apple file systems are case-insensitive.
      if let other = known.updateValue(name, forKey: name.text.lowercased()) { throw .collision(other, name) }
    }
  }
}
