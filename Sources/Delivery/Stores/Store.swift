import Crypto
package import HTTPTransport
package import SafeFiles
import Support

/// A store of catalogs and packages: a folder, a bucket or a web server. Objects have the paths of the layout.
///
/// Methods block their thread, and may be called concurrently. The cancellation passed at opening ends them early.
package protocol Store: Sendable {
  /// The address of the store for messages: a folder, `s3://bucket/prefix`, or a URL. Not safe to print.
  var name: String { get }
  /// The number of concurrent requests that speeds up long reads; nil for a local store.
  var connections: Int? { get }
  /// The same store bypassing caches, to read an object again that was damaged in transit. Nil for a local store, where
  /// a second read gives the same bytes.
  var bypassingCaches: (any Store)? { get }
  /// The retries of a task that reads objects, as after other transient errors.
  var retry: Retry { get }
  /// Whether objects may appear later than the catalog that refers to them, as in a mirror behind a web server.
  var objectsMayFollow: Bool { get }
  /// Whether objects can be listed.
  var isListable: Bool { get }
  /// Returns the address of an object that other programs can request; nil in a store without such addresses.
  func address(of path: StorePath) -> String?
  /// The seconds by which the store's clock was ahead of the local clock when last observed; nil if it was not.
  var clockDifference: Int64? { get }

  /// Returns the size and the tag of an object.
  ///
  /// - Returns: The status; nil if the object does not exist.
  func status(of path: StorePath) throws(StoreError) -> StoredStatus?

  /// Reads a small object.
  ///
  /// - Returns: The object; nil if it does not exist.
  /// - Throws: `.tooLarge` if the object has more than `limit` bytes; reading stops there.
  func object(at path: StorePath, limit: Int) throws(StoreError) -> StoredObject?

  /// Opens an object, or a range of it, for reading. The first request may be deferred until bytes are read.
  ///
  /// - Throws: `StoreError`, with `.missing` if the object does not exist, and `.invalidAnswer` if it ends before the
  ///   range. Both may be thrown here or when bytes are read.
  func open(_ path: StorePath, range: Range<Int64>?) throws(StoreError) -> any ObjectReader

  /// Writes an object atomically; it is complete and durable when this method returns.
  ///
  /// - Parameters:
  ///   - content: The bytes, which may be read repeatedly.
  ///   - path: The path of the object.
  ///   - caching: The caching policy of the object.
  ///   - condition: The condition that must hold at the time of writing; `.unchanged` requires `exclusively`.
  ///   - advance: Receives the number of bytes sent; negative if bytes must be sent again.
  /// - Returns: The new status of the object.
  /// - Throws: `.conditionFailed` if the condition does not hold, `.conflict` for a concurrent write.
  @discardableResult
  func put(
    _ content: any ByteSource, at path: StorePath, caching: StoreCaching, if condition: StoreCondition,
    advance: @escaping @Sendable (Int64) -> Void
  ) throws(StoreError) -> StoredStatus

  /// Opens the leading bytes of an object that an interrupted run has left, at most `byteCount`, to complete them.
  ///
  /// - Returns: Nil if the store keeps no parts of objects, or another process writes this one.
  func part(of path: StorePath, atMost byteCount: Int64) throws(StoreError) -> StoredPart?

  /// Returns all files or objects whose path begins with `prefix`, in any order, including those outside the layout.
  func list(_ prefix: String) throws(StoreError) -> [StoredItem]

  /// Deletes an object; a missing object is not an error.
  func delete(_ path: StorePath) throws(StoreError)

  /// Deletes an object if `isUnused` returns true immediately before; each retry calls it again.
  ///
  /// - Throws: The errors of `delete` and of `isUnused`.
  func delete(_ path: StorePath, if isUnused: () throws -> Bool) throws

  /// Returns the invisible remains of interrupted writers: temporary files, incomplete uploads.
  func leftovers() throws(StoreError) -> [StoredItem]

  /// Deletes an item returned by `leftovers`.
  func discard(_ leftover: StoredItem) throws(StoreError)

  /// Verifies that writes obey their conditions.
  ///
  /// - Throws: `.unsuitable` for a store that ignores conditions.
  func checkConditions() throws(StoreError)

  /// Performs `work`, which replaces an object with one derived from it, and repeats it after a conflict.
  ///
  /// A store with a lock holds it meanwhile and performs `work` once. A missing folder is created.
  ///
  /// - Throws: `.conflict` if every attempt conflicts; the errors of `work`, except `.conditionFailed` and `.conflict`.
  func exclusively<Result>(_ work: () throws -> Result) throws -> Result
}

