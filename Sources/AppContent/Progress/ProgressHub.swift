import Synchronization

/// The distribution of the progress of all products to any number of readers.
final class ProgressHub: Sendable {
  /// The maximum number of buffered updates of a slow reader, which misses older updates.
  private static let bufferSize = 64

  private struct State {
    var last: [String: ContentProgress] = [:]
    var readers: [Int: (product: String?, continuation: AsyncStream<ContentProgress>.Continuation)] = [:]
    var nextID = 0
  }

  private let state = Mutex(State())

  deinit { for reader in state.withLock({ $0.readers }).values { reader.continuation.finish() } }

  /// Reports an update, unless it equals the last update of the product.
  func post(_ progress: ContentProgress) {
    state.withLock { state in
      guard state.last[progress.product] != progress else { return }
      state.last[progress.product] = progress
      for reader in state.readers.values where reader.product ?? progress.product == progress.product {
        reader.continuation.yield(progress)
      }
    }
  }

  /// Returns the updates of a product, or of all products, beginning with the last update of each.
  func updates(of product: String?) -> AsyncStream<ContentProgress> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ContentProgress.self, bufferingPolicy: .bufferingNewest(Self.bufferSize))
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      for last in state.last.values where product ?? last.product == last.product { continuation.yield(last) }
      state.readers[state.nextID] = (product, continuation)
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.readers.removeValue(forKey: id) }
    }
    return stream
  }
}
