import SafeFiles

/// The result of reading a manifest.
enum ManifestReading: Sendable {
  /// There is no manifest, or the item with its name is not a file.
  case absent
  /// The manifest is too large and was not read.
  case tooLarge(Finding)
  /// The data of the manifest in the archive is damaged.
  case damaged(Finding)
  case read(ManifestReview)

  /// The review of the manifest, if it was read.
  var review: ManifestReview? {
    guard case .read(let review) = self else { return nil }
    return review
  }
}

extension ContentSource {
  /// The item of the manifest; nil if it is missing or not a file.
  var manifestItem: ContentItem? { items.first { $0.path == PackageLayout.manifest && $0.kind == .file } }

  /// Reads the manifest.
  ///
  /// - Throws: `SourceError` if the manifest cannot be read, `FileError` if it cannot be opened in a folder.
  func readManifest() throws -> ManifestReading {
    guard let item = manifestItem else { return .absent }
    if let finding = ManifestReview.sizeFinding(item.size) { return .tooLarge(finding) }
    do {
      return .read(ManifestReview(of: try bytes(of: item)))
    } catch let error as ContentError {
      return .damaged(error.finding)
    }
  }
}
