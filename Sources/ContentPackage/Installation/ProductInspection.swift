public import ZipArchive

/// How a product's folder differs from its record.
public struct ProductInspection: Equatable, Sendable {
  /// Recorded, and not there.
  public let missing: [EntryPath]
  /// There, and not as recorded.
  public let modified: [EntryPath]
  /// There, and not recorded; of a folder only the folder itself.
  public let extra: [EntryPath]

  /// Whether it does not differ at all.
  public var isIntact: Bool { isComplete && extra.isEmpty }
  /// Whether everything that was installed is there as it was.
  public var isComplete: Bool { missing.isEmpty && modified.isEmpty }
}
