public import ContentPackage
import ZipArchive

/// One version of a product as it was installed.
public struct InstalledVersion: Equatable, Sendable {
  /// The version, as its manifest has it.
  public let contentVersion: ContentVersion
  /// Whether the file system kept the permissions that files and folders were installed with.
  package internal(set) var keepsPermissions: Bool
  /// XXH3-128 of the content, in hexadecimal digits: over the path, the kind, and the digest or target of each item.
  /// It stays the same if a package is compressed anew.
  public let contentDigest: String
  /// How many files, folders and links it has.
  package let itemCount: Int
  private let stored: StoredItems

  /// A version whose items stay in memory.
  init(contentVersion: ContentVersion, keepsPermissions: Bool = true, items: InstalledItems) {
    self.contentVersion = contentVersion
    self.keepsPermissions = keepsPermissions
    contentDigest = items.contentDigest
    itemCount = items.count
    stored = .memory(items)
  }

  /// A version whose items, of which the digest may be known, lie on the disk where they are many.
  ///
  /// - Throws: `FileError` if there is no room for a temporary file.
  init(
    contentVersion: ContentVersion, keepsPermissions: Bool = true, storing items: InstalledItems,
    contentDigest: String? = nil
  ) throws {
    self.contentVersion = contentVersion
    self.keepsPermissions = keepsPermissions
    self.contentDigest = contentDigest ?? items.contentDigest
    itemCount = items.count
    stored = try StoredItems(items)
  }

  /// A version with the items of another one.
  init(contentVersion: ContentVersion, keepsPermissions: Bool, sharing other: InstalledVersion) {
    self.contentVersion = contentVersion
    self.keepsPermissions = keepsPermissions
    contentDigest = other.contentDigest
    itemCount = other.itemCount
    stored = other.stored
  }

  /// What was installed, sorted by the bytes of the paths. Where there is much it is read from the disk, and whoever
  /// asks lets go of it soon.
  ///
  /// - Throws: `SourceError` if it cannot be read.
  package func items() throws -> InstalledItems { try stored.items() }

  /// Hands on what was installed one by one, sorted by path, which takes no memory.
  ///
  /// - Throws: as `items`, and what `body` throws.
  func forEachItem(_ body: (InstalledItem) throws -> Void) throws { try stored.forEach(body) }

  /// Whether something was installed at a path.
  ///
  /// - Throws: as `items`.
  func hasItem(at path: EntryPath) throws -> Bool {
    var isFound = false
    try forEachItem { isFound = isFound || $0.path == path }
    return isFound
  }

  /// The name of its folder where versions stand side by side.
  var folderName: EntryPath { EntryPath(contentVersion.text) }

  public static func == (left: InstalledVersion, right: InstalledVersion) -> Bool {
    left.contentVersion == right.contentVersion && left.keepsPermissions == right.keepsPermissions
      && left.itemCount == right.itemCount && left.contentDigest == right.contentDigest
  }
}

/// Takes the digest of the items of a version, one after the other.
struct ItemHasher {
  private let hasher = ContentHasher()
  private var line: [UInt8] = []

  /// Two NULs stand around what is said of each path, and neither paths nor targets have any.
  mutating func update(_ item: InstalledItem) {
    line.removeAll(keepingCapacity: true)
    line += item.path.bytes
    line.append(0)
    switch item.kind {
    case .file(let size, let digest): line += "file \(size) \(digest.hexadecimal)".utf8
    case .folder: line += "folder".utf8
    case .link(let target):
      line += "link ".utf8
      line += target
    }
    line.append(0)
    hasher.update(unsafe line.span.bytes)  // any UInt8 is a byte
  }

  func finish() -> ContentDigest { hasher.finish() }
}

extension InstalledItems {
  fileprivate var contentDigest: String {
    var hasher = ItemHasher()
    for item in self { hasher.update(item) }
    return hasher.finish().hexadecimal
  }
}

extension InstalledVersion {
  /// What is to be in its folder, sorted by path: the content, and the mark for backups if that is a file.
  ///
  /// - Throws: as `items`.
  func items(marked isExcludedFromBackup: Bool) throws -> InstalledItems {
    let items = try items()
    guard isExcludedFromBackup, BackupMark.isFile, items.index(of: BackupMark.path) == nil else {
      return items
    }
    return items.adding(BackupMark.item)
  }
}
