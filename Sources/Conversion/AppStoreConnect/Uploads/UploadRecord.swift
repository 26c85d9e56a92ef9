import SafeFiles
import StrictJSON
import Support
import SystemPackage

/// The record of the uploads from a folder of asset packs to an app, from which the next run resumes a stopped upload.
struct UploadRecord: Sendable, Equatable {
  /// The name of the file in the folder of packs.
  static let fileName = ".iapkg-uploads.json"
  private static let maximumByteCount = 16 << 20

  /// The upload of an archive.
  struct Entry: Sendable, Equatable {
    /// The digest of the archive.
    let archive: SHA256Digest
    /// The identifier of the version in the API.
    let version: String
    /// The identifier of the reserved file; nil before the reservation.
    var file: String?
    /// The offsets of the parts that were received.
    var parts: [Int64] = []
    /// The identifier of the review submission that contains the version; nil before the submission.
    var submission: String?
  }

  /// A review submission that is not sent yet.
  struct Submission: Sendable, Equatable {
    let id: String
    let platform: String
  }

  /// The entries by the identifiers of the packs.
  var entries: [String: Entry] = [:]
  /// The submissions that this folder has begun but not sent.
  var submissions: [Submission] = []
  /// The records of other apps.
  private var others: [JSONValue] = []

  /// Reads the record of an app in the folder at `path`; a missing record is empty.
  ///
  /// - Throws: `AssetPackFileError` for a file that is not a record; `FileError`, `SourceError`.
  static func read(in path: String, app: String) throws -> UploadRecord {
    let path = FileSystem.joined(path, fileName)
    func invalid(_ reason: String) -> AssetPackFileError {
      AssetPackFileError(
        path: path,
        message: "\(reason); delete it, and the next run starts stopped uploads from the beginning"
      )
    }
    let bytes: [UInt8]
    do {
      bytes = try AssetPackFile.bytes(path, atMost: maximumByteCount)
    } catch let error as FileError where error.errno == .noSuchFileOrDirectory {
      return UploadRecord()
    }
    var reader = JSONReader(bytes)
    let document: JSONValue
    do throws(DocumentError) {
      document = try reader.document { (reader) throws(DocumentError) in try reader.value() }
    } catch {
      throw invalid(error.message)
    }
    guard document["schemaVersion"] == .number("1"), case .array(let apps) = document["apps"] else {
      throw invalid("it is not a record of uploads with schemaVersion 1")
    }
    let own = apps.first { $0["app"] == .string(app) }
    var record = own.map(UploadRecord.init) ?? UploadRecord()
    record.others = apps.filter { $0["app"] != .string(app) }
    return record
  }

  private init() {}

  private init(_ document: JSONValue) {
    if case .array(let packs) = document["packs"] {
      for pack in packs {
        guard case .string(let identifier) = pack["assetPackID"], case .string(let digest) = pack["archive"],
          let archive = SHA256Digest(hexadecimal: digest), case .string(let version) = pack["version"],
          AppStoreCredentials.isIdentifier(version)
        else { continue }
        var entry = Entry(archive: archive, version: version)
        if case .string(let file) = pack["file"], AppStoreCredentials.isIdentifier(file) { entry.file = file }
        if case .string(let id) = pack["submission"] { entry.submission = id }
        if case .array(let parts) = pack["parts"] {
          entry.parts = parts.compactMap { if case .number(let text) = $0 { Int64(text) } else { nil } }
        }
        entries[identifier] = entry
      }
    }
    guard case .array(let begun) = document["submissions"] else { return }
    submissions = begun.compactMap { value in
      guard case .string(let id) = value["id"], AppStoreCredentials.isIdentifier(id),
        case .string(let platform) = value["platform"]
      else { return nil }
      return Submission(id: id, platform: platform)
    }
  }

  /// Writes the record of an app into the folder at `path`, atomically.
  ///
  /// - Throws: `FileError`.
  func write(in path: String, app: String) throws(FileError) {
    let packs = entries.sorted { $0.key < $1.key }.map { identifier, entry in
      JSONValue.object([
        .init("assetPackID", .string(identifier)), .init("archive", .string(entry.archive.hexadecimal)),
        .init("version", .string(entry.version)), .init("file", entry.file.map(JSONValue.string) ?? .null),
        .init("parts", .array(entry.parts.sorted().map { .number(String($0)) })),
        .init("submission", entry.submission.map(JSONValue.string) ?? .null),
      ])
    }
    let begun = submissions.map { submission in
      JSONValue.object([
        .init("id", .string(submission.id)), .init("platform", .string(submission.platform)),
      ])
    }
    let own = JSONValue.object([
      .init("app", .string(app)), .init("packs", .array(packs)), .init("submissions", .array(begun)),
    ])
    let document = JSONValue.object([
      .init("schemaVersion", .number("1")), .init("apps", .array(others + [own])),
    ])
    var file = try StagedOutput.create(at: FileSystem.joined(path, Self.fileName), replacing: true)
    let bytes = Array((document.formatted + "\n").utf8)
    try file.write(unsafe bytes.borrowedSpan.bytes)  // UInt8 has no padding
    try file.commit()
  }
}
