public import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// Stages the content of packages for Background Assets, Apple's successor of hosted content.
///
/// Each package becomes a folder with a manifest, and with the files of the package in a subfolder named like the
/// product. Apple's `ba-package` creates the archive.
public struct AssetPackExporter: Sendable {
  /// The maximum total size of an app's Apple-hosted asset packs in bytes: 200 GB.
  public static let maximumByteCount: Int64 = 200_000_000_000
  /// The default maximum number of asset packs of an app.
  public static let defaultMaximumPackCount = 100

  let options: Options
  let context: WorkContext

  /// The settings for asset packs.
  public struct Options: Sendable {
    /// The time at which the system downloads the packs.
    public var policy = DownloadPolicy(.onDemand)
    /// The platforms of the packs.
    public var platforms: [AssetPlatform] = [.iOS]
    /// The maximum number of asset packs of an app.
    public var maximumPackCount = AssetPackExporter.defaultMaximumPackCount
    /// The identifier of a single pack; nil for that of the product.
    public var identifier: AssetPackIdentifier?

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
    public let leftOut: LeftOutItems
  }

  /// Creates an exporter.
  ///
  /// - Parameters:
  ///   - options: The settings for asset packs.
  ///   - context: The limits and the number of threads; its progress counts the unpacked bytes.
  public init(_ options: Options = Options(), context: WorkContext = WorkContext()) {
    self.options = options
    self.context = context
  }

  /// Stages reviewed content into a folder at `path`, atomically.
  ///
  /// - Parameters:
  ///   - reviews: The reviews of the packages, which must not have errors.
  ///   - path: The path of a missing or empty folder; nil to check everything without writing.
  /// - Returns: The packs, in the order of the packages.
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
      identifier: options.identifier ?? info.productIdentifier, info: info, contentBytes: review.contentBytes,
      leftOut: review.source.leftOut)
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

  /// Verifies that the packs can belong to one app, whose packs share a namespace.
  private func check(_ packs: [Pack]) throws(ExportError) {
    guard packs.count <= options.maximumPackCount else {
      throw .tooManyPacks(packs.count, most: options.maximumPackCount)
    }
    let bytes = packs.reduce(0) { $0 + $1.contentBytes }
    guard bytes <= Self.maximumByteCount else { throw .tooLarge(bytes, most: Self.maximumByteCount) }
    var known: [String: ProductIdentifier] = [:]
    for name in packs.map(\.info.productIdentifier) {
      // Most Apple file systems are case-insensitive.
      if let other = known.updateValue(name, forKey: name.text.lowercased()) { throw .collision(other, name) }
    }
  }
}

/// A reason why packages cannot be staged together.
public enum ExportError: Error, Sendable, Equatable {
  /// The number of packages exceeds the maximum.
  case tooManyPacks(Int, most: Int)
  /// The total size of the content, in bytes, exceeds the maximum.
  case tooLarge(Int64, most: Int64)
  /// Two products have names that differ at most in case, so their files would share a folder.
  case collision(ProductIdentifier, ProductIdentifier)
}
