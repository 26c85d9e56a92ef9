import SafeFiles
public import Support
public import ZipArchive

/// The summary of a package from its headers and manifest. The other content is not read.
///
/// ```swift
/// let summary = try PackageSummary(of: "Book.pkg")
/// print(summary.productIdentifier?.text ?? "unknown", summary.entries.count)
/// ```
public struct PackageSummary: Sendable {
  /// The path of the package, as given.
  public let path: String
  /// The product, if the manifest has a valid one.
  public let productIdentifier: ProductIdentifier?
  /// The version, if the manifest has a valid one.
  public let contentVersion: ContentVersion?
  /// The size of the package, in bytes.
  public let archiveBytes: Int64
  /// The unpacked size of all files and links, in bytes.
  public let contentBytes: Int64
  /// All entries, in the order of the file.
  public let entries: [ZipEntry]
  /// The size statistics; nil unless requested.
  package let weights: ContentWeights?

  /// Reads the records and the manifest, but no other content.
  ///
  /// - Parameters:
  ///   - path: The path of the package.
  ///   - cancellation: Ends the work early.
  /// - Throws: `FileError` or `SourceError` if the package cannot be read, `UnsoundArchive` if it is not sound,
  ///   `InstallerPackageFound`, `Interruption`.
  public init(of path: String, cancellation: Cancellation = Cancellation()) throws {
    try self.init(of: PackageSource.open(path, cancellation: cancellation), cancellation: cancellation)
  }

  /// Reads the records and the manifest of an open package. For the size statistics, also reads the files that may have
  /// the same content.
  ///
  /// - Throws: The same errors as `init(of:cancellation:)`.
  package init(of source: PackageSource, weighing isWeighed: Bool = false, cancellation: Cancellation) throws
  {
    let path = source.path
    guard source.isReadable else { throw UnsoundArchive(path: path, findings: source.findings) }
    let review = try ContentReview(of: source, limits: Limits(), cancellation: cancellation)
    let context = WorkContext(cancellation: cancellation)
    weights = isWeighed ? try ContentWeights(of: review, context: context) : nil
    if try source.hasChanged() { throw SourceError.changed(path) }
    self.path = path
    productIdentifier = review.productIdentifier
    contentVersion = review.contentVersion
    archiveBytes = source.bytes.byteCount
    contentBytes = review.contentBytes
    entries = source.structure.entries
  }
}
