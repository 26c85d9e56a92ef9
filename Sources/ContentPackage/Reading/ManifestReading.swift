import SafeFiles

/// The result of reading a manifest.
enum ManifestReading: Sendable {
  /// There is no manifest, or the item with its name is not a file.
  case absent
  /// The manifest is too large and was not read; the finding has the reason.
  case tooLarge(Finding)
  /// The archive's data of the manifest are damaged; the finding has the reason.
  case damaged(Finding)
  case read(ManifestReview)

  /// The review of the manifest, if it was read.
  var review: ManifestReview? {
    guard case .read(let review) = self else { return nil }
    return review
  }
}

extension ContentSource {
  /// The manifest, if there is one and it is a file.
  var manifestItem: ContentItem? { items.first { $0.path == PackageLayout.manifest && $0.kind == .file } }

  /// Reads the manifest: the one place where that is done.
  ///
  /// - Throws: `SourceError` if it cannot be read, `FileError` if a file of a folder cannot be opened.
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
