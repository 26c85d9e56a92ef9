import HTTPTransport

/// A received document that fails verification.
struct DamagedDocument: Error {
  /// An `IntegrityError`, or a `StoreError` for accidental damage.
  let error: any Error

  init(_ error: any Error) { self.error = error }
}

extension StoreReader {
  /// Reads a document, and retries without caches while verification fails: the bytes may be damaged in transit or in a
  /// cache.
  ///
  /// A missing document is requested again unless the store has a newer catalog: a mirror may receive the catalog
  /// before all objects, but a newer catalog may no longer refer to the document.
  ///
  /// - Parameter read: Reads the document from a store, and throws `DamagedDocument` if verification fails.
  /// - Returns: The result of `read`.
  /// - Throws: The error of the last damage, and the other errors of `read`.
  func repeating<Document>(_ read: (any Store) throws -> Document) throws -> Document {
    var source = store
    var retry = store.retry
    var isCatalogChecked = false
    while true {
      do {
        return try read(source)
      } catch let damage as DamagedDocument {
        guard let next = store.bypassingCaches else { throw damage.error }
        // Only damage by an intermediary needs a pause.
        try retry.next(after: damage.error, pausing: damage.error is StoreError)
        source = next
      } catch let error as StoreError where error.reason == .missing && store.objectsMayFollow {
        if !isCatalogChecked, try newerCatalog() != nil { throw error }
        isCatalogChecked = true
        try retry.next(after: error, reporting: Self.missingMessage(at: error.place))
        source = store.bypassingCaches ?? store
      }
    }
  }
}
