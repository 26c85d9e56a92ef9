public import ContentPackage
import Support
import ZipArchive

/// A version of a product as it was installed.
public struct InstalledVersion: Equatable, Sendable {
  /// The version number from the manifest.
  public let contentVersion: ContentVersion
  /// Whether the file system kept the permissions of the installed files and folders.
  package internal(set) var keepsPermissions: Bool
  /// The digest of the content, in hexadecimal digits, by the algorithm of the record. It covers the path, the kind,
  /// and the digest or target of each item, and does not depend on the compression of the package.
  public var contentDigest: String { items.digest }
  /// The installed items.
  package let items: InstalledItems

  init(contentVersion: ContentVersion, keepsPermissions: Bool = true, items: InstalledItems) {
    self.contentVersion = contentVersion
    self.keepsPermissions = keepsPermissions
    self.items = items
  }

  /// The name of the version's folder, where each version has one.
  var folderName: EntryPath { EntryPath(contentVersion.text) }

  /// Returns whether two versions are equal. Their items are compared by count and digest.
  public static func == (left: InstalledVersion, right: InstalledVersion) -> Bool {
    left.contentVersion == right.contentVersion && left.keepsPermissions == right.keepsPermissions
      && left.items.count == right.items.count && left.contentDigest == right.contentDigest
  }
}

/// Computes the digest of the items of a version.
struct ItemHasher {
  private let hasher: ContentHasher
  private var line: [UInt8] = []

  init(_ algorithm: DigestAlgorithm) { hasher = ContentHasher(algorithm) }

  var algorithm: DigestAlgorithm { hasher.algorithm }

  /// Adds an item. NULs delimit its path and its description; no path or target contains a NUL.
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
    hasher.update(unsafe line.borrowedSpan.bytes)  // UInt8 has no padding
  }

  func finish() -> ContentDigest { hasher.finish() }
}
