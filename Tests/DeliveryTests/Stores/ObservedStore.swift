import HTTPTransport
import SafeFiles
import Synchronization

@testable import Delivery

/// A store that counts listings, lets a test act as another publisher before each deletion, and whose objects are old
/// unless they were written through it.
final class ObservedStore: WritableStore {
  private let base: any WritableStore
  private let beforeDeletion: @Sendable (StorePath, ObservedStore) throws -> Void
  private let afterCheck: @Sendable (StorePath, ObservedStore) throws -> Void
  private let afterCatalog: @Sendable () -> Void
  private let hasOldObjects: Bool
  /// A day before 1970: forged catalogs are of the first second of 1970, and the clock of a busy store lags by seconds.
  private static let longAgo: Int64 = -86_400
  private let state = Mutex((listings: 0, deletions: 0, catalogs: 0, fresh: Set<String>()))

  /// Wraps a store.
  ///
  /// - Parameters:
  ///   - base: The store.
  ///   - hasOldObjects: Whether all objects that were not written through this store are of 1969.
  ///   - beforeDeletion: Acts before the checks that precede the first deletion.
  ///   - afterCheck: Acts between those checks and the first deletion.
  ///   - afterCatalog: Acts after the first reading of the catalog.
  init(
    _ base: any WritableStore, hasOldObjects: Bool = false,
    beforeDeletion: @escaping @Sendable (StorePath, ObservedStore) throws -> Void = { _, _ in },
    afterCheck: @escaping @Sendable (StorePath, ObservedStore) throws -> Void = { _, _ in },
    afterCatalog: @escaping @Sendable () -> Void = {}
  ) {
    self.afterCatalog = afterCatalog
    self.afterCheck = afterCheck
    self.base = base
    self.hasOldObjects = hasOldObjects
    self.beforeDeletion = beforeDeletion
  }

  /// The number of listings of the whole store.
  var listings: Int { state.withLock(\.listings) }

  var name: String { base.name }
  var connections: Int? { base.connections }
  var bypassingCaches: (any Store)? { base.bypassingCaches }
  var retry: Retry { base.retry }
  var clockDifference: Int64? { base.clockDifference }

  func status(of path: StorePath) throws(StoreError) -> StoredStatus? { try base.status(of: path) }

  func object(at path: StorePath, limit: Int) throws(StoreError) -> StoredObject? {
    let object = try base.object(at: path, limit: limit)
    let isFirst = state.withLock { state in
      state.catalogs += path == .catalog ? 1 : 0
      return path == .catalog && state.catalogs == 1
    }
    if isFirst { afterCatalog() }
    return object
  }

  func open(_ path: StorePath, range: Range<Int64>?) throws(StoreError) -> any ObjectReader {
    try base.open(path, range: range)
  }

  @discardableResult
  func put(
    _ content: any ByteSource, at path: StorePath, caching: StoreCaching, if condition: StoreCondition,
    advance: @escaping @Sendable (Int64) -> Void
  ) throws(StoreError) -> StoredStatus {
    state.withLock { _ = $0.fresh.insert(path.text) }
    return try base.put(content, at: path, caching: caching, if: condition, advance: advance)
  }

  func list(_ prefix: String) throws(StoreError) -> [StoredItem] {
    if prefix.isEmpty { state.withLock { $0.listings += 1 } }
    let fresh = state.withLock(\.fresh)
    return try base.list(prefix).map {
      hasOldObjects && !fresh.contains($0.path)
        ? StoredItem(path: $0.path, byteCount: $0.byteCount, modified: Self.longAgo) : $0
    }
  }

  func delete(_ path: StorePath) throws(StoreError) { try base.delete(path) }

  func delete(_ path: StorePath, if isUnused: () throws -> Bool) throws {
    try base.delete(path) {
      let isFirst = state.withLock { state in
        state.deletions += 1
        return state.deletions == 1
      }
      if isFirst { try beforeDeletion(path, self) }
      let isDeleted = try isUnused()
      if isFirst { try afterCheck(path, self) }
      return isDeleted
    }
  }

  func leftovers() throws(StoreError) -> [StoredItem] { [] }
  func discard(_ leftover: StoredItem) throws(StoreError) { try base.discard(leftover) }
  func exclusively<Result>(_ work: () throws -> Result) throws -> Result { try base.exclusively(work) }
}
