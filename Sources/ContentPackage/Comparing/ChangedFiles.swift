/// The largest files among the changes of content since a published version.
package struct ChangedFiles: Sendable, Equatable {
  /// The largest of the added and changed files.
  private(set) var largest = LargestFiles()
  /// The added files, and those that became larger, by their increases.
  private(set) var grown = LargestFiles()

  package init() {}

  /// Adds an item that the published version lacks. Only files count.
  package mutating func addNew(_ item: ContentItem) {
    addChanged(item)
    addIncrease(of: item, from: 0)
  }

  /// Adds an item that has other content in the published version. Only files count.
  package mutating func addChanged(_ item: ContentItem) {
    if item.kind == .file { largest.add(item.path, item.size) }
  }

  /// Adds the increase of an item that both versions have. Only files count; `oldSize` is 0 for what was none.
  package mutating func addIncrease(of item: ContentItem, from oldSize: Int64) {
    if item.kind == .file { grown.add(item.path, item.size - oldSize) }
  }
}
