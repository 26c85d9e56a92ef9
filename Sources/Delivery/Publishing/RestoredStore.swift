#if COMMAND_LINE_TOOL
import Synchronization

/// The sequence number of a store at the first look, if it is behind the last one that a key signed.
final class RestoredStore: Sendable {
  private let state = Mutex<(isKnown: Bool, sequences: (found: Int64, remembered: Int64)?)>((false, nil))

  var sequences: (found: Int64, remembered: Int64)? { state.withLock(\.sequences) }

  func note(_ found: Int64, after remembered: Int64?) {
    state.withLock { state in
      guard !state.isKnown else { return }
      state.isKnown = true
      if let remembered, remembered > found { state.sequences = (found, remembered) }
    }
  }

  /// Clears the numbers if the store has a catalog above the last one that a key signed.
  func advance(to sequence: Int64) {
    state.withLock { state in
      if let known = state.sequences, sequence > known.remembered { state.sequences = nil }
    }
  }
}
#endif
