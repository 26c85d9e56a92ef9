import ContentPackage
import Delivery
import SafeFiles
import StrictJSON
import Support

/// The file of a version: its reservation, its parts and its checksum.
extension AssetPackUploader {
  /// The number of parts that are uploaded at the same time.
  private static let jobs = 4

  /// Returns the reserved files of a version.
  func files(of version: String) throws -> [AppStoreResource] {
    try client.list(
      "/v1/backgroundAssetVersions/\(version)/backgroundAssetUploadFiles", of: "backgroundAssetUploadFiles"
    ).data
  }

  /// Returns whether a reserved file has the name and size of an archive.
  func isFile(_ file: AppStoreResource, of pack: Pack) throws -> Bool {
    try file.text("fileName") == fileName(of: pack) && file.byteCount("fileSize") == pack.archive.byteCount
  }

  /// The name of an archive in App Store Connect: at most 137 characters, with the first half of the SHA-256 digest.
  private func fileName(of pack: Pack) -> String {
    "\(pack.identifier)-\(pack.digest.hexadecimal.prefix(32)).aar"
  }

  /// Uploads the missing parts of an archive, and reports to App Store Connect that the file is complete.
  ///
  /// - Returns: The number of uploaded bytes.
  func send(_ pack: Pack, to version: String) throws -> Int64 {
    let name = pack.identifier.text
    guard var entry = record.entries[name] else { return 0 }
    let size = pack.archive.byteCount
    // A stopped run may have reserved the file, and a run from another folder may have uploaded parts of it.
    let file =
      try files(of: version).first { try isFile($0, of: pack) }
      ?? client.create(
        "backgroundAssetUploadFiles",
        [
          .init("assetType", .string("ASSET")), .init("fileName", .string(fileName(of: pack))),
          .init("fileSize", .number(String(size))),
        ], related: [("backgroundAssetVersion", "backgroundAssetVersions", version)])
    if entry.file != file.id {
      (entry.file, entry.parts) = (file.id, [])
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
    let checksum = try send(rest, verifying: pack)
    try client.change(
      "backgroundAssetUploadFiles", file.id,
      [
        .init(
          "sourceFileChecksums",
          .object([
            .init(
              "file",
              .object([.init("hash", .string(checksum)), .init("algorithm", .string("MD5"))]))
          ])), .init("uploaded", .bool(true)),
      ])
    return rest.reduce(0) { $0 + $1.length }
  }

  /// Uploads parts, and returns the MD5 checksum of the archive.
  ///
  /// - Throws: `UploadError.changed` if the archive no longer has the digest of the pack.
  private func send(_ parts: [UploadPart], verifying pack: Pack) throws -> String {
    func changed() throws -> UploadError {
      record.entries[pack.identifier.text]?.parts = []
      try save()
      return .changed(pack.identifier)
    }
    do {
      try send(parts, of: pack)
      let digests = try ArchiveDigests(of: pack.archive, context.cancellation)
      guard digests.sha256 == pack.digest else { throw try changed() }
      return digests.md5
    } catch  where !(error is UploadError) && !context.cancellation.isCancelled {
      throw try pack.archive.hasChanged() ? changed() : error
    }
  }

  /// Uploads parts in parallel, and records each received part.
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
}
