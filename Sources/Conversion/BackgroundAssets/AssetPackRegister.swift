package import ContentPackage
import SafeFiles
package import StrictJSON
package import Support

/// The file that keeps the identifier of each product's asset pack, `asset-packs.json`, which belongs in version
/// control.
///
/// App Store Connect never assigns the identifier of an archived asset pack again.
package struct AssetPackRegister: Sendable, Equatable {
  /// The default name of the file.
  package static let defaultName = "asset-packs.json"
  /// The maximum size of the file in bytes.
  private static let maximumByteCount = 4 << 20

  /// An assigned identifier.
  package struct Entry: Sendable, Equatable {
    package let identifier: AssetPackIdentifier
    package let product: ProductIdentifier
    /// Whether the asset pack was archived, so that App Store Connect refuses the identifier.
    package let isArchived: Bool
  }

  /// The entries; at most one of each product is not archived.
  package private(set) var entries: [Entry] = []

  /// Creates an empty register.
  package init() {}

  /// Returns the identifier of a product's asset pack, and adds it if it is new.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - wanted: The identifier that the user chose; if nil, the recorded identifier, otherwise the default.
  /// - Returns: The recorded or new identifier.
  /// - Throws: `ExportError`.
  package mutating func identifier(
    for product: ProductIdentifier, wanted: AssetPackIdentifier? = nil
  ) throws(ExportError) -> AssetPackIdentifier {
    if let known = entries.first(where: { $0.product == product && !$0.isArchived }) {
      guard let wanted, wanted != known.identifier else { return known.identifier }
      throw .otherIdentifier(product, recorded: known.identifier, wanted: wanted)
    }
    guard let identifier = wanted ?? AssetPackIdentifier(of: product) else { throw .noIdentifier(product) }
    if let other = entries.first(where: { $0.identifier.folded == identifier.folded }) {
      throw other.isArchived
        ? .archived(identifier, product) : .identifierInUse(identifier, product, by: other.product)
    }
    entries.append(Entry(identifier: identifier, product: product, isArchived: false))
    return identifier
  }
}

// MARK: - The file

extension AssetPackRegister {
  /// Reads the file at `path`; a missing file is an empty register.
  ///
  /// - Throws: `AssetPackFileError` for an invalid file; `FileError`, `SourceError`.
  package static func read(_ path: String) throws -> AssetPackRegister {
    guard try FileSystem.status(of: path, followingLinks: false) != nil else { return AssetPackRegister() }
    let bytes = try AssetPackFile.bytes(path, atMost: maximumByteCount)
    do throws(DocumentError) {
      return try AssetPackRegister(bytes: bytes)
    } catch {
      throw AssetPackFileError(path: path, message: error.message)
    }
  }

  /// Adds the entries to the file at `path`, which other processes may change at the same time.
  ///
  /// - Throws: `InputBusy` if another process keeps changing the file; `ExportError` if another process has assigned
  ///   a conflicting identifier; `FileError` with operation `create` if the file cannot be written; the errors of
  ///   `read`.
  package func add(to path: String, _ cancellation: Cancellation) throws {
    let folder: DirectoryHandle
    do throws(FileError) { folder = try DirectoryHandle.open(FileSystem.folder(of: path)) } catch {
      throw FileError(.create, path, error.errno)
    }
    var attempts = 0
    while try !folder.lock() {
      attempts += 1
      guard attempts < Self.maximumAttemptCount else { throw InputBusy(path: path) }
      try cancellation.check()
      cancellation.wait(Self.pause)
    }
    let present = try Self.read(path)
    var register = present
    for entry in entries where !entry.isArchived {
      _ = try register.identifier(for: entry.product, wanted: entry.identifier)
    }
    guard register != present else { return }
    var file = try StagedOutput.create(at: path, replacing: true)
    try file.write(unsafe register.bytes.borrowedSpan.bytes)  // UInt8 has no padding
    try file.commit()
  }

  private static let maximumAttemptCount = 500
  private static let pause = Duration.milliseconds(20)

