/// A node of a YAML document (YAML 1.2, section 3.2.1). Tags are ignored: every scalar is a text.
package struct YAMLNode {
  /// The content of a node.
  package enum Content {
    case text(String)
    case list([YAMLNode])
    /// Key-value pairs in document order; no text occurs twice as a key.
    case pairs([(key: YAMLNode, value: YAMLNode)])
  }

  package let content: Content
  /// Whether the node is null in the core schema (YAML 1.2, section 10.3.2). Its content is a text all the same.
  package let isNull: Bool
  /// Whether the node is a scalar without quotation marks, `|`, `>` or a tag.
  package let isPlain: Bool
  /// The position of the first character, in characters, counted from 1.
  package let line: Int
  package let column: Int
}

/// A reason why a document cannot be read as YAML.
package struct YAMLError: Error {
  /// Counted from 1.
  package let line: Int
  package let column: Int
  /// The problem; not safe to print.
  package let message: String
}
