/// A document that came, and is not what it is to be.
struct DamagedDocument: Error {
  /// An `Untrustworthy`, or a `StoreError` for what is no attack.
  let error: any Error

  init(_ error: any Error) { self.error = error }
}

extension StoreReader {
  /// Reads a document, and reads it again, past all caches, as long as what comes does not hold: it may have been damaged
  /// on the way or in a cache. It is asked for as often in a row as parts of a package are.
  ///
  /// - Parameter read: reads the document from a store, and throws `DamagedDocument` if it does not hold.
  /// - Returns: what `read` returns.
  /// - Throws: the error of the last damage, and what else `read` throws.
  func repeating<Document>(_ read: (any Store) throws -> Document) throws -> Document {
    var source = store
    var errors = 0
    while true {
      do {
        return try read(source)
      } catch let damage as DamagedDocument {
        errors += 1
        guard errors < RetryPolicy().attempts, let anew = store.pastCaches else { throw damage.error }
        source = anew
      }
    }
  }
}
