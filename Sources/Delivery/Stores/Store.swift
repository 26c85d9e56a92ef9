import Crypto
package import HTTPTransport
import Support

/// A store of catalogs and packages: a folder, a bucket or a web server. Objects have the paths of the layout.
///
/// Methods block their thread, and may be called concurrently. The cancellation passed at opening ends them early.
package protocol Store: Sendable {
  /// The address of the store for messages: a folder, `s3://bucket/prefix`, or a URL. Not safe to print.
  var name: String { get }
  /// The number of concurrent requests for fast long reads; nil for a local store.
  var connections: Int? { get }
  /// The same store bypassing caches, for reading an object again that was damaged in transit. Nil for a local store,
  /// where a second read returns the same bytes.
  var bypassingCaches: (any Store)? { get }
  /// The retries of a task that reads damaged or missing objects again, with the policy for transient errors.
  var retry: Retry { get }
  /// Whether objects may appear later than the catalog that refers to them, as in a mirror behind a web server.
  var objectsMayFollow: Bool { get }
  /// Returns the address of an object that other programs can request; nil in a store without such addresses.
  func address(of path: StorePath) -> String?
  /// The seconds by which the store's clock was ahead of the local clock when last observed; nil if never observed.
  var clockDifference: Int64? { get }

  /// Returns the size and the tag of an object.
  ///
  /// - Returns: The status; nil if the object does not exist.
  func status(of path: StorePath) throws(StoreError) -> StoredStatus?

  /// Reads a small object.
  ///
  /// - Returns: The object; nil if it does not exist.
  /// - Throws: `.tooLarge` if the object has more than `limit` bytes; reading stops there. A web server throws
  ///   `.missing` instead of returning nil, except for the catalog.
  func object(at path: StorePath, limit: Int) throws(StoreError) -> StoredObject?

  /// Opens an object, or a range of it, for reading. The first request may be deferred until bytes are read.
  ///
  /// - Throws: `StoreError`, with `.missing` if the object does not exist, and `.invalidResponse` if it ends before the
  ///   range. Both may be thrown here or when bytes are read.
  func open(_ path: StorePath, range: Range<Int64>?) throws(StoreError) -> any ObjectReader

  /// Opens an object of a known size, or a range of it, for reading. The caller verifies its digest. A response for an
  /// object of another size is an error.
  ///
  /// - Throws: The errors of `open(_:range:)`.
  func open(
    _ path: StorePath, range: Range<Int64>?, byteCount: Int64
  ) throws(StoreError) -> any ObjectReader

  /// Returns the same store for writing.
  ///
  /// - Throws: `.unsuitable` for a store that can only be read.
  func writable() throws(StoreError) -> any WritableStore
}

extension Store {
  package var objectsMayFollow: Bool { false }
  package func address(of path: StorePath) -> String? { nil }

  package func open(
    _ path: StorePath, range: Range<Int64>?, byteCount: Int64
  ) throws(StoreError) -> any ObjectReader { try open(path, range: range) }

  /// Reads an object or a range of it, and passes its bytes to `body` in order.
  ///
  /// - Throws: The errors of `open` and of `body`.
  package func read(_ path: StorePath, range: Range<Int64>?, _ body: (RawSpan) throws -> Void) throws {
    let reader = try open(path, range: range)
    var block: [UInt8] = []
    while try reader.next(&block) { try body(unsafe block.borrowedSpan.bytes) }  // UInt8 has no padding
  }
}

/// A stream of an object's bytes; belongs to one thread. It need not be read to its end.
package protocol ObjectReader: AnyObject {
  /// Waits for the next bytes, and replaces the contents of `buffer` with them.
  ///
  /// - Returns: False at the end.
  /// - Throws: `StoreError`, `Interruption`.
  func next(_ buffer: inout [UInt8]) throws -> Bool

  /// The content encoding that the server declares, although none was requested; nil for none.
  var contentEncoding: String? { get }
}

extension ObjectReader {
  package var contentEncoding: String? { nil }
}

/// An opaque tag of one state of an object, such as the ETag of a bucket.
package struct ObjectTag: Sendable, Hashable {
  /// The text of the tag; for a bucket, the ETag with its quotes.
  package let text: String
  /// Creates a tag from its text; empty if the store has no tags.
  package init(_ text: String) { self.text = text }

  /// Returns whether the tag proves that the object has these bytes: S3 uses the MD5 for most objects (Amazon S3 API
  /// Reference, Object, ETag). False for other tags.
  func isDigest(of bytes: [UInt8]) -> Bool {
    text == "\"\(String(hexadecimal: Insecure.MD5.hash(data: bytes)))\""
  }
}

/// The size and the tag of an object.
package struct StoredStatus: Sendable, Equatable {
  /// The size of the object in bytes.
  package let byteCount: Int64
  /// The tag of the present state of the object.
  package let tag: ObjectTag
  /// The content encoding that the server declares, although none was requested; nil for none.
  package let encoding: String?
  /// Whether the server declares the object to be a web page.
  package let isWebPage: Bool

  package init(byteCount: Int64, tag: ObjectTag, encoding: String? = nil, isWebPage: Bool = false) {
    self.byteCount = byteCount
    self.tag = tag
    self.encoding = encoding
    self.isWebPage = isWebPage
  }
}

/// A small object in memory.
package struct StoredObject: Sendable, Equatable {
  /// The whole content of the object.
  package let bytes: [UInt8]
  /// The tag of the state that was read.
  package let tag: ObjectTag
  /// The content encoding that the server declares, although none was requested; nil for none.
  package let encoding: String?

  package init(bytes: [UInt8], tag: ObjectTag, encoding: String? = nil) {
    self.bytes = bytes
    self.tag = tag
    self.encoding = encoding
  }
}
