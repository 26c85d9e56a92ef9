/// A node of a YAML document (YAML 1.2, section 3.2.1). What a tag says is not looked at: every scalar is a text.
struct YAMLNode {
  /// What a node is.
  enum Content {
    case text(String)
    case list([YAMLNode])
    /// In the order of the document; no text is a key twice.
    case pairs([(key: YAMLNode, value: YAMLNode)])
  }

  let content: Content
  /// The line and the column of its first character, in characters, counted from 1.
  let line: Int
  let column: Int
}

/// What stands in the way of reading a document as YAML.
struct YAMLError: Error {
  /// Counted from 1.
  let line: Int
  let column: Int
  /// What was found; not safe to print.
  let message: String
}
