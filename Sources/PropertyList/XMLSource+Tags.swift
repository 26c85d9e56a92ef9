/// Rejects deep nesting and long tags, before libxml2 reads the text.
extension XMLSource {
  /// Checks the depth of arrays and dictionaries, and the length of tags, because libxml2 compares each attribute of a
  /// tag with every other attribute.
  ///
  /// - Throws: `PropertyListError` of kind `unreadable`.
  func checkTags() throws(PropertyListError) {
    var cursor = MarkupCursor(text)
    // The number of open elements, including <plist>.
    var depth = 0
    while let tag = cursor.nextTag() {
      guard cursor.position - tag.start <= PropertyListLimits.maximumTagLength else {
        throw PropertyListError(
          .unreadable, line: line(at: tag.start),
          "a tag is longer than the \(PropertyListLimits.maximumTagLength) bytes allowed")
      }
      switch tag.kind {
      case .end:
        depth -= 1
        continue
      case .start:
        depth += 1
        try checkDepth(tag.isContainer ? depth - 1 : depth - 2, at: tag.start)
      case .empty:
        try checkDepth(tag.isContainer ? depth : depth - 1, at: tag.start)
      }
    }
  }

  /// Checks the depth of arrays and dictionaries.
  ///
  /// - Throws: `PropertyListError` if `levels` exceeds the limit.
  private func checkDepth(_ levels: Int, at position: Int) throws(PropertyListError) {
    guard levels <= PropertyListLimits.maximumDepth else { throw .tooDeep(line: line(at: position)) }
  }
}