extension Store {
  package var isListable: Bool { true }
  package var objectsMayFollow: Bool { false }
  package func address(of path: StorePath) -> String? { nil }

  package func checkConditions() throws(StoreError) {}

  package func delete(_ path: StorePath, if isUnused: () throws -> Bool) throws {
    if try isUnused() { try delete(path) }
  }

  package func part(of path: StorePath, atMost byteCount: Int64) throws(StoreError) -> StoredPart? { nil }

  /// Reads an object or a range of it, and passes its bytes to `body` in order.
  ///
  /// - Throws: The errors of `open` and of `body`.
  package func read(_ path: StorePath, range: Range<Int64>?, _ body: (RawSpan) throws -> Void) throws {
    let reader = try open(path, range: range)
    var block: [UInt8] = []
    while try reader.next(&block) { try body(unsafe block.borrowedSpan.bytes) }  // any UInt8 is a byte
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

/// The caching policy of an object.
package enum StoreCaching: Sendable {
  /// Caches may keep the object forever: it never changes.
  case immutable
  /// Caches must revalidate the object at each request.
  case revalidated
}

/// The condition of a write.
package enum StoreCondition: Sendable, Equatable {
  case none
  /// The object does not exist yet.
  case absent
  /// The object still has this tag.
  case unchanged(ObjectTag)
}

/// An opaque tag of one state of an object, such as the ETag of a bucket.
package struct ObjectTag: Sendable, Hashable {
  package let text: String
  package init(_ text: String) { self.text = text }

  /// Returns whether the tag proves that the object has these bytes: S3 uses the MD5 for most objects (Amazon S3 API
  /// Reference, Object, ETag). False for other tags.
  func isDigest(of bytes: [UInt8]) -> Bool {
    text == "\"\(String(hexadecimal: Insecure.MD5.hash(data: bytes)))\""
  }
}

/// The size and the tag of an object.
package struct StoredStatus: Sendable, Equatable {
  package let byteCount: Int64
  package let tag: ObjectTag
  /// The content encoding that the server declares, although none was requested; nil for none.
  package let encoding: String?
  /// Whether the server declares the object to be a web page.
  package let isPage: Bool

  package init(byteCount: Int64, tag: ObjectTag, encoding: String? = nil, isPage: Bool = false) {
    self.byteCount = byteCount
    self.tag = tag
    self.encoding = encoding
    self.isPage = isPage
  }
}

/// A small object in memory.
package struct StoredObject: Sendable, Equatable {
  package let bytes: [UInt8]
  package let tag: ObjectTag
  /// The content encoding that the server declares, although none was requested; nil for none.
  package let encoding: String?

  package init(bytes: [UInt8], tag: ObjectTag, encoding: String? = nil) {
    self.bytes = bytes
    self.tag = tag
    self.encoding = encoding
  }
}

/// A listed file or object of a store, whose path may be outside the layout.
package struct StoredItem: Sendable, Equatable {
  /// The path relative to the store; not safe to print.
  package let path: String
  package let byteCount: Int64
  /// The modification time in seconds since 1970-01-01 00:00:00 UTC.
  package let modified: Int64
  /// The identifier of an incomplete upload, since several may have one path; nil for other items.
  package let identifier: String?

  package init(path: String, byteCount: Int64, modified: Int64, identifier: String? = nil) {
    self.path = path
    self.byteCount = byteCount
    self.modified = modified
    self.identifier = identifier
  }
}
