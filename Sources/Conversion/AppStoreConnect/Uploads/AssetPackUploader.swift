package import ContentPackage
import Delivery
import SafeFiles
import StrictJSON
import Support

/// Uploads the archives of asset packs to App Store Connect: a version of its pack for each archive that changed.
///
/// App Store Connect has the state of every upload, and the record in the folder has the digests and the received parts. A
/// stopped run goes on where it was. Belongs to one thread.
package final class AssetPackUploader {
  /// An asset pack with its archive.
  package struct Pack: Sendable {
    package let identifier: AssetPackIdentifier
    package let platforms: [AssetPlatform]
    let archive: InputFile
    let digest: SHA256Digest
  }

  /// The result for a pack.
  package struct Result: Sendable {
    package enum Outcome: String, Sendable {
      case uploaded
      case unchanged
      /// A rehearsal.
      case wouldUpload = "would-upload"
      /// App Store Connect rejected the archive.
      case failed
      /// For `status`: what App Store Connect has.
      case shown
    }

    package let identifier: AssetPackIdentifier
    package fileprivate(set) var outcome: Outcome
    package fileprivate(set) var uploadedBytes: Int64 = 0
    /// The version in App Store Connect; nil if there is none.
    package fileprivate(set) var version: PackVersion?
    /// The identifier of the review submission that has the version.
    package internal(set) var submission: String?
  }

  /// An asset pack that cannot be uploaded.
  package enum Refusal: Error, Sendable, Equatable {
    /// The pack was archived in App Store Connect, and its identifier is lost.
    case archived(AssetPackIdentifier)
    /// The archive changed while it was uploaded.
    case changed(AssetPackIdentifier)
    /// Another review submission of the app is open, with items that this folder did not add.
    case otherSubmission(platform: String)
  }

  /// The number of parts that are uploaded at the same time.
  private static let jobs = 4
  /// The pauses between two looks at a version, in seconds.
  private static let pauses: ClosedRange<Int64> = 1...30

  let client: AppStoreClient
  let app: String
  private let folder: String
  private let context: WorkContext
  var record: UploadRecord
  private let lock = AssetPackFolderLock()
  /// Waits a number of seconds.
  private let pause: (Int64) -> Void

  /// - Parameters:
  ///   - client: The client of the API.
  ///   - app: The identifier of the app.
  ///   - folder: The folder of the asset packs.
  ///   - context: The cancellation and the progress.
  ///   - pause: Waits a number of seconds; nil for a wait that a cancellation ends.
  /// - Throws: `InputBusy` if another process packs in the folder or uploads from it; `FileError`, `SourceError`.
  package init(
    _ client: AppStoreClient, app: String, folder: String, context: WorkContext,
    pause: ((Int64) -> Void)? = nil
  ) throws {
    try lock.acquire(folder)
    record = try UploadRecord.read(in: DirectoryHandle.open(folder), app: app)
    self.client = client
    self.app = app
    self.folder = folder
    self.context = context
    self.pause = pause ?? { context.cancellation.wait(.seconds($0)) }
  }

  /// Uploads a pack, unless App Store Connect has its archive.
  ///
  /// - Parameters:
  ///   - pack: The pack.
  ///   - wait: The maximum time in seconds to wait until a version is processed.
  ///   - repeatsFailed: Whether an archive that App Store Connect rejected is uploaded again.
  ///   - isRehearsal: Whether nothing is changed.
  /// - Returns: The result; its version may still be processed.
  /// - Throws: `Refusal`, `StoreError`, `IntegrityError`, `SourceError`, `FileError`, `Interruption`.
  package func upload(
    _ pack: Pack, waiting wait: Int64, repeatingFailed repeatsFailed: Bool, rehearsing isRehearsal: Bool
  ) throws -> Result {
    let identifier = pack.identifier
    var result = Result(identifier: identifier, outcome: .unchanged)
    let found = try find(identifier)
    if let entry = record.entries[identifier.text], entry.archive == pack.digest, found != nil,
      let version = try present(entry.version)
    {
      let isOver = version.state != .awaitingUpload && !(version.state == .failed && repeatsFailed)
      if isOver {
        result.version = isRehearsal ? version : try processed(version, waiting: wait)
        result.submission = entry.submission
        if result.version?.state == .failed { result.outcome = .failed }
        return result
      }
      if version.state == .failed, !isRehearsal { record.entries[identifier.text] = nil }
    } else if !isRehearsal {
      record.entries[identifier.text] = nil
    }
    guard !isRehearsal else {
      result.outcome = .wouldUpload
      result.uploadedBytes = pack.archive.byteCount
      return result
    }
    let home = try found ?? create(identifier)
    let version = try reserveVersion(of: home, for: pack)
    result.uploadedBytes = try send(pack, to: version)
    result.version = try processed(try self.version(version), waiting: wait)
    result.outcome = result.version?.state == .failed ? .failed : .uploaded
    return result
  }

  /// Returns the newest version of a pack in App Store Connect.
  ///
  /// - Throws: The errors of `upload`.
  package func status(of pack: Pack) throws -> Result {
    var result = Result(identifier: pack.identifier, outcome: .shown)
    guard let home = try find(pack.identifier) else { return result }
    result.version = try versions(of: home).max { $0.number < $1.number }
    result.submission = record.entries[pack.identifier.text]?.submission
    return result
  }

  /// Writes the record.
  func save() throws(FileError) { try record.write(in: folder, app: app) }

  // MARK: Steps

  /// Returns the identifier of a pack in the API; nil if there is none.
  private func find(_ identifier: AssetPackIdentifier) throws -> String? {
    let packs: [AppStoreResource]
    do {
      packs = try client.list(
        "/v1/apps/\(app)/backgroundAssets", "filter%5BassetPackIdentifier%5D=\(identifier.text)",
        of: "backgroundAssets"
      ).data
    } catch let error as StoreError where error.reason == .missing {
      throw StoreError(.missing, error.place, AppStoreClient.absence(ofApp: app))
    }
    for pack in packs where try pack.text("assetPackIdentifier") == identifier.text {
      guard try pack.flag("archived") != true else { throw Refusal.archived(identifier) }
      return pack.id
    }
    return nil
  }

  private func create(_ identifier: AssetPackIdentifier) throws -> String {
    try client.create(
      "backgroundAssets", [.init("assetPackIdentifier", .string(identifier.text))],
      related: [("app", "apps", app)]
    ).id
  }

  /// Returns the version for an archive: the recorded one, one that a stopped run has created and not recorded, or a new
  /// one.
  private func reserveVersion(of home: String, for pack: Pack) throws -> String {
    if let entry = record.entries[pack.identifier.text] { return entry.version }
    let known = Set(record.entries.values.map(\.version))
    for version in try versions(of: home)
    where version.state == .awaitingUpload && !known.contains(version.id) {
      let files = try files(of: version.id)
      guard files.count <= 1, try files.allSatisfy({ try isFile($0, of: pack) }) else { continue }
      record.entries[pack.identifier.text] = .init(
        archive: pack.digest, version: version.id, file: files.first?.id)
      try save()
      return version.id
    }
    let version = try client.create(
      "backgroundAssetVersions", related: [("backgroundAsset", "backgroundAssets", home)])
    record.entries[pack.identifier.text] = .init(archive: pack.digest, version: version.id)
    try save()
    return version.id
  }

  /// Returns the reserved files of a version.
  private func files(of version: String) throws -> [AppStoreResource] {
    try client.list(
      "/v1/backgroundAssetVersions/\(version)/backgroundAssetUploadFiles", of: "backgroundAssetUploadFiles"
    ).data
  }

  /// Returns whether a reserved file has the name and size of an archive.
  private func isFile(_ file: AppStoreResource, of pack: Pack) throws -> Bool {
    try file.text("fileName") == fileName(of: pack) && file.byteCount("fileSize") == pack.archive.byteCount
  }

  private func fileName(of pack: Pack) -> String { "\(pack.identifier).aar" }

  /// Uploads the missing parts of an archive, and commits it.
  ///
  /// - Returns: The number of uploaded bytes.
  private func send(_ pack: Pack, to version: String) throws -> Int64 {
    let name = pack.identifier.text
    guard var entry = record.entries[name] else { return 0 }
    let size = pack.archive.byteCount
    let file: AppStoreResource
    if let known = entry.file {
      file = try client.resource("/v1/backgroundAssetUploadFiles/\(known)", of: "backgroundAssetUploadFiles")
        .data
    } else if let known = try files(of: version).first(where: { try isFile($0, of: pack) }) {
      // A stopped run has reserved it.
      file = known
    } else {
      file = try client.create(
        "backgroundAssetUploadFiles",
        [
          .init("assetType", .string("ASSET")), .init("fileName", .string(fileName(of: pack))),
          .init("fileSize", .number(String(size))),
        ], related: [("backgroundAssetVersion", "backgroundAssetVersions", version)])
    }
    if entry.file == nil {
      entry.file = file.id
      record.entries[name] = entry
      try save()
    }
    let parts = try UploadPart.parts(
      of: file, size, isLocal: client.isLocal, at: "the upload of \(name)"
    )
    let rest = parts.filter { !entry.parts.contains($0.offset) }
    let progress = context.progress
    progress.begin(.uploading, name, totalBytes: size)
    progress.advance(by: size - rest.reduce(0) { $0 + $1.length })
    try send(rest, of: pack)
    let digests = try ArchiveDigests(of: pack.archive, context.cancellation)
    guard digests.sha256 == pack.digest else {
      record.entries[name]?.parts = []
      try save()
      throw Refusal.changed(pack.identifier)
    }
    try client.change(
      "backgroundAssetUploadFiles", file.id,
      [
        .init(
          "sourceFileChecksums",
          .object([
            .init(
              "file",
              .object([.init("hash", .string(digests.md5)), .init("algorithm", .string("MD5"))]))
          ])), .init("uploaded", .bool(true)),
      ])
    return rest.reduce(0) { $0 + $1.length }
  }

  /// Uploads parts side by side, and records each one that was received.
  private func send(_ parts: [UploadPart], of pack: Pack) throws {
    let (app, folder) = (app, folder)
    let received = ReceivedParts(record, of: pack.identifier.text) { try $0.write(in: folder, app: app) }
    let (archive, http, progress) = (pack.archive, client.http, context.progress)
    let result = Swift.Result {
      try WorkerPool.forEach(count: parts.count, jobs: Self.jobs) {
        { index in
          try parts[index].upload(from: archive, by: http) { progress.advance(by: $0) }
          try received.add(parts[index].offset)
        }
      }
    }
    record = received.record
    try result.get()
  }

  /// Waits until a version is processed, at most a number of seconds.
  private func processed(_ version: PackVersion, waiting wait: Int64) throws -> PackVersion {
    var (version, left, seconds) = (version, wait, Self.pauses.lowerBound)
    while version.isUnderWay, left > 0 {
      pause(min(seconds, left))
      try context.cancellation.check()
      left -= seconds
      seconds = min(seconds * 2, Self.pauses.upperBound)
      version = try self.version(version.id)
    }
    return version
  }
}
