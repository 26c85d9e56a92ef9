extension PropertyListDocument {
  /// Changes one string of the root dictionary. An XML file keeps every other byte, and a binary property list keeps
  /// every other object and remains binary.
  ///
  /// - Throws: `PropertyListError` if the file cannot be read or has no string for this key, or if the new file differs
  ///   from the old one in anything else.
  package static func replacingString(
    inKey key: String, with value: String, of bytes: [UInt8]
  ) throws(PropertyListError) -> [UInt8] {
    let document = try parse(bytes)
    guard let entry = document.index(ofKey: key), var entries = document.entries,
      case .string = entries[entry].value
    else {
      throw PropertyListError(
        .unreadable, line: document.line(ofKey: key),
        "the root dictionary has no string for the key '\(key.printable)'")
    }
    let edited: [UInt8]?
    switch document.format {
    case .xml:
      var edit = try XMLStringEdit(bytes)
      edited = edit.replacingString(ofEntry: entry, with: value)
    case .binary:
      edited = try BinaryStringEdit(bytes).replacingString(ofEntry: entry, with: value)
    }
    entries[entry] = PropertyListPair(key: entries[entry].key, value: .string(value))
    guard let edited, try parse(edited).root == .dictionary(entries) else {
      throw PropertyListError(
        .unreadable, line: document.line(ofKey: key),
        "the value of the key '\(key.printable)' cannot be replaced without other changes")
    }
    return edited
  }

  /// Returns a new XML property list: a dictionary of strings, in the layout of Apple's tools. The keys must differ,
  /// and keys and values must have only characters that XML allows.
  package static func xml(_ pairs: [(key: String, value: String)]) -> [UInt8] {
    XMLWriter.text(
      of: .dictionary(pairs.map { PropertyListPair(key: $0.key, value: .string($0.value)) }))
  }

  /// Returns a new XML property list of any value, in the layout of Apple's tools.
  ///
  /// - Returns: The file; nil if XML cannot represent a part of the value: a reference of a keyed archive, a character
  ///   that XML does not allow, a fraction of a second, or an integer that is too large.
  package static func xml(_ root: PropertyListValue) -> [UInt8]? {
    let text = XMLWriter.text(of: root)
    return (try? parse(text))?.root == root ? text : nil
  }
}
