internal import LibXML2

/// A node of an `XMLTree`. It is valid only while the tree is alive; `XMLTree.withRoot` provides it.
@safe struct XMLNode {
  enum Kind {
    case element, text, cdata, comment, instruction, entityReference, other
  }

  private let pointer: xmlNodePtr

  init(_ pointer: xmlNodePtr) { unsafe self.pointer = pointer }

  var kind: Kind {
    switch unsafe pointer.pointee.type {
    case XML_ELEMENT_NODE: .element
    case XML_TEXT_NODE: .text
    case XML_CDATA_SECTION_NODE: .cdata
    case XML_COMMENT_NODE: .comment
    case XML_PI_NODE: .instruction
    case XML_ENTITY_REF_NODE: .entityReference
    default: .other
    }
  }

  var name: String { unsafe pointer.pointee.name.map { unsafe String(cString: $0) } ?? "" }

  /// The text of a text or CDATA node.
  var content: String { unsafe pointer.pointee.content.map { unsafe String(cString: $0) } ?? "" }

  /// The line on which the node's start tag or text ends, from 1 (`xmlGetLineNo`).
  var line: Int { unsafe xmlGetLineNo(pointer) }

  /// The child nodes, in order.
  var children: [XMLNode] {
    var children: [XMLNode] = []
    var next = unsafe pointer.pointee.children
    while let node = unsafe next {
      unsafe children.append(XMLNode(node))
      unsafe next = node.pointee.next
    }
    return children
  }

  /// The values of the attributes by name.
  var attributes: [String: String] {
    var values: [String: String] = [:]
    var attribute = unsafe pointer.pointee.properties
    while let current = unsafe attribute {
      let name = unsafe current.pointee.name.map { unsafe String(cString: $0) } ?? ""
      let content = unsafe current.pointee.children.flatMap { unsafe $0.pointee.content }
      values[name] = unsafe content.map { unsafe String(cString: $0) } ?? ""
      unsafe attribute = current.pointee.next
    }
    return values
  }

  /// Whether the element is in a namespace, declares one, or has an attribute in one.
  var usesNamespaces: Bool {
    if unsafe pointer.pointee.ns != nil || pointer.pointee.nsDef != nil { return true }
    var attribute = unsafe pointer.pointee.properties
    while let current = unsafe attribute {
      if unsafe current.pointee.ns != nil { return true }
      unsafe attribute = current.pointee.next
    }
    return false
  }
}
