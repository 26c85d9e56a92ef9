/// A ZIP archive that is built byte by byte in memory, and whose fields can all have wrong values.
///
/// Fields that follow from the layout are optional: nil means the correct value.
///
///     var archive = ForgedArchive.book()
///     archive.add(.file("Contents/a.txt", "text"))
///     archive["Contents/a.txt"].local.method = 264
///     let bytes = archive.bytes()
package struct ForgedArchive: Sendable {
  /// Bytes before the first entry, not counted by any offset.
  package var prefix: [UInt8] = []
  /// The entries in the order of the file.
  package var entries: [ForgedEntry] = []
  /// Indices of the entries in the central directory, in its order; nil for all in the order of the file.
  package var directoryOrder: [Int]?
  package var gapBeforeDirectory: [UInt8] = []
  package var gapBeforeEnd: [UInt8] = []
  /// The ZIP64 end record and its locator, if any.
  package var zip64: ForgedZip64?
  package var end = ForgedEnd()
  /// Bytes after the end record and its comment.
  package var suffix: [UInt8] = []

  package init(_ entries: [ForgedEntry] = []) { self.entries = entries }

  /// A valid content package: a manifest, a deflated file with a data descriptor as macOS writes it, a folder and a
  /// stored file.
  package static func book(
    productIdentifier: String = "com.example.book", contentVersion: String = "1.0"
  ) -> ForgedArchive {
    ForgedArchive([
      .file("ContentInfo.plist", manifest(productIdentifier, contentVersion)),
      .file("Contents/cover.txt", "a cover", method: .deflated, descriptor: ForgedDescriptor()),
      .folder("Contents/pages/"),
      .file("Contents/pages/one.txt", "page one"),
    ])
  }

  /// The manifest of a package, an XML property list.
  package static func manifest(_ productIdentifier: String, _ contentVersion: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>ContentVersion</key>
    \t<string>\(contentVersion)</string>
    \t<key>IAPProductIdentifier</key>
    \t<string>\(productIdentifier)</string>
    </dict>
    </plist>

    """
  }

  package mutating func add(_ entry: ForgedEntry) { entries.append(entry) }

  /// The entry that was created with a name, even if its headers now have another.
  package subscript(_ name: String) -> ForgedEntry {
    get { entries[position(of: name)] }
    set { entries[position(of: name)] = newValue }
  }

  private func position(of name: String) -> Int {
    guard let position = entries.firstIndex(where: { $0.madeAs == name }) else {
      preconditionFailure("the test has no entry \(name)")
    }
    return position
  }

  package func bytes() -> [UInt8] { layout().bytes }

  /// Returns the bytes of the archive and the ranges of its records.
  package func layout() -> ForgedLayout {
    var result = ForgedLayout()
    result.append(prefix)
    let base = prefix.count
    for entry in entries {
      let start = result.bytes.count
      result.offsets.append(start - base)
      if entry.isOnlyListed { continue }
      result.append(entry.local.bytes, as: .localHeader(entry.madeAs))
      result.append(entry.data)
      if let descriptor = entry.descriptor {
        result.append(descriptor.bytes(of: entry), as: .descriptor(entry.madeAs))
      }
      result.append(entry.gapAfter)
    }
    result.append(gapBeforeDirectory)
    let directory = result.bytes.count
    let order = directoryOrder ?? Array(entries.indices)
    for index in order {
      result.append(
        entries[index].central.bytes(offset: result.offsets[index]), as: .centralRecord(entries[index].madeAs)
      )
    }
    let size = result.bytes.count - directory
    result.append(gapBeforeEnd)
    let facts = ForgedFacts(entries: order.count, directorySize: size, directoryOffset: directory - base)
    if let zip64 {
      let record = result.bytes.count - base
      result.append(zip64.recordBytes(facts), as: .zip64Record)
      result.append(zip64.gap)
      result.append(zip64.locatorBytes(recordOffset: record), as: .zip64Locator)
    }
    result.append(end.bytes(facts), as: .endRecord)
    result.append(suffix)
    return result
  }
}

/// The correct numbers for the end records.
package struct ForgedFacts: Sendable {
  package let entries: Int
  package let directorySize: Int
  package let directoryOffset: Int
}

/// The bytes of a forged archive and the ranges of its records.
package struct ForgedLayout: Sendable {
  package enum Record: Hashable, Sendable {
    case localHeader(String), descriptor(String), centralRecord(String), zip64Record, zip64Locator, endRecord
  }

  package private(set) var bytes: [UInt8] = []
  package private(set) var records: [Record: Range<Int>] = [:]
  /// The offsets of the local headers, counted from the end of the prefix.
  package fileprivate(set) var offsets: [Int] = []

  fileprivate mutating func append(_ more: [UInt8], as record: Record? = nil) {
    if let record { records[record] = bytes.count..<bytes.count + more.count }
    bytes += more
  }
}
