import ContentPackage
import SafeFiles
import StrictJSON
import Support
import ZipArchive

/// The record of a folder of asset packs: the digests of the folders and archives that iapkg has written there.
///
/// The record identifies unchanged packs, for which `ba-package` makes different bytes each time, and the folders and
/// archives that iapkg may replace.
struct AssetPackRecord: Sendable, Equatable {
  /// The name of the file in the folder of packs.
  static let fileName = ".iapkg-packs.json"
  private static let maximumByteCount = 4 << 20

  /// An archive, and the content that it was made from.
  struct Archive: Sendable, Equatable {
    /// The digest of the manifest and the selected files.
    let source: SHA256Digest
    let digest: SHA256Digest
    let byteCount: Int64
  }

  /// The record of one pack.
  struct Entry: Sendable, Equatable {
    /// The archive; nil before the pack is packed.
    var archive: Archive?
    /// The digest of the next archive while it replaces the present one.
    var nextArchive: SHA256Digest?
    /// The digests of the staged folder: one, or two while the next content replaces the present one.
    var staged: Set<SHA256Digest> = []
  }

  /// The entries by the names of the packs' folders.
  var entries: [String: Entry] = [:]

  /// Reads the record in a folder; a missing record is empty, so that all packs are packed again.
  ///
  /// - Throws: `AssetPackFileError` for an invalid record, without which no archive can be verified; `FileError`,
  ///   `SourceError`.
  static func read(in folder: borrowing DirectoryHandle) throws -> AssetPackRecord {
    guard try folder.status(of: fileName.utf8) != nil else { return AssetPackRecord() }
    let file = try folder.openFile(fileName.utf8)
    let bytes = try file.bytes(at: 0, count: maximumByteCount)
    do throws(DocumentError) {
      guard file.byteCount <= Int64(maximumByteCount) else {
        throw DocumentError("it has \(file.byteCount) bytes, expected at most \(maximumByteCount)")
      }
      return try AssetPackRecord(bytes: bytes)
    } catch {
      throw AssetPackFileError(
        path: file.path, message: "\(error.message); delete it and pack the asset packs again")
    }
  }

  /// Reads the record in a folder to update it. An invalid record is empty, so that iapkg replaces nothing without
  /// `--force`.
  ///
  /// - Throws: `FileError`, `SourceError`.
  static func readToUpdate(in folder: borrowing DirectoryHandle) throws -> AssetPackRecord {
    do {
      return try read(in: folder)
    } catch is AssetPackFileError {
      return AssetPackRecord()
    }
  }

  init() {}

  private init(bytes: [UInt8]) throws(DocumentError) {
    var reader = JSONReader(bytes)
    let document = try reader.document { (reader) throws(DocumentError) in try reader.value() }
    guard document["schemaVersion"] == .number("1"), case .array(let packs) = document["packs"] else {
      throw DocumentError("schemaVersion is not 1, or packs is not a list")
    }
    for pack in packs {
      guard case .string(let folder) = pack["folder"] else { throw DocumentError("a pack has no folder") }
      let entry = Entry(pack)
      guard entry.archive != nil || pack["archive"] == nil else {
        throw DocumentError("the pack '\(folder)' has an invalid source, archive or bytes")
      }
      entries[folder] = entry
    }
  }

  /// Writes the record into the folder at `path`, atomically.
  ///
  /// - Throws: `FileError`.
  func write(in path: String) throws(FileError) {
    var file = try StagedOutput.create(at: FileSystem.joined(path, Self.fileName), replacing: true)
    try file.write(unsafe bytes.borrowedSpan.bytes)  // UInt8 has no padding
    try file.commit()
  }

  /// Writes the record into a new folder, which no other process knows.
  ///
  /// - Throws: `FileError`.
  func write(into folder: borrowing DirectoryHandle) throws(FileError) {
    var file = try folder.createFile(Self.fileName.utf8)
    try file.write(unsafe bytes.borrowedSpan.bytes)  // UInt8 has no padding
    try file.close()
  }

  private var bytes: [UInt8] {
    let packs = entries.sorted { $0.key < $1.key }.map { folder, entry in
      JSONValue.object([.init("folder", .string(folder))] + entry.members)
    }
    let document = JSONValue.object([.init("schemaVersion", .number("1")), .init("packs", .array(packs))])
    return Array((document.formatted + "\n").utf8)
  }
}

extension AssetPackRecord.Entry {
  fileprivate init(_ value: JSONValue) {
    func digest(_ value: JSONValue?) -> SHA256Digest? {
      if case .string(let text) = value { SHA256Digest(hexadecimal: text) } else { nil }
    }
    if let source = digest(value["source"]), let archive = digest(value["archive"]),
      case .number(let text) = value["bytes"], let byteCount = Int64(text)
    {
      self.archive = AssetPackRecord.Archive(source: source, digest: archive, byteCount: byteCount)
    }
    nextArchive = digest(value["nextArchive"])
    if case .array(let values) = value["staged"] { staged = Set(values.compactMap(digest)) }
  }

  /// The members of the entry in the file.
  fileprivate var members: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let archive {
      members += [
        .init("source", .string(archive.source.hexadecimal)),
        .init("archive", .string(archive.digest.hexadecimal)),
        .init("bytes", .number(String(archive.byteCount))),
      ]
    }
    if let nextArchive { members.append(.init("nextArchive", .string(nextArchive.hexadecimal))) }
    if !staged.isEmpty {
      members.append(.init("staged", .array(staged.sorted().map { .string($0.hexadecimal) })))
    }
    return members
  }
}
