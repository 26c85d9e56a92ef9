package import ContentPackage
import Delivery
import SafeFiles
import StrictJSON
import Support

/// Uploads the archives of asset packs to App Store Connect, each changed archive as a new version of its pack.
///
/// The name of an uploaded file contains half the digest of its archive, by which any machine recognizes the content of
/// a version. The record in the folder lists the received parts, from which the next run resumes a stopped upload. An
/// uploader belongs to one thread.
package final class AssetPackUploader {
  /// An asset pack with its archive.
  package struct Pack: Sendable {
    package let identifier: AssetPackIdentifier
    /// The platforms of the manifest; the review submission is for the first.
    package let platforms: [AssetPlatform]
    let archive: InputFile
    let digest: SHA256Digest
  }

  /// The result for a pack.
  package struct Result: Sendable {
    /// The outcome of an upload or a request for the status.
    package enum Outcome: String, Sendable {
      /// The archive was uploaded as a new version.
      case uploaded
      /// The newest version already has the archive.
      case unchanged
      /// A dry run found that the newest version does not have the archive.
      case wouldUpload = "would-upload"
      /// App Store Connect rejected the archive.
      case failed
      /// The outcome of `status`, which uploads nothing.
      case shown
    }

    package let identifier: AssetPackIdentifier
    package fileprivate(set) var outcome: Outcome
    /// The number of bytes that this run uploaded; in a dry run, the size of the archive.
    package fileprivate(set) var uploadedBytes: Int64 = 0
    /// The version in App Store Connect; nil if there is none.
    package fileprivate(set) var version: PackVersion?
    /// The identifier of the review submission that contains the version; nil if this folder sent none.
    package internal(set) var submission: String?
  }

  /// A reason why an asset pack cannot be uploaded or submitted.
  package enum UploadError: Error, Sendable, Equatable {
    /// The pack was archived in App Store Connect, which never accepts its identifier again.
    case archived(AssetPackIdentifier)
    /// The archive changed while it was uploaded.
    case changed(AssetPackIdentifier)
    /// Another review submission of the app is open, with items that this folder did not add.
    case otherSubmission(platform: String)
  }

  /// The first and the maximum pause between two requests for the state of a version, in seconds.
  private static let pauses: ClosedRange<Int64> = 1...30

  let client: AppStoreClient
  let app: String
  let folder: String
  let context: WorkContext
  var record: UploadRecord
  private let lock = AssetPackFolderLock()
  /// Waits a number of seconds.
  private let pause: (Int64) -> Void

  /// Locks the folder and reads its record of uploads.
  ///
  /// - Parameters:
  ///   - client: The client of the API.
  ///   - app: The identifier of the app.
  ///   - folder: The folder of the asset packs.
  ///   - context: The cancellation and the progress.
  ///   - pause: Waits a number of seconds; nil for a wait that ends on cancellation.
  /// - Throws: `InputBusy` if another process packs in the folder or uploads from it; `AssetPackFileError` for an
  ///   invalid record; `FileError`, `SourceError`.
  package init(
    _ client: AppStoreClient, app: String, folder: String, context: WorkContext,
    pause: ((Int64) -> Void)? = nil
  ) throws {
    try lock.acquire(folder)
    record = try UploadRecord.read(in: folder, app: app)
    self.client = client
    self.app = app
    self.folder = folder
    self.context = context
    self.pause = pause ?? { context.cancellation.wait(.seconds($0)) }
  }

  /// Uploads a pack as a new version, unless the newest version has its archive.
  ///
  /// - Parameters:
  ///   - pack: The pack.
  ///   - wait: The maximum time in seconds to wait until a version is processed.
  ///   - repeatsFailed: Whether an archive that App Store Connect rejected is uploaded again.
  ///   - isDryRun: Whether nothing is changed.
  /// - Returns: The result; App Store Connect may still be processing the version.
  /// - Throws: `UploadError`, `StoreError`, `IntegrityError`, `SourceError`, `FileError`, `Interruption`.
  package func upload(
    _ pack: Pack, waiting wait: Int64, repeatingFailed repeatsFailed: Bool, dryRun isDryRun: Bool
  ) throws -> Result {
    var result = Result(identifier: pack.identifier, outcome: .unchanged)
    let packID = try find(pack.identifier)
    let newest = try packID.flatMap { try newestVersion(of: $0) }
    let content = try newest.map { try self.content(of: $0, for: pack) } ?? .other
    if let newest, content == .archive, newest.state != .awaitingUpload,
      newest.state != .failed || !repeatsFailed
    {
      result.version = isDryRun ? newest : try processed(newest, waiting: wait)
      result.submission = submission(of: newest, pack.identifier)
      if result.version?.state == .failed { result.outcome = .failed }
      return result
    }
    guard !isDryRun else {
      result.outcome = .wouldUpload
      result.uploadedBytes = pack.archive.byteCount
      return result
    }
    let waiting = newest.flatMap { $0.state == .awaitingUpload && content != .other ? $0.id : nil }
    let version = try waiting ?? createVersion(of: packID ?? create(pack.identifier))
    let known = record.entries[pack.identifier.text]
    if known?.version != version || known?.archive != pack.digest {
      record.entries[pack.identifier.text] = .init(archive: pack.digest, version: version)
      try save()
    }
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
    result.version = try find(pack.identifier).flatMap { try newestVersion(of: $0) }
    result.submission = result.version.flatMap { submission(of: $0, pack.identifier) }
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
      throw StoreError(.missing, error.place, AppStoreClient.missingAppMessage(app))
    }
    for pack in packs where try pack.text("assetPackIdentifier") == identifier.text {
      guard try pack.flag("archived") != true else { throw UploadError.archived(identifier) }
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

  private func createVersion(of packID: String) throws -> String {
    try client.create(
      "backgroundAssetVersions", related: [("backgroundAsset", "backgroundAssets", packID)]
    ).id
  }

  /// Returns the review submission that contains a version, if this folder sent it.
  private func submission(of version: PackVersion, _ identifier: AssetPackIdentifier) -> String? {
    record.entries[identifier.text].flatMap { $0.version == version.id ? $0.submission : nil }
  }

  /// The content of a version, compared with an archive.
  private enum Content {
    case archive
    /// No file is reserved yet.
    case nothing
    case other
  }

  private func content(of version: PackVersion, for pack: Pack) throws -> Content {
    let files = try files(of: version.id)
    guard files.isEmpty else { return try files.allSatisfy { try isFile($0, of: pack) } ? .archive : .other }
    if let entry = record.entries[pack.identifier.text], entry.version == version.id, entry.file != nil {
      return entry.archive == pack.digest ? .archive : .other
    }
    return version.state == .awaitingUpload ? .nothing : .other
  }

  /// Waits until a version is processed, for at most `wait` seconds.
  private func processed(_ version: PackVersion, waiting wait: Int64) throws -> PackVersion {
    var (version, remaining, seconds) = (version, wait, Self.pauses.lowerBound)
    while version.isPending, remaining > 0 {
      pause(min(seconds, remaining))
      try context.cancellation.check()
      remaining -= seconds
      seconds = min(seconds * 2, Self.pauses.upperBound)
      version = try self.version(version.id)
    }
    return version
  }
}
