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
  /// - Throws: as `InstalledVersion.items`.
  func folderItems() throws -> InstalledItems {
    guard let installed else { return InstalledItems() }
    guard layout == .versioned else { return try installed.items(marked: isExcludedFromBackup) }
    var items: [InstalledItem] = [.link(InstallationLayout.current, target: installed.folderName.bytes)]
    for version in versions {
      items.append(.folder(version.folderName))
      items += try version.items().lazy.map { $0.beneath(version.folderName) }
    }
    if isExcludedFromBackup, BackupMark.isFile { items.append(BackupMark.item) }
    return InstalledItems(items)
  }
}
