/// The presence of objects that a catalog refers to.
extension StoreReader {
  /// Returns whether the store has an object of the referenced size.
  func hasObject(_ reference: ObjectReference) throws(StoreError) -> Bool {
    try store.status(of: reference.path)?.byteCount == reference.byteCount
  }

  /// Returns whether an object has the referenced bytes.
  ///
  /// - Throws: The errors of `check` that do not concern the object alone.
  func isIntact(_ reference: ObjectReference) throws -> Bool {
    do {
      try check(reference) { _ in }
      return true
    } catch  where error.concernsObject {
      return false
    }
  }
}
