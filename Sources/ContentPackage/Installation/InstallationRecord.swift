#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation  // untested
#endif

/// What is known of a product, kept in `Documents/.iapkg/` beside the content itself.
package struct InstallationRecord: Codable, Equatable, Sendable {
  /// How the state that a record tells of comes about; whoever finds it pending sees by it whether it has.
  ///
  /// Folders are told apart by their inode numbers, which stay the same when they are renamed and when the file
  /// system is mounted again, while device numbers do not. Only a pending record is looked at in this way, so
  /// that a copy of all of `Documents`, with other numbers, is as good as the original.
  struct Transition: Codable, Equatable, Sendable {
    /// Where the folder waits that is to become the product; nil if the product is removed.
    let slot: Slot?
    let incoming: UInt64?
    /// What had the product's name; nil if nothing had.
    let outgoing: UInt64?
  }

  /// Where a folder waits that is to become the product.
  enum Slot: String, Codable, Sendable { case staging, previous }

  /// More than any record has: an archive has at most 65,535 entries (APPNOTE 4.4.22).
  static let maximumBytes = 1 << 30

  /// Raised when a later form of the record can no longer be read by this one.
  private static let currentSchema = 1

  private let schemaVersion: Int
  package let productIdentifier: String
  /// What is in the product's folder; nil if that was not put there by iapkg.
  package let installed: Installation?
  /// What is kept for `rollback`; nil also if that was not put there by iapkg.
  package let previous: Installation?
  private(set) var transition: Transition?

  init(_ product: ProductIdentifier, installed: Installation?, previous: Installation?) {
    schemaVersion = Self.currentSchema
    productIdentifier = product.text
    self.installed = installed
    self.previous = previous
  }

  /// - Throws: `RecordUnreadable`
  init(decoding bytes: [UInt8], path: String) throws {
    do {
      self = try JSONDecoder().decode(InstallationRecord.self, from: Data(bytes))
    } catch {
      throw RecordUnreadable(path: path)
    }
    let versions = [installed, previous].compactMap { $0?.contentVersion }
    guard schemaVersion == Self.currentSchema, ProductIdentifier(productIdentifier) != nil,
      versions.allSatisfy({ ContentVersion($0) != nil })
    else { throw RecordUnreadable(path: path) }
  }

  func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
  }

  func reached(by transition: Transition) -> InstallationRecord {
    var record = self
    record.transition = transition
    return record
  }
}

/// A record in `Documents/.iapkg/` is not one of ours, or of a later iapkg.
public struct RecordUnreadable: Error {
  /// The record's file, which is not safe to print.
  public let path: String
}
