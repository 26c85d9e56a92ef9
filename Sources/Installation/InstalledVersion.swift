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
  public var contentDigest: String { items.digest }
  /// What was installed.
  package let items: InstalledItems

  init(contentVersion: ContentVersion, keepsPermissions: Bool = true, items: InstalledItems) {
    self.contentVersion = contentVersion
    self.keepsPermissions = keepsPermissions
    self.items = items
  }

  /// The name of its folder where versions stand side by side.
  var folderName: EntryPath { EntryPath(contentVersion.text) }

  public static func == (left: InstalledVersion, right: InstalledVersion) -> Bool {
    left.contentVersion == right.contentVersion && left.keepsPermissions == right.keepsPermissions
      && left.items.count == right.items.count && left.contentDigest == right.contentDigest
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
