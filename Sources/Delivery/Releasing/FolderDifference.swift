import ContentPackage

/// How a content folder differs from a release, in numbers.
package struct FolderDifference: Sendable, Equatable {
  /// Files, links and empty folders that only the folder has.
  package private(set) var added = 0
  /// Those that only the release has.
  package private(set) var removed = 0
  /// What has another content, kind or target; the manifest, if more than its version differs.
  package private(set) var changed = 0

  package var count: Int { added + removed + changed }

  /// Compares what would be packed of a folder with a release.
  init(_ review: ContentReview, _ digests: FolderDigests, from release: ReleaseContent) {
    ReleaseDifference.forEach(in: review, { digests[$0] }, from: release) { difference in
      switch difference {
      case .added: added += 1
      case .removed: removed += 1
      case .changed, .manifest: changed += 1
      }
    }
  }
}
