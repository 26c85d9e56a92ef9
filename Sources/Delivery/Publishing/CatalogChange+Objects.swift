#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles
import SystemPackage

extension CatalogChange {
  /// The maximum age in seconds at which an unreferenced object is reused: `prune` deletes no object younger than a
  /// day.
  private static let maximumReuseAge: Int64 = 12 * 3600

  /// The maximum size in bytes of a package in a bucket whose digest is verified; larger packages are only checked for
  /// their size.
  private static let maximumReadSize: Int64 = 1 << 20

  /// Writes an immutable object unless it is present, and reads it back.
  ///
  /// `advance` receives the number of bytes written, `isWritten` is called before reading back, and `advanceBack`
  /// receives the number of bytes read back.
  ///
  /// - Returns: The number of bytes uploaded.
  /// - Throws: `IntegrityError` if the store returns other bytes than were written; `StoreError`.
  func put(
    _ content: any ByteSource, at reference: ObjectReference, advance: @escaping @Sendable (Int64) -> Void,
    isWritten: () -> Void = {}, advanceBack: (Int64) -> Void = { _ in }
  ) throws -> Int64 {
    if try isPresent(reference) {
      advance(reference.byteCount)
      return 0
    }
    // An object that exists is old or damaged. Writing it again also renews its modification time.
    try write(content, at: reference, advance: advance)
    isWritten()
    do {
      try reader.check(reference) { advanceBack(Int64($0.byteCount)) }
    } catch let error as IntegrityError {
      throw IntegrityError(error.place, "does not have the bytes that were written", advice: .publishAgain)
    }
    return reference.byteCount
  }

  /// Writes an immutable object without reading it back.
  ///
  /// - Throws: `StoreError`.
  func write(
    _ content: any ByteSource, at reference: ObjectReference, advance: @escaping @Sendable (Int64) -> Void
  ) throws(StoreError) {
    try store.writable().put(content, at: reference.path, caching: .immutable, if: .none, advance: advance)
  }

  /// Rewrites the release lists that the next catalog replaces. `prune` then keeps them because of their new
  /// modification times: clients of the previous catalog read them, and copies find undone withdrawals in them. Omits
  /// lists that are missing or damaged, or that the user may not replace.
  ///
  /// - Throws: `StoreError`.
  func renewLists(of previous: Catalog, replacedBy next: Catalog) throws {
    var replaced = previous
    replaced.products = previous.products.filter { next.products[$0.key]?.releases != $0.value.releases }
    _ = try reader.forEachList(in: replaced) { _, entry -> [Never] in
      guard let list = try presentObject(entry.releases) else { return [] }
      do throws(StoreError) {
        try write(list, at: entry.releases) { _ in }
      } catch {
        guard error.isDenied else { throw error }
      }
      return []
    }
  }

  /// Returns an object of the store; nil if it is missing or damaged.
  func presentObject(_ reference: ObjectReference) throws -> (any ByteSource)? {
    guard try reader.hasObject(reference) else { return nil }
    do { return try reader.copy(of: reference) } catch  where error.concernsObject { return nil }
  }

  /// Returns whether the store has the intact object, and `prune` will not delete it soon.
  func isPresent(_ reference: ObjectReference) throws -> Bool {
    guard try reader.hasObject(reference),
      let item = try store.writable().list(reference.path.text).first(where: {
        $0.path == reference.path.text
      }),
      item.modified > storeTime - Self.maximumReuseAge
    else { return false }
    return try reader.isIntact(reference)
  }

  /// Returns whether an object is cheap to read: every object of a folder, and of a bucket all except large packages.
  func isReadCheaply(_ reference: ObjectReference) -> Bool {
    store.connections == nil || reference.byteCount <= Self.maximumReadSize || !reference.path.isPackage
  }
}

extension StoreError {
  /// Whether the user may not replace an object.
  fileprivate var isDenied: Bool {
    switch reason {
    case .denied: true
    case .file(.file(let error)): error.errno == .notPermitted || error.errno == .permissionDenied
    default: false
    }
  }
}
#endif
