import ContentPackage
import ZipArchive

/// What a package installs, by paths in the folder of its version.
struct PackageContent {
  /// The folders that the content has or lies in, outer ones first.
  let folders: [EntryPath]
  /// The links with their targets.
  let links: [(path: EntryPath, target: [UInt8])]
  /// Bytes of all files.
  let fileBytes: Int64
  /// How many files, folders and links there are.
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

  /// Where an item of a package goes; nil if it is not installed.
  static func path(of item: ContentItem) -> EntryPath? { item.isContent ? item.path.withoutFirst : nil }

  /// How many files and links a package installs.
  static func fileCount(of review: ContentReview) -> Int {
    review.items.count { $0.isContent && $0.kind != .folder }
  }

  /// Whether the content itself has a file or folder of the name that the mark for backups gets.
  static func hasNameOfBackupMark(in review: ContentReview) -> Bool {
    review.items.contains { path(of: $0) == BackupMark.path }
  }

  /// The folders and links as they are installed.
  var foldersAndLinks: [InstalledItem] {
    folders.map(InstalledItem.folder) + links.map { InstalledItem.link($0.path, target: $0.target) }
  }
}
