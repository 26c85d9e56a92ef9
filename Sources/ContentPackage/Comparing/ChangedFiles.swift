/// The largest files among the changes of content since a published version.
package struct ChangedFiles: Sendable, Equatable {
  /// The largest of the added and changed files.
  private(set) var largest = LargestFiles()
  /// The files with the largest increases: added files, and changed files that became larger.
  private(set) var grown = LargestFiles()

  /// Creates an empty collection.
  package init() {}

  /// Adds an item that the published version lacks. Only files count.
  package mutating func addNew(_ item: ContentItem) {
    addChanged(item)
    addIncrease(of: item, from: 0)
  }

  /// Adds an item whose content differs in the published version. Only files count.
  package mutating func addChanged(_ item: ContentItem) {
    if item.kind == .file { largest.add(item.path, item.size) }
  }

  /// Adds the increase of an item that both versions have. Only files count; `oldSize` is 0 if the old item was not a file.
  package mutating func addIncrease(of item: ContentItem, from oldSize: Int64) {
    if item.kind == .file { grown.add(item.path, item.size - oldSize) }
  }
}
