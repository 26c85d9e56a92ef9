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
  /// Whether the node is null in the core schema (YAML 1.2, section 10.3.2). Its content is still a text.
  package let isNull: Bool
  /// Whether the node is a scalar without quotation marks, `|`, `>` or a tag.
  package let isPlain: Bool
  /// The line of the first character, counted from 1.
  package let line: Int
  /// The column of the first character, in characters, counted from 1.
  package let column: Int
}

/// The error that stops the reading of a YAML document.
package struct YAMLError: Error {
  /// The line, counted from 1.
  package let line: Int
  /// The column in characters, counted from 1.
  package let column: Int
  /// The problem; not safe to print.
  package let message: String
}
