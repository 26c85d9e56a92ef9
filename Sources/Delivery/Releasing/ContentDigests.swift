package import ContentPackage
import Synchronization

/// The SHA-256 of the files of a source, taken while they are checked.
package final class ContentDigests: Sendable {
  private let count: Int
  /// Takes no memory before there is one, since the rules on names need theirs until then.
  private let byIndex = Mutex<[SHA256Digest]>([])

  /// For a source whose items have indices below `count`.
  package init(count: Int) { self.count = count }

  /// For the items of a source.
  package convenience init(of source: any ContentSource) {
    self.init(count: source.items.lazy.map { $0.index + 1 }.max() ?? 0)
  }

  /// All of them by the indices of the items, which are not kept any longer; none of what is no file, or is damaged.
  consuming package func finish() -> [SHA256Digest] {
    let digests = byIndex.withLock { exchange(&$0, with: []) }
    return digests.isEmpty ? Array(repeating: .none, count: count) : digests
  }

  private func note(_ digest: SHA256Digest, of index: Int) {
    byIndex.withLock { digests in
      if digests.isEmpty { digests = Array(repeating: .none, count: count) }
      digests[index] = digest
    }
  }

  /// Belongs to one thread.
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
      digests.note(hasher.finish(), of: item.index)
    }
  }

  @Sendable package func makeReceiver() -> any ContentReceiver { Receiver(self) }
}
