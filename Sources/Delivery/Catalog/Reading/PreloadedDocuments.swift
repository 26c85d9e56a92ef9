import SafeFiles
import Synchronization

/// Verified documents of a store, loaded in advance. Each is used once, and then removed.
final class PreloadedDocuments: Sendable {
  private let sources = Mutex<[StorePath: any ByteSource]>([:])

  func add(_ documents: [StorePath: any ByteSource]) {
    sources.withLock { $0.merge(documents) { $1 } }
  }

  func remove(_ reference: ObjectReference) -> (any ByteSource)? {
    sources.withLock { $0.removeValue(forKey: reference.path) }
  }

  func removeAll() { sources.withLock { $0 = [:] } }
}
