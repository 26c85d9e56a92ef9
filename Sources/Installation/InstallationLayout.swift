import ZipArchive

/// How content lies in a product's folder.
public enum InstallationLayout: String, Codable, CaseIterable, Sendable {
  /// The folder holds the content of the version in use; previous versions lie elsewhere.
  case flat
  /// The folder holds a folder for each version, named like it, and `current`, a relative link to the one in use.
  case versioned

  /// The name of the link to the version in use.
  static let current = EntryPath("current")
}
