import ContentPackage
import SafeFiles
import Support

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation  // untested
#endif

/// Downloads of hosted content with their records, in a hidden folder beside the imported content folders. A lock
/// excludes other processes.
package final class HostedDownloads {
  private static let name = Array(".iapkg-import".utf8)
  private static let lockName = Array("lock".utf8)
  private static let maximumRecordSize: Int64 = 64 << 10

  /// The folder that contains the folder of downloads.
  private let parent: String
  let folder: DirectoryHandle
  /// The lock on the folder; nil if the folder is opened for reading only.
  private let lock: FileLock?

  /// Opens the folder of downloads in `parent` for reading, without a lock; returns nil if the folder is missing.
  ///
  /// - Throws: `FileError`.
  package init?(reading parent: String) throws {
    let path = FileSystem.joined(parent, String(decoding: Self.name, as: UTF8.self))
    guard try FileSystem.status(of: path, followingLinks: false)?.kind == .folder else { return nil }
    folder = try DirectoryHandle.open(parent).openFolder(Self.name)
    lock = nil
    self.parent = parent
  }

  /// Opens and locks the folder of downloads in `parent`; creates both folders if they are missing.
  ///
  /// - Throws: `FileError`, `InputBusy` if another process holds the lock.
  package init(in parent: String) throws {
    _ = try FileSystem.makeFolderIfMissing(parent)
    let outer = try DirectoryHandle.open(parent)
    if try outer.status(of: Self.name) == nil { try outer.makeFolder(Self.name, permissions: 0o700) }
    folder = try outer.openFolder(Self.name)
    guard let lock = try FileLock.acquire(Self.lockName, in: folder) else {
      throw InputBusy(path: folder.path)
    }
    self.lock = consume lock
    self.parent = parent
  }

  /// Returns the path of the folder that was made from the content of a purchase; nil if the folder is missing or
  /// empty, or the content has changed. With the lock, also removes the downloaded file if the folder exists.
  ///
  /// - Throws: `FileError`.
  package func imported(_ content: HostedContent, of purchase: HostedPurchase) throws -> String? {
    guard let record = record(of: purchase), record.matches(content), let name = record.imported else {
      return nil
    }
    let path = FileSystem.joined(parent, name)
    let status = try FileSystem.status(of: path, followingLinks: false)
    guard status?.kind == .folder, try !DirectoryHandle.open(path).list().isEmpty else { return nil }
    if lock != nil { try removeDownload(of: purchase) }
    return path
  }

  /// Records the name of the folder for the content; nil removes the name. The caller records the name before it makes
  /// the folder, so that the record has the name even if the process is killed as soon as the folder exists.
  ///
  /// - Throws: `FileError`.
  package func recordImport(of purchase: HostedPurchase, as name: String?) throws {
    guard var record = record(of: purchase) else { return }
    record.imported = name
    try write(record, of: purchase)
  }

  /// Removes the downloaded file, once the content folder exists.
  ///
  /// - Throws: `FileError`.
  package func removeDownload(of purchase: HostedPurchase) throws {
    let name = Self.partName(of: purchase)
    if try folder.status(of: name) != nil { try folder.remove(name) }
  }

  static func partName(of purchase: HostedPurchase) -> [UInt8] { Array("\(purchase.id).part".utf8) }

  private static func recordName(of purchase: HostedPurchase) -> String { "\(purchase.id).json" }

  /// Reads the record of a purchase; nil if it is missing or damaged.
  func record(of purchase: HostedPurchase) -> DownloadRecord? {
    guard let file = try? folder.openFile(Array(Self.recordName(of: purchase).utf8)),
      file.byteCount <= Self.maximumRecordSize,
      let bytes = try? file.bytes(at: 0, count: Int(file.byteCount))
    else { return nil }
    return try? JSONDecoder().decode(DownloadRecord.self, from: Data(bytes))
  }

  /// Writes the record of a download.
  ///
  /// - Throws: `FileError`.
  func write(_ record: DownloadRecord, of purchase: HostedPurchase) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let bytes = Array(try encoder.encode(record))
    let path = FileSystem.joined(folder.path, Self.recordName(of: purchase))
    var output = try StagedOutput.create(at: path, replacing: true)
    try output.write(unsafe bytes.borrowedSpan.bytes)  // UInt8 has no padding
    try output.commit()
  }
}

/// The record of a download, without the address of the content: a signed address is a secret.
struct DownloadRecord: Codable, Equatable {
  /// The size of the content according to App Store Connect.
  var fileSize: Int64?
  var lastModifiedDate: String?
  /// The strong ETag of the received bytes.
  var tag: String?
  /// The size of the file once it is complete; nil before.
  var receivedBytes: Int64?
  /// The name of the content folder that was made or is about to be made.
  var imported: String?

  init(_ content: HostedContent) {
    fileSize = content.fileSize
    lastModifiedDate = content.lastModifiedDate
  }

  /// Returns whether the record is of the same content, by size and modification date.
  func matches(_ content: HostedContent) -> Bool {
    fileSize == content.fileSize && lastModifiedDate == content.lastModifiedDate
  }
}
