import ZipArchive

/// One version of a product as it was installed.
public struct Installation: Equatable, Sendable {
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
    items: consuming [InstalledItem]
  ) {
    self.contentVersion = contentVersion
    self.layout = layout
    self.packageSHA256 = packageSHA256
    self.isExcludedFromBackup = isExcludedFromBackup
    items.sort { $0.place < $1.place }
    self.items = items
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
