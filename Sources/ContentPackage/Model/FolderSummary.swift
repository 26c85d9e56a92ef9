#if COMMAND_LINE_TOOL
import SafeFiles
package import Support

/// The content of a content folder as it would be packed.
package struct FolderSummary: Sendable {
  /// The path of the folder, as given.
  package let path: String
  /// The product, if the manifest has a valid one.
  package let productIdentifier: ProductIdentifier?
  /// The version, if the manifest has a valid one.
  package let contentVersion: ContentVersion?
  /// The size of all files and links, in bytes.
  package let contentBytes: Int64
  /// The items that would be packed, sorted by path.
  package let items: ContentItems
  /// The items that the settings exclude.
  package let excluded: ExcludedItems
  /// The size statistics; nil unless requested.
  package let weights: ContentWeights?

  /// Lists the folder and reads its manifest. If `builder` is given, it compresses the content for the size statistics.
  ///
  /// - Throws: `FileError` or `SourceError` if the folder cannot be read, `UnsoundArchive` if the folder exceeds the
  ///   limits of a package, `CompressionError`, `Interruption`.
  package init(
    of source: FolderSource, weighingBy builder: PackageBuilder? = nil, cancellation: Cancellation
  ) throws {
    guard source.isReadable else { throw UnsoundArchive(path: source.path, findings: source.findings) }
    let review = try ContentReview(of: source, for: .pack, limits: Limits(), cancellation: cancellation)
    path = source.path
    productIdentifier = review.productIdentifier
    contentVersion = review.contentVersion
    contentBytes = review.contentBytes
    items = review.items
    excluded = source.excluded
    weights = try builder.map {
      try ContentWeights(of: $0.measured(review), context: WorkContext(cancellation: cancellation))
    }
  }
}
#endif
