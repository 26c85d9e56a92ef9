public import ZipArchive

/// How a folder differs from what was installed in it.
public struct ProductInspection: Equatable, Sendable {
  /// Recorded, and not there.
  public internal(set) var missing: [EntryPath] = []
  /// There, and not as recorded.
  public internal(set) var modified: [EntryPath] = []
  /// There, and not recorded; of a folder only the folder itself.
  public internal(set) var extra: [EntryPath] = []

  /// Whether it does not differ at all.
  public var isIntact: Bool { isComplete && extra.isEmpty }
  /// Whether everything that was installed is there as it was.
  public var isComplete: Bool { missing.isEmpty && modified.isEmpty }

  /// The same, seen from a folder further up.
  func beneath(_ folder: EntryPath) -> ProductInspection {
    ProductInspection(
      missing: missing.beneath(folder), modified: modified.beneath(folder), extra: extra.beneath(folder))
  }
}

extension [EntryPath] {
  /// The same paths, seen from a folder further up.
  func beneath(_ folder: EntryPath) -> [EntryPath] {
    PathList(lazy.map { folder.appending($0.bytes) }).paths
  }
}