  /// Parses a file.
  ///
  /// - Throws: `DocumentError`, also if an identifier appears twice or a product has two that are not archived.
  package init(bytes: [UInt8]) throws(DocumentError) {
    var reader = JSONReader(bytes)
    var entries: [Entry] = []
    var version: Int64?
    try reader.document { (reader) throws(DocumentError) in
      try reader.object { (key, reader) throws(DocumentError) in
        switch key {
        case "schemaVersion": version = try reader.integer(in: 1...Int64.max)
        case "assetPacks":
          try reader.array { (reader) throws(DocumentError) in entries.append(try Entry(&reader)) }
        default: throw reader.error("found the key '\(key)', expected schemaVersion or assetPacks")
        }
      }
    }
    guard version == 1 else {
      throw DocumentError("schemaVersion is \(version.map(String.init) ?? "missing"), expected 1")
    }
    for (index, entry) in entries.enumerated() {
      guard !entries[..<index].contains(where: { $0.identifier.folded == entry.identifier.folded }) else {
        throw DocumentError("the identifier '\(entry.identifier)' appears twice")
      }
      guard
        entry.isArchived
          || !entries[..<index].contains(where: { $0.product == entry.product && !$0.isArchived })
      else { throw DocumentError("the product \(entry.product) has two identifiers that are not archived") }
    }
    self.entries = entries
  }

  /// The register as JSON, sorted by product, with one entry a line for version control. Identifiers have no characters
  /// that JSON escapes.
  package var bytes: [UInt8] {
    let sorted = entries.sorted {
      ($0.product.text, $0.identifier.text) < ($1.product.text, $1.identifier.text)
    }
    let lines = sorted.map { entry in
      let archived = entry.isArchived ? #", "archived": true"# : ""
      return
        #"    { "assetPackID": "\#(entry.identifier)", "productIdentifier": "\#(entry.product)"\#(archived) }"#
    }
    return Array(
      "{\n  \"schemaVersion\": 1,\n  \"assetPacks\": [\n\(lines.joined(separator: ",\n"))\n  ]\n}\n".utf8)
  }
}

extension AssetPackRegister.Entry {
  fileprivate init(_ reader: inout JSONReader) throws(DocumentError) {
    var identifier: AssetPackIdentifier?
    var product: ProductIdentifier?
    var isArchived = false
    try reader.object { (key, reader) throws(DocumentError) in
      switch key {
      case "assetPackID":
        let text = try reader.string()
        identifier = AssetPackIdentifier(text)
        if identifier == nil {
          throw reader.error(
            "'\(text.prefix(40))' is not an asset pack ID, expected \(AssetPackIdentifier.form)")
        }
      case "productIdentifier":
        let text = try reader.string()
        product = ProductIdentifier(text)
        if product == nil { throw reader.error("'\(text.prefix(40))' is not a product identifier") }
      case "archived": isArchived = try reader.boolean()
      default:
        throw reader.error("found the key '\(key)', expected assetPackID, productIdentifier or archived")
      }
    }
    guard let identifier, let product else {
      throw reader.error("an asset pack has no assetPackID or no productIdentifier")
    }
    self.init(identifier: identifier, product: product, isArchived: isArchived)
  }
}

/// An invalid file of asset packs.
package struct AssetPackFileError: Error, Sendable, Equatable {
  /// The file; not safe to print.
  package let path: String
  /// The problem: one lower-case sentence without a full stop.
  package let message: String
}

/// Reads small files about asset packs.
enum AssetPackFile {
  /// Reads a file of at most `limit` bytes.
  ///
  /// - Throws: `AssetPackFileError` for a file that is too large; `FileError`, `SourceError`.
  static func bytes(_ path: String, atMost limit: Int) throws -> [UInt8] {
    let file = try InputFile.open(path)
    guard file.byteCount <= Int64(limit) else {
      throw AssetPackFileError(
        path: path, message: "it has \(file.byteCount) bytes, expected at most \(limit)")
    }
    return try file.bytes(at: 0, count: limit)
  }
}
