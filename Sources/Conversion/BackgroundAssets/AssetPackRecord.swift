import ContentPackage
import SafeFiles
import StrictJSON
import Support
import ZipArchive

/// The record of the archives in a folder of asset packs, by which unchanged packs are recognized: `ba-package` makes other
/// bytes each time.
struct AssetPackRecord: Sendable, Equatable {
  /// The name of the file in the folder of packs.
  static let fileName = ".iapkg-packs.json"
  private static let maximumByteCount = 4 << 20

  /// An archive, and the content that it was made of.
  struct Entry: Sendable, Equatable {
    /// The digest of the manifest and the selected files.
    let source: SHA256Digest
    let archive: SHA256Digest
    let archiveBytes: Int64
  }

  /// The entries by the names of the packs' folders.
  var entries: [String: Entry] = [:]

  /// Reads the record in a folder; a missing or unreadable record is empty, so that all packs are packed again.
  ///
  /// - Throws: `SourceError`.
  static func read(in folder: borrowing DirectoryHandle) throws -> AssetPackRecord {
    guard let file = try? folder.openFile(fileName.utf8), file.byteCount <= Int64(maximumByteCount) else {
      return AssetPackRecord()
    }
    return (try? AssetPackRecord(bytes: file.bytes(at: 0, count: maximumByteCount))) ?? AssetPackRecord()
  }

  private init() {}

  private init(bytes: [UInt8]) throws(DocumentError) {
    var reader = JSONReader(bytes)
    let document = try reader.document { (reader) throws(DocumentError) in try reader.value() }
    guard document["schemaVersion"] == .number("1"), case .array(let packs) = document["packs"] else {
      return
    }
    for pack in packs {
      guard case .string(let folder) = pack["folder"], case .string(let sourceText) = pack["source"],
        case .string(let archiveText) = pack["archive"], case .number(let bytesText) = pack["bytes"],
        let source = SHA256Digest(hexadecimal: sourceText),
        let archive = SHA256Digest(hexadecimal: archiveText),
        let bytes = Int64(bytesText)
      else { continue }
      entries[folder] = Entry(source: source, archive: archive, archiveBytes: bytes)
    }
  }

  /// Writes the record into the folder at `path`, atomically.
  ///
  /// - Throws: `FileError`.
  func write(in path: String) throws(FileError) {
    let packs = entries.sorted { $0.key < $1.key }.map { folder, entry in
      JSONValue.object([
        .init("folder", .string(folder)), .init("source", .string(entry.source.hexadecimal)),
        .init("archive", .string(entry.archive.hexadecimal)),
        .init("bytes", .number(String(entry.archiveBytes))),
      ])
    }
    let document = JSONValue.object([.init("schemaVersion", .number("1")), .init("packs", .array(packs))])
    var file = try StagedOutput.create(at: FileSystem.joined(path, Self.fileName), replacing: true)
    let bytes = Array((document.formatted + "\n").utf8)
    try file.write(unsafe bytes.borrowedSpan.bytes)  // any UInt8 is a byte
    try file.commit()
  }
}
