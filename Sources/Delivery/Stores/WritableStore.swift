package import SafeFiles

/// A store that can be written: a folder or a bucket.
package protocol WritableStore: Store {
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
  /// - Returns: The part; nil if the store keeps no parts of objects, or the part cannot be used, for example while
  ///   another process writes it.
  func part(of path: StorePath, atMost byteCount: Int64) throws(StoreError) -> StoredPart?

  /// Returns all files or objects whose path begins with `prefix`, in any order, including those outside the layout.
  func list(_ prefix: String) throws(StoreError) -> [StoredItem]

  /// Deletes an object; a missing object is not an error.
  func delete(_ path: StorePath) throws(StoreError)

  /// Deletes an object if `isUnused` returns true immediately before; each retry calls it again.
  ///
  /// - Throws: The errors of `delete` and of `isUnused`.
  func delete(_ path: StorePath, if isUnused: () throws -> Bool) throws

  /// Returns the remains of interrupted writers that `list` does not return: temporary files, incomplete uploads.
  func leftovers() throws(StoreError) -> [StoredItem]

  /// Deletes an item returned by `leftovers`.
  func discard(_ leftover: StoredItem) throws(StoreError)

  /// Verifies that the store enforces the conditions of writes.
  ///
  /// - Throws: `.unsuitable` for a store that ignores conditions.
  func checkConditions() throws(StoreError)

  /// Performs `work`, which replaces an object with one derived from it, and repeats it after a conflict.
  ///
  /// A store with a lock holds the lock meanwhile and performs `work` once. Creates a missing folder.
  ///
  /// - Throws: `.conflict` if every attempt conflicts; the errors of `work`, except `.conditionFailed` and `.conflict`.
  func exclusively<Result>(_ work: () throws -> Result) throws -> Result
}

extension WritableStore {
  package func writable() throws(StoreError) -> any WritableStore { self }

  package func checkConditions() throws(StoreError) {}

  package func delete(_ path: StorePath, if isUnused: () throws -> Bool) throws {
    if try isUnused() { try delete(path) }
  }

  package func part(of path: StorePath, atMost byteCount: Int64) throws(StoreError) -> StoredPart? { nil }
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

/// A listed file or object of a store, whose path may be outside the layout.
package struct StoredItem: Sendable, Equatable {
  /// The path relative to the store; not safe to print.
  package let path: String
  /// The size in bytes; 0 for an incomplete upload.
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
