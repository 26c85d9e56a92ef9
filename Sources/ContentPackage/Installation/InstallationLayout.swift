import ZipArchive

/// How content lies in a product's folder.
public enum InstallationLayout: String, Codable, CaseIterable, Sendable {
  /// The folder holds the content.
  case flat
  /// The folder holds a folder named like the version, and `current`, a relative link to it.
  case versioned

  /// The name of the link to the version in use.
  static let current = EntryPath("current")

  /// The folder that the content goes into, in the product's own; nil for that itself.
  func contentFolder(_ version: ContentVersion) -> EntryPath? {
    switch self {
    case .flat: nil
    case .versioned: EntryPath(version.text)
    }
  }
}
