#if COMMAND_LINE_TOOL
extension StoreCopier {
  /// The result of a copy.
  package struct Report: Sendable {
    /// The catalog of the source.
    package let catalog: Catalog
    /// Whether the copy received a new catalog.
    package let isNew: Bool
    /// The number of objects copied, or to be copied in a dry run.
    package let objects: Int
    /// The total size of these objects in bytes.
    package let bytes: Int64
    /// The withdrawals that the copy had and the source does not list, ordered by product and version.
    package let revoked: [CatalogEntry]
  }
}
#endif
