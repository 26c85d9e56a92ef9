public import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// Stages the content of packages for Background Assets, Apple's successor of hosted content.
///
/// Each package becomes a folder with a manifest and, in a folder named like the product, the files of the package.
/// Apple's `ba-package` makes the archive of it.
public struct AssetPackExporter: Sendable {
  /// The most bytes of all asset packs of an app that Apple hosts: 200 GB.
  public static let maximumByteCount: Int64 = 200_000_000_000
  /// The most asset packs of an app, where nothing else is known.
  public static let defaultMaximumPackCount = 100

  let options: Options
  let context: WorkContext

  /// What asset packs are like.
  public struct Options: Sendable {
    /// When the system downloads them.
    public var policy = DownloadPolicy(.onDemand)
    /// What they are for.
    public var platforms: [AssetPlatform] = [.iOS]
    /// The most asset packs of an app.
    public var maximumPackCount = AssetPackExporter.defaultMaximumPackCount
    /// The identifier of the only pack; that of the product unless given.
    public var identifier: AssetPackIdentifier?

    /// Creates the options of hosted content: the app asks for it, on iOS.
    public init() {}
  }

  /// One package that was staged.
  public struct Pack: Sendable {
    /// The identifier of the pack, and the name of its folder.
    public let identifier: AssetPackIdentifier
    /// The product and the version in the package.
    public let info: ContentInfo
    /// Bytes of the content.
    public let contentBytes: Int64
  }

  /// Creates an exporter.
  ///
  /// - Parameters:
  ///   - options: what asset packs are like.
  ///   - context: limits and threads; its progress counts the bytes that are unpacked.
  public init(_ options: Options = Options(), context: WorkContext = WorkContext()) {
    self.options = options
    self.context = context
  }

  /// Stages what was reviewed into a folder at `path`, which appears complete or not at all.
  ///
  /// - Parameters:
  ///   - reviews: the packages, which must not have errors.
  ///   - path: where nothing is but an empty folder; nil to check everything and write nothing.
  /// - Returns: the packs, in the order of the packages.
  /// - Throws: `ExportError`, `InvalidContent`, `FileError`, `SourceError`, `Interruption`.
  @discardableResult
  public func export(_ reviews: [ContentReview], to path: String?) throws -> [Pack] {
    let packs = try reviews.map(pack)
    try check(packs)
    guard let path else { return packs }
    let staged = try StagedFolder.create(at: path, cancellation: context.cancellation)
    for (pack, review) in zip(packs, reviews) {
      try stage(pack, review, into: staged.handle.makeFolder(pack.identifier.text.utf8))
    }
    try context.cancellation.check()
    context.progress.begin(.synchronizing, path)
    try staged.commit()
    return packs
  }

  private func pack(_ review: ContentReview) throws -> Pack {
    guard review.isAcceptable, let info = review.contentInfo else {
      throw InvalidContent(findings: review.findings)
    }
    return Pack(
      identifier: options.identifier ?? info.productIdentifier, info: info, contentBytes: review.contentBytes)
  }

  private func stage(_ pack: Pack, _ review: ContentReview, into folder: consuming DirectoryHandle) throws {
    let product = pack.info.productIdentifier
    let manifest = AssetPackManifest(
      identifier: pack.identifier, policy: options.policy, folder: product, platforms: options.platforms)
    var file = try folder.createFile(Self.manifestName.utf8)
    try file.write(unsafe manifest.bytes.span.bytes)  // every UInt8 is valid
    try file.close()
    let prefix = EntryPath(product.text)
    try ContentFolderWriter(context).write(review, into: folder) { prefix.appending($0.bytes) }
  }

  /// The name of the manifest in the folder of a pack.
  public static let manifestName = "Manifest.json"

  /// Checks that the packs can belong to one app, whose packs share one space of names.
  private func check(_ packs: [Pack]) throws(ExportError) {
    guard packs.count <= options.maximumPackCount else {
      throw .tooManyPacks(packs.count, most: options.maximumPackCount)
    }
    let bytes = packs.reduce(0) { $0 + $1.contentBytes }
    guard bytes <= Self.maximumByteCount else { throw .tooLarge(bytes, most: Self.maximumByteCount) }
    var known: [String: ProductIdentifier] = [:]
    for name in packs.map(\.info.productIdentifier) {
      // On most file systems of Apple's, names that differ only in case are one.
      if let other = known.updateValue(name, forKey: name.text.lowercased()) { throw .collision(other, name) }
    }
  }
}

/// The reason why packages cannot be staged together.
public enum ExportError: Error, Sendable, Equatable {
  /// There are so many packages.
  case tooManyPacks(Int, most: Int)
  /// The content of all packages has so many bytes.
  case tooLarge(Int64, most: Int64)
  /// The files of two packages would lie in one folder, since their products have the same name, but for its case.
  case collision(ProductIdentifier, ProductIdentifier)
}
