/// An element of an XML document that is not a property list, such as the table of contents of an archive.
package struct MarkupElement: Sendable, Equatable {
  /// The name of the element.
  package let name: String
  /// The values of the attributes by name.
  package let attributes: [String: String]
  /// The text directly in the element, without leading and trailing white space.
  package let text: String
  /// The child elements, in order.
  package let children: [MarkupElement]

  /// Reads an XML document within the limits of a property list. Entities, namespaces, and document types other than
  /// that of Apple's property lists are errors.
  ///
  /// - Returns: The root element.
  /// - Throws: `PropertyListError`, for the first defect found.
  package static func parse(_ bytes: [UInt8]) throws(PropertyListError) -> MarkupElement {
    guard bytes.count <= PropertyListLimits.maximumFileSize else {
      throw PropertyListError(
        .unreadable,
        "the XML has \(bytes.count) bytes, more than the \(PropertyListLimits.maximumFileSize) allowed")
    }
    let source = try XMLSource(bytes)
    try source.checkProlog()
    try source.checkTags()
    let tree = try XMLTree.parse(source.text)
    return try tree.withRoot { (root) throws(PropertyListError) in
      guard let root else { throw PropertyListError(.unreadable, "the XML has no element") }
      return try MarkupElement(root)
    }
  }

  /// Copies a node and its children. `XMLSource.checkTags` has limited the depth of this recursion.
  private init(_ node: XMLNode) throws(PropertyListError) {
    guard !node.usesNamespaces else {
      throw PropertyListError(.unsafeXML, line: node.line, "the XML uses a namespace")
    }
    var text = ""
    var children: [MarkupElement] = []
    for child in node.children {
      switch child.kind {
      case .element: children.append(try MarkupElement(child))
      case .text, .cdata: text += child.content
      case .comment, .instruction: break
      case .entityReference, .other:
        throw PropertyListError(.unsafeXML, line: child.line, "the XML uses an entity")
      }
    }
    name = node.name
    attributes = node.attributes
    self.text = String(ScalarText.trimmed(text))
    self.children = children
  }

  /// Returns the first child with this name.
  package func child(_ name: String) -> MarkupElement? { children.first { $0.name == name } }

  /// Returns the text of the first child with this name.
  package func text(of name: String) -> String? { child(name)?.text }
}
