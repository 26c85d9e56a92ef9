import PropertyList
import ZipArchive

/// The contents of a xar archive's table of contents.
struct XarTableOfContents {
  /// The location in the archive of the checksum of the compressed table.
  struct StoredChecksum {
    let style: String
    let range: Range<Int64>
  }

  private(set) var files: [XarFile] = []
  /// The location of the table's checksum; nil if there is none.
  private(set) var checksum: StoredChecksum?
  let isSigned: Bool
  /// The archive, for messages.
  private let name: String
  /// The range of the heap in the archive.
  private let heap: Range<Int64>

  /// Parses a table of contents.
  ///
  /// - Parameters:
  ///   - xml: The decompressed table.
  ///   - name: The archive, for messages.
  ///   - heap: The range of the heap in the archive.
  /// - Throws: `ConversionError.damaged`.
  init(_ xml: [UInt8], of name: String, heap: Range<Int64>) throws(ConversionError) {
    self.name = name
    self.heap = heap
    let root: MarkupElement
    do throws(PropertyListError) { root = try MarkupElement.parse(xml) } catch {
      throw .damaged(name, "its table of contents cannot be read: \(error)")
    }
    guard root.name == "xar", let contents = root.child("toc") else {
      throw .damaged(name, "its table of contents has no element <toc> in an element <xar>")
    }
    isSigned = contents.child("signature") != nil || contents.child("x-signature") != nil
    if let element = contents.child("checksum"), let style = style(of: element) {
      checksum = StoredChecksum(style: style, range: try range("size", of: element))
    }
    try add(contents.children, in: nil)
  }

  /// `MarkupElement.parse` limits the depth of this recursion.
  private mutating func add(_ elements: [MarkupElement], in folder: EntryPath?) throws(ConversionError) {
    for element in elements where element.name == "file" {
      let path = try path(of: element, in: folder)
      files.append(XarFile(path: path, data: try element.child("data").map(data)))
      try add(element.children, in: path)
    }
  }

  private func path(of element: MarkupElement, in folder: EntryPath?) throws(ConversionError) -> EntryPath {
    guard let name = element.child("name") else {
      throw .damaged(self.name, "its table of contents has a file without a name")
    }
    // xar encodes names that are not UTF-8 (`enctype="base64"`); the files needed here have ASCII names.
    return folder?.appending(name.text) ?? EntryPath(name.text)
  }

  /// Returns the location of a file's data. In xar, the length is the encoded size, and the size the decoded one.
  private func data(_ element: MarkupElement) throws(ConversionError) -> XarFile.Data {
    guard let size = number("size", in: element) else {
      throw .damaged(name, "its table of contents has a file without a size")
    }
    return XarFile.Data(
      range: try range("length", of: element), size: size, encoding: try encoding(of: element),
      checksum: try element.child("archived-checksum").flatMap(checksum),
      decodedChecksum: try element.child("extracted-checksum").flatMap(checksum))
  }

  /// Returns the range in the archive of data whose length has the given key.
  private func range(_ key: String, of element: MarkupElement) throws(ConversionError) -> Range<Int64> {
    guard let offset = number("offset", in: element), let length = number(key, in: element) else {
      throw .damaged(name, "its table of contents has <\(element.name)> without offset or \(key)")
    }
    let (start, overflow) = heap.lowerBound.addingReportingOverflow(offset)
    guard !overflow, start <= heap.upperBound, length <= heap.upperBound - start else {
      throw .damaged(
        name,
        "its table of contents declares \(length) bytes at \(offset), which is beyond the end of the file")
    }
    return start..<start + length
  }

  /// Returns the algorithm of a checksum; nil for none.
  private func style(of element: MarkupElement) -> String? {
    let style = element.attributes["style"] ?? ""
    return style.lowercased() == "none" ? nil : style
  }

  private func checksum(_ element: MarkupElement) throws(ConversionError) -> XarChecksum? {
    guard let style = style(of: element) else { return nil }
    guard let checksum = XarChecksum(style: style, hexadecimal: element.text) else {
      throw .damaged(name, "its table of contents has an invalid checksum of the kind '\(style)'")
    }
    return checksum
  }

  private func encoding(of element: MarkupElement) throws(ConversionError) -> XarFile.Encoding {
    let style = element.child("encoding")?.attributes["style"] ?? "application/octet-stream"
    switch style {
    case "application/octet-stream": return .plain
    case "application/x-gzip": return .zlib
    case "application/x-bzip2": return .bzip2
    case "application/x-lzma": return .lzma
    case "application/x-xz": return .xz
    default: throw .damaged(name, "its table of contents has a file with the unknown encoding '\(style)'")
    }
  }

  /// Parses a number of bytes, which must not be negative.
  private func number(_ key: String, in element: MarkupElement) -> Int64? {
    guard let text = element.text(of: key), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int64(text)
  }
}
