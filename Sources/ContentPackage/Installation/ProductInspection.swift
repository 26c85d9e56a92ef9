package import ZipArchive

/// How a product's folder differs from its record.
package struct ProductInspection: Equatable, Sendable {
  /// Recorded, and not there.
  package let missing: [EntryPath]
  /// There, and not as recorded.
  package let modified: [EntryPath]
  /// There, and not recorded; of a folder only the folder itself.
  package let extra: [EntryPath]

  package var isIntact: Bool { isComplete && extra.isEmpty }
  /// Whether everything that was installed is there as it was.
  package var isComplete: Bool { missing.isEmpty && modified.isEmpty }
}
