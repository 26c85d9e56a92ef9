#if COMMAND_LINE_TOOL
import SafeFiles
import Synchronization

/// The observations of a store during a change; commands report some of them.
final class ObservedStoreState: Sendable {
  private struct State {
    /// Whether the first observation of the catalog was recorded.
    var isKnown = false
    var restored: (found: Int64?, remembered: Int64)?
    var trustExpiry: Timestamp?
    /// The tag of the last catalog with all releases that the keys remember, and the search in it.
    var complete: (tag: ObjectTag, search: MissingReleases)?
    /// The releases that the keys remembered at the first call of `remembered`.
    var remembered: KeyMemory.Releases?
    /// The key memories, read before the latest read of the catalog; nil if it was never read.
    var memories: [KeyMemory.Entry]?
    /// The errors of the memories of keys that could not be written, each once.
    var unwritten: [FileError] = []
  }

  private let state = Mutex(State())

  /// The first observed sequence number, if it is behind the last one that a key remembers; nil for any other store.
  /// `found` is nil for a store without a catalog.
  var restored: (found: Int64?, remembered: Int64)? { state.withLock(\.restored) }

  /// The time at which the newest trust document expires; nil for no document or no expiry.
  var trustExpiry: Timestamp? { state.withLock(\.trustExpiry) }

  func record(_ found: Int64?, after remembered: Int64?, under trust: TrustDocument?) {
    state.withLock { state in
      state.trustExpiry = trust?.expires
      guard !state.isKnown else { return }
      state.isKnown = true
      if let remembered, remembered > found ?? 0 { state.restored = (found, remembered) }
    }
  }

  /// The key memories, read before the latest read of the catalog; nil if it was never read.
  var memories: [KeyMemory.Entry]? { state.withLock(\.memories) }

  func record(_ memories: [KeyMemory.Entry]) { state.withLock { $0.memories = memories } }

  /// The errors of the memories of keys that could not be written, each once.
  var unwritten: [FileError] { state.withLock(\.unwritten) }

  func record(_ error: FileError) {
    state.withLock { state in
      if !state.unwritten.contains(error) { state.unwritten.append(error) }
    }
  }

  /// Returns the releases that the keys remembered at the first call; `now` returns the present ones.
  func remembered(_ now: @autoclosure () -> KeyMemory.Releases) -> KeyMemory.Releases {
    if let known = state.withLock(\.remembered) { return known }
    let now = now()
    return state.withLock { state in
      let releases = state.remembered ?? now
      state.remembered = releases
      return releases
    }
  }

  /// Returns the search in the catalog with a tag, if it found all releases that the keys remember; nil otherwise.
  func search(of tag: ObjectTag) -> MissingReleases? {
    state.withLock { state in state.complete?.tag == tag ? state.complete?.search : nil }
  }

  func record(_ search: MissingReleases, of tag: ObjectTag) {
    state.withLock { $0.complete = (tag, search) }
  }

  /// Clears `restored` if the store has a catalog above the last one that a key remembers.
  func advance(to sequence: Int64) {
    state.withLock { state in
      if let known = state.restored, sequence > known.remembered { state.restored = nil }
    }
  }
}
#endif
