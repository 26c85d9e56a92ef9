package import ZipArchive

/// The layout of a product's folder.
public enum InstallationLayout: String, Codable, CaseIterable, Sendable {
  /// The folder contains the content of the version in use; previous versions are elsewhere.
  case flat
  /// The folder contains a folder for each version, named after it, and `current`, a relative link to the version in
  /// use.
  case versioned

  /// The name of the link to the version in use.
  package static let current = EntryPath("current")
}
