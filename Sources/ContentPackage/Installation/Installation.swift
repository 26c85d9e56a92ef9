import Digests
import ZipArchive

/// One version of a product as it was installed.
public struct Installation: Equatable, Sendable {
  /// The version, as its manifest has it.
  public let contentVersion: String
  /// How the content lies in the folder.
  public let layout: InstallationLayout
  /// Whether backups leave it out.
  public let isExcludedFromBackup: Bool
  /// Sorted by the bytes of the paths.
  package let items: [InstalledItem]

  init(
    contentVersion: String, layout: InstallationLayout, isExcludedFromBackup: Bool,
    items: consuming [InstalledItem]
  ) {
    self.contentVersion = contentVersion
    self.layout = layout
    self.isExcludedFromBackup = isExcludedFromBackup
    items.sort { $0.place < $1.place }
    self.items = items
  }

  /// SHA-256 of what the package holds, in hexadecimal digits: over each item's path, kind, permissions, and digest
  /// or target. It stays the same if a package is compressed anew.
  public var contentSHA256: String { digest.hexadecimal }

  /// Two NULs stand around what is said of each path, and neither paths nor targets have any.
  private var digest: ContentDigest {
    var hasher = ContentHasher()
    var line: [UInt8] = []
    for item in items {
      line.removeAll(keepingCapacity: true)
      line += item.place.bytes
      line.append(0)
      switch item.kind {
      case .file(let size, let digest): line += "file \(size) \(digest.hexadecimal)".utf8
      case .folder: line += "folder".utf8
      case .link(let target):
        line += "link ".utf8
        line += target
      }
      line += " \(item.permissions ?? 0)".utf8
      line.append(0)
      hasher.update(unsafe line.span.bytes)  // any UInt8 is a byte
    }
    return hasher.finish()
  }
}

extension [InstalledItem] {
  /// Where the item at a place is among items that are sorted by place; nil if there is none.
  func index(of place: EntryPath) -> Int? {
    var range = indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if self[middle].place == place { return middle }
      range = self[middle].place < place ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  func item(at place: EntryPath) -> InstalledItem? { index(of: place).map { self[$0] } }
}
