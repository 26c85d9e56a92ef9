import SafeFiles

@testable import Delivery

extension WritableStore {
  /// Writes a text without progress.
  @discardableResult
  func put(
    _ text: String, at path: StorePath, if condition: StoreCondition = .none
  ) throws(StoreError) -> StoredStatus {
    try put(
      MemoryBytes(Array(text.utf8)), at: path, caching: .immutable, if: condition, advance: { _ in })
  }
}
