import ContentPackage
import SafeFiles

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation  // untested
#endif

/// What was received of hosted content, and what became of it, in a folder of its own beside what is made of it. Nobody
/// else works on it as long as this exists.
package final class HostedDownloads {
  private static let name = Array(".iapkg-import".utf8)
  private static let lockName = Array("lock".utf8)
  private static let maximumRecordSize: Int64 = 64 << 10

  /// The folder that has it.
  private let parent: String
  let folder: DirectoryHandle
  private let lock: FileLock

  /// Opens the folder in `parent`, after making what is missing of both.
  ///
  /// - Throws: `FileError`, `InputBusy` if another process works on it.
  package init(in parent: String) throws {
    _ = try FileSystem.makeFolderIfMissing(parent)
    let outer = try DirectoryHandle.open(parent)
    if try outer.status(of: Self.name) == nil { try outer.makeFolder(Self.name, permissions: 0o700) }
    folder = try outer.openFolder(Self.name)
    guard let lock = try FileLock.acquire(Self.lockName, in: folder) else {
      throw InputBusy(path: folder.path)
    }
    self.lock = lock
    self.parent = parent
  }

  /// The folder that was made of the content of a purchase; nil if there is none any more, or if the content is another
  /// one since.
  ///
  /// - Throws: `FileError`.
  package func imported(_ content: HostedContent, of purchase: HostedPurchase) throws -> String? {
    guard let record = record(of: purchase), record.isOf(content), let name = record.imported else {
      return nil
    }
    let path = FileSystem.joined(parent, name)
    let status = try FileSystem.status(of: path, followingLinks: false)
    guard status?.kind == .folder, try !DirectoryHandle.open(path).list().isEmpty else { return nil }
    try removeReceived(of: purchase)
    return path
  }

  /// Notes which folder in `parent` is made of the content, before it appears: if the process is killed right behind that,
  /// the next one knows whose it is. With nil, none was made.
  ///
  /// - Throws: `FileError`.
  package func note(_ purchase: HostedPurchase, importedAs name: String?) throws {
    guard var record = record(of: purchase) else { return }
    record.imported = name
    try keep(record, of: purchase)
  }

  /// Removes what was received, once the folder is there.
  ///
  /// - Throws: `FileError`.
  package func removeReceived(of purchase: HostedPurchase) throws {
    let name = Self.partName(of: purchase)
    if try folder.status(of: name) != nil { try folder.remove(name) }
  }

  static func partName(of purchase: HostedPurchase) -> [UInt8] { Array("\(purchase.id).part".utf8) }

  private static func recordName(of purchase: HostedPurchase) -> String { "\(purchase.id).json" }

  /// What is known of a purchase; nil if nothing is, or the file is damaged.
  func record(of purchase: HostedPurchase) -> DownloadRecord? {
    guard let file = try? folder.openFile(Array(Self.recordName(of: purchase).utf8)),
      file.byteCount <= Self.maximumRecordSize,
      let bytes = try? file.bytes(at: 0, count: Int(file.byteCount))
    else { return nil }
    return try? JSONDecoder().decode(DownloadRecord.self, from: Data(bytes))
  }

  /// - Throws: `FileError`.
  func keep(_ record: DownloadRecord, of purchase: HostedPurchase) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let bytes = Array(try encoder.encode(record))
    let path = FileSystem.joined(folder.path, Self.recordName(of: purchase))
    var output = try StagedOutput.create(at: path, replacing: true)
    try output.write(unsafe bytes.span.bytes)  // any UInt8 is a byte
    try output.commit()
  }
}

/// What is kept of a download. It has no address, which may be signed and would be a secret.
struct DownloadRecord: Codable, Equatable {
  /// What App Store Connect said of the content.
  var fileSize: Int64?
  var lastModifiedDate: String?
  /// The strong ETag of what was received.
  var tag: String?
  /// The bytes of the whole file, once all of them are there.
  var receivedBytes: Int64?
  /// The name of the folder that was made of it, or is about to appear.
  var imported: String?

  init(_ content: HostedContent) {
    fileSize = content.fileSize
    lastModifiedDate = content.lastModifiedDate
  }

  /// Whether it is about the same content, as far as App Store Connect says.
  func isOf(_ content: HostedContent) -> Bool {
    fileSize == content.fileSize && lastModifiedDate == content.lastModifiedDate
  }
}
