#if COMMAND_LINE_TOOL
extension FolderSource {
  /// Returns the folder with another version in its reviewed manifest.
  ///
  /// - Throws: `PackageEditor.EditingError` if the manifest cannot be edited.
  package func withVersion(
    _ version: ContentVersion, in review: ContentReview
  ) throws(PackageEditor.EditingError) -> FolderSource {
    guard let manifest = review.manifest.review, let item = manifestItem else { throw .noManifest }
    var source = self
    let bytes = try manifest.bytes(withVersion: version)
    source.manifest = bytes
    source.manifestIndex = item.index
    source.listing = listing.with(size: Int64(bytes.count), at: item.index)
    source.items = items.replacing(tree: source.listing)
    return source
  }
}
#endif
