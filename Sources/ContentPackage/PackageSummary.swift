import SafeFiles
package import ZipArchive

/// What is inside a package, as its records say.
package struct PackageSummary: Sendable {
  package let path: String
  package let productIdentifier: ProductIdentifier?
  package let contentVersion: ContentVersion?
  package let archiveBytes: Int64
  package let contentBytes: Int64
  /// In the order of the file.
  package let entries: [ZipEntry]

  /// Reads records and manifest, no other content.
  ///
  /// - Throws: `FileFailure`, or `UnsoundArchive` if the archive cannot be relied on.
  package init(of path: String) throws {
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
package struct UnsoundArchive: Error {
  package let path: String
  package let findings: [Finding]
}
