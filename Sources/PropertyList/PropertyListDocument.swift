/// A property list that was read from a file, with the lines of its top-level keys and values.
package struct PropertyListDocument: Sendable {
  /// The format of a property list file.
  package enum Format: Sendable, Equatable {
    case xml, binary
  }

  /// The format of the file.
  package let format: Format
  /// The root value.
  package let root: PropertyListValue
  /// The line of the root value's start tag, counted from 1; nil for a binary property list.
  package let rootLine: Int?
  /// The lines of the root dictionary's entries, in order; empty for a binary property list.
  private let entryLines: [EntryLines]

  /// The lines of one entry of the root dictionary, counted from 1.
  struct EntryLines: Sendable {
    let key: Int
    let value: Int
  }

  init(xml root: PropertyListValue, rootLine: Int, entryLines: [EntryLines]) {
    self.format = .xml
    self.root = root
    self.rootLine = rootLine
    self.entryLines = entryLines
  }

  init(binary root: PropertyListValue) {
    self.format = .binary
    self.root = root
    self.rootLine = nil
    self.entryLines = []
  }

  /// Parses an XML or binary property list. Opens no file, whatever an XML document requests.
  ///
  /// - Throws: `PropertyListError`, for the first defect found.
  package static func parse(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyListDocument {
    guard bytes.count <= PropertyListLimits.maximumFileSize else {
      throw PropertyListError(
        .unreadable,
        "the file has \(bytes.count) bytes, more than the \(PropertyListLimits.maximumFileSize) allowed"
      )
    }
    if bytes.starts(with: BinaryLayout.magic) {
      var reader = BinaryReader(layout: try BinaryLayout(bytes))
      return PropertyListDocument(binary: try reader.root())
    }
    let source = try XMLSource(bytes)
    try source.checkProlog()
    try source.checkTags()
    let tree = try XMLTree.parse(source.text)
    return try XMLReader.document(of: tree)
  }

  /// The entries of the root dictionary, or nil if the root is something else.
  package var entries: [PropertyListPair]? {
    guard case .dictionary(let pairs) = root else { return nil }
    return pairs
  }

  /// Returns the value of a key of the root dictionary; nil if the key is absent.
  package func value(forKey key: String) -> PropertyListValue? {
    guard let index = index(ofKey: key) else { return nil }
    return entries?[index].value
  }

  /// Returns the line of a key of the root dictionary, counted from 1; nil if the key is absent or the property list is
  /// binary.
  package func line(ofKey key: String) -> Int? {
    index(ofKey: key).flatMap { entryLines.indices.contains($0) ? entryLines[$0].key : nil }
  }

  /// Returns the line of the start tag of a key's value in the root dictionary; nil in the cases of `line(ofKey:)`.
  package func line(ofValueForKey key: String) -> Int? {
    index(ofKey: key).flatMap { entryLines.indices.contains($0) ? entryLines[$0].value : nil }
  }

  /// Returns the index of a key among the entries of the root dictionary.
  func index(ofKey key: String) -> Int? {
    entries?.firstIndex { $0.key.isIdentical(to: key) }
  }
}
