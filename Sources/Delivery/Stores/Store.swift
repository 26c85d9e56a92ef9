import Crypto
package import SafeFiles

/// A place for catalogs and packages: a folder or a bucket. Objects have the paths of the layout.
///
/// Calls block their thread; several threads may make them at once. The cancellation that a store was opened with
/// ends them early.
package protocol Store: Sendable {
  /// The store as it was named, for messages: a folder, or `s3://bucket/prefix`. Not safe to print.
  var name: String { get }
  /// How many requests side by side are worth it for whoever reads much; nil where reading takes no time but that of
  /// this machine.
  var connections: Int? { get }
  /// The same store, for asking once more for what was damaged on the way: no cache answers in its place. Nil where nothing
  /// is damaged on the way, so that reading again gives the same.
  var pastCaches: (any Store)? { get }
  /// The seconds by which the clock of the store was ahead of this machine's at the last answer; nil where no answer
  /// had a date.
  var clockDifference: Int64? { get }

  /// What an object is without its bytes.
  ///
  /// - Returns: nil if there is no such object.
  func status(of path: StorePath) throws(StoreError) -> StoredStatus?

  /// All bytes of a small object.
  ///
  /// - Returns: nil if there is no such object.
  /// - Throws: `.tooLarge` if it has more than `limit` bytes, of which no more are read.
  func object(at path: StorePath, limit: Int) throws(StoreError) -> StoredObject?

  /// Reads an object at `range`, or all of it; nothing need be asked for before the first bytes are taken.
  ///
  /// - Throws: `StoreError`, with `.missing` if there is no such object, and `.invalidAnswer` if it ends before the range
  ///   does, here or when the bytes are taken.
  func open(_ path: StorePath, range: Range<Int64>?) throws(StoreError) -> any ObjectReader

  /// Writes an object in one step, so that it is whole and durable when this returns.
  ///
  /// - Parameters:
  ///   - content: the bytes, which are read as often as need be.
  ///   - path: where to.
  ///   - caching: what caches may do with it.
  ///   - condition: what must be so at the moment of writing; `.unchanged` holds only within `exclusively`.
  ///   - advance: hears of bytes that are under way; below 0 when some are to go once more.
  /// - Returns: what it is now.
  /// - Throws: `.conditionFailed` if the condition does not hold, `.conflict` if another writes at the same moment.
  @discardableResult
  func put(
    _ content: any ByteSource, at path: StorePath, caching: StoreCaching, if condition: StoreCondition,
    advance: @escaping @Sendable (Int64) -> Void
  ) throws(StoreError) -> StoredStatus

  /// Everything in the store whose path begins with `prefix`, in any order; also what is none of the layout's.
  func list(_ prefix: String) throws(StoreError) -> [StoredItem]

  /// Removes an object; it is no error if there is none.
  func delete(_ path: StorePath) throws(StoreError)

  /// What writers that were stopped have left behind, and nobody sees: temporary files, unfinished uploads.
  func leftovers() throws(StoreError) -> [StoredItem]

  /// Removes something that `leftovers` named.
  func discard(_ leftover: StoredItem) throws(StoreError)

  /// Does `work`, which replaces an object by what it makes of the current one; again when another was faster.
  ///
  /// A store that can keep others out does so meanwhile, and then `work` is done once. A folder is made where it is missing.
  ///
  /// - Throws: `.conflict` if another was faster each time; what `work` throws, except `.conditionFailed` and
  ///   `.conflict`.
  func exclusively<Result>(_ work: () throws -> Result) throws -> Result
}

extension Store {
  /// Hands on the bytes of an object at `range`, or all of them, in order.
  ///
  /// - Throws: as `open`, and whatever `body` throws.
  package func read(_ path: StorePath, range: Range<Int64>?, _ body: (RawSpan) throws -> Void) throws {
    let reader = try open(path, range: range)
    var block: [UInt8] = []
    while try reader.next(&block) { try body(unsafe block.span.bytes) }  // any UInt8 is a byte
  }
}

/// The bytes of an object, in order and as they are taken; belongs to one thread. Nobody need take all of them.
package protocol ObjectReader: AnyObject {
  /// Waits for the next bytes, and puts them in the place of what `buffer` has.
  ///
  /// - Returns: false at the end.
  /// - Throws: `StoreError`, `Interruption`.
  func next(_ buffer: inout [UInt8]) throws -> Bool

  /// The compression that the bytes have although it was not asked for, as a server labels it; nil for none.
  var contentEncoding: String? { get }
}

extension ObjectReader {
  package var contentEncoding: String? { nil }
}

/// What caches may do with an object.
package enum StoreCaching: Sendable {
  /// Keep it for ever: it never changes.
  case immutable
  /// Ask each time whether it has changed.
  case revalidated
}

/// What must be so for an object to be written.
package enum StoreCondition: Sendable, Equatable {
  case none
  /// There is no such object yet.
  case absent
  /// It is still the one that had this tag.
  case unchanged(ObjectTag)
}

/// What tells one state of an object from another: an ETag, as the store wrote it.
package struct ObjectTag: Sendable, Hashable {
  package let text: String
  package init(_ text: String) { self.text = text }

  /// Whether the tag proves that an object has just these bytes: that of S3 is the MD5 of most objects (Amazon S3 API
  /// Reference, Object, ETag). False where it may be something else.
  func isDigest(of bytes: [UInt8]) -> Bool {
    let digits = Insecure.MD5.hash(data: bytes).flatMap { [$0 >> 4, $0 & 15] }
    return text == "\"" + digits.map { String($0, radix: 16) }.joined() + "\""
  }
}

/// An object without its bytes.
package struct StoredStatus: Sendable, Equatable {
  package let byteCount: Int64
  package let tag: ObjectTag

  package init(byteCount: Int64, tag: ObjectTag) {
    self.byteCount = byteCount
    self.tag = tag
  }
}

/// A small object.
package struct StoredObject: Sendable, Equatable {
  package let bytes: [UInt8]
  package let tag: ObjectTag
  /// The compression that the bytes have although it was not asked for, as a server labels it; nil for none.
  package let encoding: String?

  package init(bytes: [UInt8], tag: ObjectTag, encoding: String? = nil) {
    self.bytes = bytes
    self.tag = tag
    self.encoding = encoding
  }
}

/// What lies in a store under a path that need not be one of the layout's.
package struct StoredItem: Sendable, Equatable {
  /// Relative to the store; not safe to print.
  package let path: String
  package let byteCount: Int64
  /// When it was last written, in seconds since 1970-01-01 00:00:00 UTC.
  package let modified: Int64
  /// Which one it is where several have one path: the number of an unfinished upload.
  package let identifier: String?

  package init(path: String, byteCount: Int64, modified: Int64, identifier: String? = nil) {
    self.path = path
    self.byteCount = byteCount
    self.modified = modified
    self.identifier = identifier
  }
}
