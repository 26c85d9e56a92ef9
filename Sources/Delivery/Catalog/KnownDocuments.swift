import SafeFiles
import Synchronization

/// Documents of a store that were read, and held against what refers to them, before they are asked for. Each is handed
/// out once.
final class KnownDocuments: Sendable {
  private let sources = Mutex<[StorePath: any ByteSource]>([:])

  func add(_ documents: [StorePath: any ByteSource]) {
    sources.withLock { $0.merge(documents) { $1 } }
  }

  func take(_ reference: ObjectReference) -> (any ByteSource)? {
    sources.withLock { $0.removeValue(forKey: reference.path) }
  }

  func removeAll() { sources.withLock { $0 = [:] } }
}
