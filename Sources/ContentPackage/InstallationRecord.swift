package import SafeFiles

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation  // untested
#endif

/// What is known of an installed product, kept in `Documents/.iapkg/` beside the content itself.
package struct InstallationRecord: Codable, Sendable, Equatable {
  /// More than any record has.
  static let maximumBytes = 64 * 1024

  /// Raised when a later form of the record can no longer be read by this one.
  private static let currentSchema = 1

  private let schemaVersion: Int
  package let productIdentifier: String
  package let contentVersion: String
  /// The folder that was installed: a record that names another folder than the one that is there is stale.
  private let device: UInt64
  private let inode: UInt64

  package init(_ info: ContentInfo, folder: FileIdentity) {
    schemaVersion = Self.currentSchema
    productIdentifier = info.productIdentifier.text
    contentVersion = info.contentVersion.text
    device = folder.device
    inode = folder.inode
  }

  /// - Throws: `RecordUnreadable`
  package init(decoding bytes: [UInt8], path: String) throws {
    do {
      self = try JSONDecoder().decode(InstallationRecord.self, from: Data(bytes))
    } catch {
      throw RecordUnreadable(path: path)
    }
    guard schemaVersion == Self.currentSchema else { throw RecordUnreadable(path: path) }
  }

  package func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
  }

  package var folder: FileIdentity { FileIdentity(device: device, inode: inode) }
}

extension InstallationRecord {
  /// What is installed as `product` in the folder at `documents`, seen without a lock and without putting
  /// anything in order.
  static func peek(_ product: ProductIdentifier, in documents: String) throws -> InstallationRecord? {
    guard let live = try FileSystem.status(of: "\(documents)/\(product)", followingLinks: false) else {
      return nil
    }
    let path = "\(documents)/\(DocumentsFolder.ownName)/records/\(product)"
    guard try FileSystem.status(of: path, followingLinks: false) != nil else { return nil }
    let record = try InstallationRecord(
      decoding: InputFile.open(path).bytes(at: 0, count: maximumBytes), path: path)
    return record.folder == live.identity ? record : nil
  }
}

/// A record in `Documents/.iapkg/` is not one of ours, or of a later iapkg.
package struct RecordUnreadable: Error { package let path: String }
