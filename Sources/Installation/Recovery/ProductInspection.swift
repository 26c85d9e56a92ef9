public import ZipArchive

/// The differences between a folder and its record.
public struct ProductInspection: Equatable, Sendable {
  /// Items that are recorded but missing.
  public internal(set) var missing: [EntryPath] = []
  /// Items that differ from the record.
  public internal(set) var modified: [EntryPath] = []
  /// Items that are not recorded; an unrecorded folder counts as one item.
  public internal(set) var extra: [EntryPath] = []

  /// Whether there is no difference.
  public var isIntact: Bool { isComplete && extra.isEmpty }
  /// Whether every installed item is present and unmodified.
  public var isComplete: Bool { missing.isEmpty && modified.isEmpty }

  /// Returns the inspection with all paths prefixed by `folder`.
  func beneath(_ folder: EntryPath) -> ProductInspection {
    ProductInspection(
      missing: missing.beneath(folder), modified: modified.beneath(folder), extra: extra.beneath(folder))
  }
}

extension [EntryPath] {
  /// Returns the paths prefixed by `folder`.
  func beneath(_ folder: EntryPath) -> [EntryPath] {
    PathList(lazy.map { folder.appending($0.bytes) }).paths
  }
}
