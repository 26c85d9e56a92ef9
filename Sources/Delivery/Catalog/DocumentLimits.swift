import ContentPackage
import StrictJSON

/// The size limits of a store's documents.
package enum DocumentLimits {
  /// The maximum size of `catalog.json` in bytes; ten thousand products take 4 million.
  package static let maximumCatalogBytes = 32 << 20
  /// The maximum size of a product's release list in bytes.
  package static let maximumProductBytes = 16 << 20
  /// The maximum size of the head of an index in bytes; a hundred thousand entries take half a million.
  package static let maximumHeadBytes = 8 << 20
  /// The maximum size of a page of an index in bytes; sixteen entries take three thousand.
  package static let maximumPageBytes = 4 << 20
  /// The maximum size of all pages of an index in bytes, compressed or not; a hundred thousand entries take 20 million.
  package static let maximumAllPagesBytes = 256 << 20
  /// The maximum total size of the release lists that a command holds in memory, in bytes.
  package static let maximumListedBytes: Int64 = 128 << 20
  /// The maximum number of objects in the listing of a bucket.
  package static let maximumListedObjectCount = 1_000_000
  /// The maximum number of chunks in an index: as many as the content can have, and one short chunk for each large file.
  package static let maximumChunkCount =
    Int(Limits.maximumBytes / Int64(ChunkCutter.minimumSize))
    + Int(Limits.maximumBytes / ChunkCutter.minimumFileSize)
  /// The maximum size of the chunk list of a file in bytes.
  static let maximumChunkBytes = maximumChunkCount * Chunk.recordSize
  /// The maximum sequence number: a double represents every integer up to it exactly.
  package static let maximumSequence: Int64 = 1 << 53 - 1
  /// The maximum sequence number that a publisher may request: a million later catalogs can follow it.
  package static let maximumRequestedSequence = maximumSequence - 1_000_000
  /// The maximum number of keys of each role in a trust document.
  package static let maximumTrustKeyCount = 64
  /// The maximum length of a key in a trust document with its comment, in bytes.
  package static let maximumTrustKeyBytes = 512
  /// The maximum number of signatures of a catalog or trust document: those of the root keys of two trust documents.
  package static let maximumSignatureCount = 2 * maximumTrustKeyCount
  /// The maximum size of a trust document in bytes, with its signatures of about 300 bytes each.
  package static let maximumTrustBytes = 256 << 10
  /// The maximum size of the signed part of a trust document in bytes; 128 keys take at most 66 thousand.
  package static let maximumTrustPayloadBytes = 96 << 10
  /// The maximum number of trust documents that a client reads at a time.
  package static let maximumTrustStepCount = 1_000
  /// The maximum number of trust documents that a client requests to find the newest, if a document that it saw before
  /// is missing.
  package static let maximumLostTrustCount: Int64 = 16
  /// The maximum length of the reason of a withdrawal in bytes.
  package static let maximumReasonBytes = 1_000
  /// The maximum length of a link target or an entry name in bytes.
  package static let maximumPathBytes = 4_096
  /// The maximum length of a date, a digest, a channel or another word in bytes.
  static let maximumWordBytes = 100
  /// The maximum number of channels of a release.
  package static let maximumChannelCount = 100
  /// The maximum number of products of a catalog.
  package static let maximumProductCount = 40_000

  /// The limits of `catalog.json`, of its payload, and of the documents below it.
  ///
  /// The longest strings of known members are signatures and paths of at most 4,096 bytes. Base64 members, such as the
  /// payload, the manifest, the list of pages and the chunks of an entry, have limits of their own. Longer strings can
  /// only be members of a later version.
  static let catalog = JSONLimits(depth: 16, memberCount: 1_000, keyLength: 256, stringLength: 64 << 10)
  static let releases = catalog
  static let index = catalog
  /// The longest string of a note in `Documents` is the address of a store, of 8,192 bytes.
  static let note = catalog
}
