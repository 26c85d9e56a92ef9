#if COMMAND_LINE_TOOL
package import ContentPackage
package import Support
import Synchronization

/// The SHA-256 digests of a source's files, computed while the content is checked.
package final class ContentDigests: Sendable {
  private let count: Int
  /// The digests by item index. Allocated with the first digest: the rules on names need the memory until then.
  private let byIndex = Mutex<[SHA256Digest]>([])

  /// Creates digests for a source whose items have indices below `count`.
  package init(count: Int) { self.count = count }

  /// Creates digests for the items of a source.
  package convenience init(of source: any ContentSource) {
    self.init(count: source.items.lazy.map { $0.index + 1 }.max() ?? 0)
  }

  /// Returns all digests by item index, and releases their memory. Items without a digest, such as damaged files, have
  /// the placeholder `SHA256Digest.none`.
  consuming package func finish() -> [SHA256Digest] {
    let digests = byIndex.withLock { exchange(&$0, with: []) }
    return digests.isEmpty ? Array(repeating: .none, count: count) : digests
  }

  private func record(_ digest: SHA256Digest, of index: Int) {
    byIndex.withLock { digests in
      if digests.isEmpty { digests = Array(repeating: .none, count: count) }
      digests[index] = digest
    }
  }

  /// Computes the digests of one thread.
  private final class Receiver: ContentReceiver {
    private let digests: ContentDigests
    private var item: ContentItem?
    private var hasher = SHA256Hasher()

    init(_ digests: ContentDigests) { self.digests = digests }

    func begin(_ item: ContentItem) {
      self.item = item
      hasher = SHA256Hasher()
    }

    func receive(_ bytes: RawSpan) { hasher.update(bytes) }

    func end() {
      guard let item else { return }
      digests.record(hasher.finish(), of: item.index)
    }
  }

  /// Creates a receiver for one thread.
  @Sendable package func makeReceiver() -> any ContentReceiver { Receiver(self) }
}
#endif
