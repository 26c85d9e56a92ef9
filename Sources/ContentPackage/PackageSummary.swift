import SafeFiles
public import ZipArchive

/// What is inside a package, as its records say: the way to look at one without reading all of it.
///
/// ```swift
/// let summary = try PackageSummary(of: "Book.pkg")
/// print(summary.productIdentifier?.text ?? "unknown", summary.entries.count)
/// ```
public struct PackageSummary: Sendable {
  /// The package, as it was given.
  public let path: String
  /// The product, if the manifest names one.
  public let productIdentifier: ProductIdentifier?
  /// The version, if the manifest names one.
  public let contentVersion: ContentVersion?
  /// Bytes of the package.
  public let archiveBytes: Int64
  /// Bytes of all files and links, once unpacked.
  public let contentBytes: Int64
  /// All entries, in the order of the file.
  public let entries: [ZipEntry]

  /// Reads records and manifest, no other content.
  ///
  /// - Parameter path: the package.
  /// - Throws: `FileFailure` if it cannot be read, or `UnsoundArchive` if the archive cannot be relied on.
  public init(of path: String) throws {
    let source = try PackageSource.open(path)
    guard source.isReadable else { throw UnsoundArchive(path: path, findings: source.findings) }
    let review = try ContentReview(of: source, limits: Limits())
    self.path = path
    productIdentifier = review.productIdentifier
    contentVersion = review.contentVersion
    archiveBytes = source.file.byteCount
    contentBytes = review.contentBytes
    entries = source.structure.entries
  }
}

/// An archive leaves the strict profile, so that nothing it says can be relied on.
public struct UnsoundArchive: Error {
  /// The package, as it was given.
  public let path: String
  /// Why.
  public let findings: [Finding]
}
