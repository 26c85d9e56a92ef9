/// One version of a product as it was installed.
package struct Installation: Codable, Equatable, Sendable {
  package let contentVersion: String
  package let layout: InstallationLayout
  /// SHA-256 of the package that it came from.
  package let packageSHA256: String
  package let isExcludedFromBackup: Bool
  /// Sorted by the bytes of the paths.
  package let items: [InstalledItem]

  init(
    contentVersion: String, layout: InstallationLayout, packageSHA256: String, isExcludedFromBackup: Bool,
    items: [InstalledItem]
  ) {
    self.contentVersion = contentVersion
    self.layout = layout
    self.packageSHA256 = packageSHA256
    self.isExcludedFromBackup = isExcludedFromBackup
    self.items = items.sorted { $0.place < $1.place }
  }
}
