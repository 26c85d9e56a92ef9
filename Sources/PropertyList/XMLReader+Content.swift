/// Checks the content between a start tag and its end tag.
extension XMLReader {
  /// Returns the elements in a container. Only white space, comments and processing instructions may be between them.
  static func elements(in container: XMLNode) throws(PropertyListError) -> [XMLNode] {
    try checkNamespaces(container)
    var elements: [XMLNode] = []
    for node in container.children {
      switch node.kind {
      case .element:
        try checkNamespaces(node)
        elements.append(node)
      case .comment, .instruction:
        break
      case .text where node.content.utf8.allSatisfy(isXMLSpace):
        break
      case .text, .cdata:
        throw PropertyListError(
          .unreadable, line: node.line, "there is text between the elements of <\(container.name.printable)>")
      case .entityReference, .other:
        throw entityReference(node)
      }
    }
    return elements
  }

  /// Returns the text in an element. A comment or a processing instruction would split it, and readers join the parts
  /// differently.
  static func text(of element: XMLNode) throws(PropertyListError) -> String {
    var text = ""
    for node in element.children {
      switch node.kind {
      case .text, .cdata:
        text += node.content
      case .comment, .instruction:
        throw PropertyListError(
          .unsafeXML, line: node.line,
          "found a comment or processing instruction in <\(element.name.printable)>, expected only text")
      case .element:
        try checkNamespaces(node)
        throw PropertyListError(
          .unreadable, line: node.line,
          "found the element <\(node.name.printable)> in <\(element.name.printable)>, expected only text"
        )
      case .entityReference, .other:
        throw entityReference(node)
      }
    }
    return text
  }

  private static func checkNamespaces(_ element: XMLNode) throws(PropertyListError) {
    guard !element.usesNamespaces else {
      throw PropertyListError(
        .unsafeXML, line: element.line,
        "the element <\(element.name.printable)> uses an XML namespace, expected none")
    }
  }

  private static func entityReference(_ node: XMLNode) -> PropertyListError {
    PropertyListError(
      .unsafeXML, line: node.line, "found a reference to the entity '\(node.name.printable)', expected none")
  }
}
