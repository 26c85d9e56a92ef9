/// A node of a YAML document (YAML 1.2, section 3.2.1). Tags are ignored: every scalar is a text.
struct YAMLNode {
  /// The content of a node.
  enum Content {
    case text(String)
    case list([YAMLNode])
    /// Key-value pairs in document order; no text occurs twice as a key.
    case pairs([(key: YAMLNode, value: YAMLNode)])
  }

  let content: Content
  /// The position of the first character, in characters, counted from 1.
  let line: Int
  let column: Int
}

/// A reason why a document cannot be read as YAML.
struct YAMLError: Error {
  /// Counted from 1.
  let line: Int
  let column: Int
  /// The problem; not safe to print.
  let message: String
}
