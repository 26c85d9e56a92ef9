/// Reads the values of a property list from a parsed XML document. It rejects constructs that libxml2 accepts but
/// readers interpret differently.
enum XMLReader {
  /// Reads the document of a property list.
  ///
  /// - Throws: `PropertyListError`, for the first defect in the order of the file.
  static func document(of tree: borrowing XMLTree) throws(PropertyListError) -> PropertyListDocument {
    guard !tree.hasDeclarations else {
      throw PropertyListError(.unsafeXML, "the document type has declarations, expected none")
    }
    return try tree.withRoot { (root) throws(PropertyListError) in try document(root: root) }
  }

  private static func document(root: XMLNode?) throws(PropertyListError) -> PropertyListDocument {
    guard let root else {
      throw PropertyListError(.unreadable, "the file has no element, expected <plist>")
    }
    guard root.name == "plist" else {
      throw PropertyListError(
        .unreadable, line: root.line, "the outermost element is <\(root.name.printable)>, expected <plist>")
    }
    let elements = try elements(in: root)
    guard let value = elements.first else {
      throw PropertyListError(
        .unreadable, line: root.line, "the element <plist> is empty, expected one value")
    }
    guard elements.count == 1 else {
      throw PropertyListError(
        .unreadable, line: elements[1].line, "the element <plist> has a second value, expected one")
    }
    guard value.name == "dict" else {
      return PropertyListDocument(
        xml: try self.value(of: value), rootLine: value.line, entryLines: [])
    }
    let entries = try dictionary(value)
    return PropertyListDocument(
      xml: .dictionary(entries.map(\.pair)), rootLine: value.line, entryLines: entries.map(\.lines))
  }

  /// Returns the value of an element. `XMLSource.checkTags` has limited the depth of this recursion.
  private static func value(of element: XMLNode) throws(PropertyListError) -> PropertyListValue {
    switch element.name {
    case "dict":
      return .dictionary(try dictionary(element).map(\.pair))
    case "array":
      var values: [PropertyListValue] = []
      for child in try elements(in: element) { values.append(try value(of: child)) }
      return .array(values)
    case "string":
      return .string(try text(of: element))
    case "true", "false":
      guard try text(of: element).isEmpty else { throw malformed(element, expected: "nothing") }
      return .boolean(element.name == "true")
    case "integer":
      guard let number = ScalarText.integer(try text(of: element)) else {
        throw malformed(element, expected: "an integer from -2^63 to 2^64 - 1")
      }
      return .integer(number)
    case "real":
      guard let number = ScalarText.real(try text(of: element)) else {
        throw malformed(element, expected: "a decimal number")
      }
      return .real(number)
    case "date":
      guard let seconds = ScalarText.date(try text(of: element)) else {
        throw malformed(element, expected: "a date like 2001-01-01T00:00:00Z")
      }
      return .date(seconds)
    case "data":
      guard let bytes = ScalarText.base64(try text(of: element)) else {
        throw malformed(element, expected: "base64 text")
      }
      return .data(bytes)
    default:
      throw PropertyListError(
        .unreadable, line: element.line,
        "found the element <\(element.name.printable)>, expected a value")
    }
  }

  /// An entry of a dictionary with its lines.
  private struct Entry {
    let pair: PropertyListPair
    let lines: PropertyListDocument.EntryLines
  }

  private static func dictionary(_ element: XMLNode) throws(PropertyListError) -> [Entry] {
    var entries: [Entry] = []
    var firstLines: [[UInt8]: Int] = [:]
    var pendingKey: (text: String, line: Int)?
    for child in try elements(in: element) {
      if let key = pendingKey {
        let pair = PropertyListPair(key: key.text, value: try value(of: child))
        entries.append(Entry(pair: pair, lines: .init(key: key.line, value: child.line)))
        pendingKey = nil
        continue
      }
      guard child.name == "key" else {
        throw PropertyListError(
          .unreadable, line: child.line,
          "found the element <\(child.name.printable)>, expected a <key>")
      }
      let key = try text(of: child)
      // Keys are compared as bytes, because Swift treats different encodings of an accented letter as equal.
      if let firstLine = firstLines.updateValue(child.line, forKey: Array(key.utf8)) {
        throw PropertyListError(
          .duplicateKey, line: child.line,
          "the key '\(key.printable)' appears twice in one dictionary, first on line \(firstLine)")
      }
      pendingKey = (key, child.line)
    }
    if let key = pendingKey {
      throw PropertyListError(.unreadable, line: key.line, "the key '\(key.text.printable)' has no value")
    }
    return entries
  }

  private static func malformed(_ element: XMLNode, expected: String) -> PropertyListError {
    PropertyListError(
      .unreadable, line: element.line,
      "the content of <\(element.name.printable)> is not valid, expected \(expected)")
  }
}
