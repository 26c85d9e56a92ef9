package import ContentPackage
import ZipArchive

/// The record of a product, kept in `Documents/.iapkg/`, apart from the content.
package struct InstallationRecord: Equatable, Sendable {
  /// The product.
  package let productIdentifier: ProductIdentifier
  /// The layout of the product's folder.
  package let layout: InstallationLayout
  /// Whether the product is excluded from backups.
  package let isExcludedFromBackup: Bool
  /// The version in use; nil only in the pending record of a removal.
  package let installed: InstalledVersion?
  /// The versions kept for `rollBack`, the most recently used first.
  package let previous: [InstalledVersion]
  /// The step to this record, while the record is pending.
  var change: ProductChange?

  init(
    _ productIdentifier: ProductIdentifier, layout: InstallationLayout, isExcludedFromBackup: Bool,
    installed: InstalledVersion?, previous: [InstalledVersion] = [], change: ProductChange? = nil
  ) {
    self.productIdentifier = productIdentifier
    self.layout = layout
    self.isExcludedFromBackup = isExcludedFromBackup
    self.installed = installed
    self.previous = previous
    self.change = change
  }

  /// The version in use, followed by the previous ones.
  package var versions: [InstalledVersion] { (installed.map { [$0] } ?? []) + previous }

  /// The algorithm of the digests of all versions. A product keeps the algorithm of its first version, because digests
  /// are compared between versions.
  package var algorithm: DigestAlgorithm { versions.first?.items.algorithm ?? .standard }

  /// Returns whether a version has a folder of this name, the literal text of the version: `1.0` and `1` differ.
  func hasVersion(named name: String) -> Bool { versions.contains { $0.contentVersion.text == name } }

  /// Returns all items that belong in the product's folder, sorted by path.
  ///
  /// - Throws: `SourceError` if the items cannot be read, `FileError` if there is no space for a temporary file.
  func folderItems() throws -> InstalledItems {
    guard let installed else { return try InstalledItems([], algorithm) }
    guard layout == .versioned else { return try installed.items(marked: isExcludedFromBackup) }
    var others: [InstalledItem] = [.link(InstallationLayout.current, target: installed.folderName.bytes)]
    if isExcludedFromBackup, BackupMark.isFile { others.append(BackupMark.item(algorithm)) }
    others += versions.map { .folder($0.folderName) }
    // The items of a folder sort as if the folder's name ended in a slash, because their paths begin that way.
    var parts: [(start: [UInt8], items: InstalledItems, folder: EntryPath?)] = []
    for item in others { parts.append((item.path.bytes, try InstalledItems([item], algorithm), nil)) }
    for version in versions {
      parts.append((version.folderName.bytes + [UInt8(ascii: "/")], version.items, version.folderName))
    }
    let writer = InstalledItems.Writer(algorithm)
    for part in parts.sorted(by: { $0.start.lexicographicallyPrecedes($1.start) }) {
      try part.items.forEach { item in
        try writer.append(part.folder.map { item.beneath($0) } ?? item)
      }
    }
    return try writer.finish()
  }
}

extension InstalledVersion {
  /// Returns all items that belong in the version's folder, sorted by path: the content, and the backup mark if it is a
  /// file.
  ///
  /// - Throws: The errors of `InstallationRecord.folderItems`.
  func items(marked isExcludedFromBackup: Bool) throws -> InstalledItems {
    guard isExcludedFromBackup, BackupMark.isFile, try !items.contains(BackupMark.path) else { return items }
    let writer = InstalledItems.Writer(items.algorithm)
    var mark: InstalledItem? = BackupMark.item(items.algorithm)
    try items.forEach { item in
      if let before = mark, before.path < item.path {
        try writer.append(before)
        mark = nil
      }
      try writer.append(item)
    }
    if let mark { try writer.append(mark) }
    return try writer.finish()
  }
}
