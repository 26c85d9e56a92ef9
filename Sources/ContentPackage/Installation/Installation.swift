/// One version of a product as it was installed.
public struct Installation: Codable, Equatable, Sendable {
  /// The version, as its manifest has it.
  public let contentVersion: String
  /// How the content lies in the folder.
  public let layout: InstallationLayout
  /// SHA-256 of the package that it came from, in hexadecimal digits.
  public let packageSHA256: String
  /// Whether backups leave it out.
  public let isExcludedFromBackup: Bool
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
