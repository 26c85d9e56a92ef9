package import ContentPackage
import ZipArchive

/// What is known of a product, kept in `Documents/.iapkg/` beside the content itself.
package struct InstallationRecord: Equatable, Sendable {
  package let productIdentifier: ProductIdentifier
  package let layout: InstallationLayout
  /// Whether backups leave the product out.
  package let isExcludedFromBackup: Bool
  /// The version in use; nil only in the pending record of a removal.
  package let installed: InstalledVersion?
  /// The versions that are kept for `rollback`, the one that was in use last first.
  package let previous: [InstalledVersion]
  /// How all this comes about, while the record is pending.
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

  /// The version in use, and then the others.
  package var versions: [InstalledVersion] { (installed.map { [$0] } ?? []) + previous }

  /// Whether a version has a folder of this name, which is the version's own text: `1.0` and `1` are two names.
  func hasVersion(named name: String) -> Bool { versions.contains { $0.contentVersion.text == name } }

  /// Everything that is to be in the product's folder, sorted by path.
  ///
  /// - Throws: `SourceError` if it cannot be read, `FileError` if there is no room for a temporary file.
  func folderItems() throws -> InstalledItems {
    guard let installed else { return try InstalledItems([]) }
    guard layout == .versioned else { return try installed.items(marked: isExcludedFromBackup) }
    var others: [InstalledItem] = [.link(InstallationLayout.current, target: installed.folderName.bytes)]
    if isExcludedFromBackup, BackupMark.isFile { others.append(BackupMark.item) }
    others += versions.map { .folder($0.folderName) }
    // What is in a folder stands where its name and a slash would, since that is how each of its paths begins.
    var parts: [(start: [UInt8], items: InstalledItems, folder: EntryPath?)] = []
    for item in others { parts.append((item.path.bytes, try InstalledItems([item]), nil)) }
    for version in versions {
      parts.append((version.folderName.bytes + [UInt8(ascii: "/")], version.items, version.folderName))
    }
    let writer = InstalledItems.Writer()
    for part in parts.sorted(by: { $0.start.lexicographicallyPrecedes($1.start) }) {
      try part.items.forEach { item in
        try writer.append(part.folder.map { item.beneath($0) } ?? item)
      }
    }
    return try writer.finish()
  }
}

extension InstalledVersion {
  /// What is to be in its folder, sorted by path: the content, and the mark for backups if that is a file.
  ///
  /// - Throws: as `InstallationRecord.folderItems`.
  func items(marked isExcludedFromBackup: Bool) throws -> InstalledItems {
    guard isExcludedFromBackup, BackupMark.isFile, try !items.contains(BackupMark.path) else { return items }
    let writer = InstalledItems.Writer()
    var mark: InstalledItem? = BackupMark.item
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
