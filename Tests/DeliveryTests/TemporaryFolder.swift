import SafeFiles

@testable import Delivery

/// An empty folder for one test, deleted with its contents afterwards.
final class TemporaryFolder: Sendable {
  let path: String
  private let parent: DirectoryHandle
  private let name: [UInt8]

  init() throws {
    parent = try DirectoryHandle.open(FileSystem.temporaryFolder)
    let text = "delivery-\(UInt64.random(in: .min ... .max))"
    name = Array(text.utf8)
    path = "\(FileSystem.temporaryFolder)/\(text)"
    try parent.makeFolder(name, permissions: 0o700)
  }

  deinit { try? parent.removeTree(name) }
}

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
