/// What would cost libxml2 too much is refused before it starts.
extension XMLSource {
  /// Checks how deep arrays and dictionaries are nested, and how long tags are: libxml2 compares each attribute of a
  /// tag with each other one.
  ///
  /// - Throws: `PropertyListProblem` of kind `unreadable`.
  func checkTags() throws(PropertyListProblem) {
    var cursor = MarkupCursor(text)
    // How many elements are open, <plist> included.
    var depth = 0
    while let tag = cursor.nextTag() {
      guard cursor.position - tag.start <= PropertyListLimits.tagLength else {
        throw PropertyListProblem(
          .unreadable, line: line(at: tag.start),
          "a tag is longer than the \(PropertyListLimits.tagLength) bytes allowed")
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

  /// - Throws: `PropertyListProblem` if `levels`, of arrays and dictionaries, are too many.
  private func checkDepth(_ levels: Int, at position: Int) throws(PropertyListProblem) {
    guard levels <= PropertyListLimits.depth else { throw .tooDeep(line: line(at: position)) }
  }
}
