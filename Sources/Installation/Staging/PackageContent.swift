import ContentPackage
import ZipArchive

/// The items that a package installs, with paths relative to the version's folder.
struct PackageContent {
  /// All folders, explicit and implied, parents first.
  let folders: [EntryPath]
  /// The links and their targets.
  let links: [(path: EntryPath, target: [UInt8])]
  /// The total size of all files of the package in bytes, including the manifest and others that are not installed.
  let fileBytes: Int64
  /// The number of files, folders and links.
  let count: Int

  init(of review: ContentReview) {
    var folders: Set<EntryPath> = []
    var links: [(path: EntryPath, target: [UInt8])] = []
    for item in review.items {
      guard let path = Self.path(of: item) else { continue }
      if case .link(let target?) = item.kind { links.append((path, target)) }
      var folder = item.kind == .folder ? path : path.parent
      while let next = folder, folders.insert(next).inserted { folder = next.parent }
    }
    self.folders = folders.sorted()
    self.links = links
    fileBytes = review.fileBytes
    count = folders.count + Self.fileCount(of: review)
  }

  /// Returns the installed path of an item; nil if it is not installed.
  static func path(of item: ContentItem) -> EntryPath? { item.isContent ? item.path.withoutFirst : nil }

  /// Returns the number of files and links that a package installs.
  static func fileCount(of review: ContentReview) -> Int {
    review.items.count { $0.isContent && $0.kind != .folder }
  }

  /// Returns the size of the files and link targets that a package installs, in bytes.
  static func fileBytes(of review: ContentReview) -> Int64 {
    SizeRules.sum(review.items.lazy.filter { $0.isContent && $0.kind != .folder }.map(\.size))
  }

  /// Returns whether the content has an item with the name of the backup mark.
  static func hasNameOfBackupMark(in review: ContentReview) -> Bool {
    review.items.contains { path(of: $0) == BackupMark.path }
  }

  /// Returns whether the content has names that are not ASCII.
  static func hasNamesBeyondASCII(in review: ContentReview) -> Bool {
    review.items.contains { item in
      item.isContent && item.path.part(0..<item.path.count).contains { $0 >= 0x80 }
    }
  }

  /// The folders and links as installed items.
  var foldersAndLinks: [InstalledItem] {
    folders.map(InstalledItem.folder) + links.map { InstalledItem.link($0.path, target: $0.target) }
  }
}
