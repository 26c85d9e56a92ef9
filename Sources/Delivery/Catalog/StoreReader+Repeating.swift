import HTTPTransport

/// A received document that fails verification.
struct DamagedDocument: Error {
  /// An `IntegrityError`, or a `StoreError` for accidental damage.
  let error: any Error

  init(_ error: any Error) { self.error = error }
}

extension StoreReader {
  /// Reads a document, and retries without caches while verification fails: the bytes may be damaged in transit or in a
  /// cache. The number of attempts is that of `RetryPolicy`, and so are the pauses after accidental damage.
  ///
  /// - Parameter read: Reads the document from a store, and throws `DamagedDocument` if verification fails.
  /// - Returns: The result of `read`.
  /// - Throws: The error of the last damage, and the other errors of `read`.
  func repeating<Document>(_ read: (any Store) throws -> Document) throws -> Document {
    var source = store
    var errors = 0
    while true {
      do {
        return try read(source)
      } catch let damage as DamagedDocument {
        errors += 1
        guard errors < RetryPolicy().attempts, let next = store.bypassingCaches else { throw damage.error }
        if let error = damage.error as? StoreError { store.pauseBeforeRetry(after: errors, error.message) }
        source = next
      }
    }
  }
}
