import Delivery
import Support

extension CatalogChange {
  /// The maximum clock difference without a warning: one day, in seconds.
  private static let toleratedSeconds = Timestamp.secondsPerDay

  /// Warns if the clocks of the store and this machine differ by more than a day, and if the store was behind the last
  /// sequence number that the key signed for it.
  func noteClock(_ text: TextOptions, on console: Console) {
    noteRestore(text, on: console)
    guard let difference = store.clockDifference, abs(difference) > Self.toleratedSeconds else { return }
    let now = Timestamp.now
    text.warn(
      "the clock of \(String(displaying: store.name.utf8)) says \(Timestamp(seconds: now.seconds + difference)), and that of "
        + "this machine \(now), which dates the catalog; set the one that is wrong", on: console)
  }

  private func noteRestore(_ text: TextOptions, on console: Console) {
    guard let (found, remembered) = restoredSequences else { return }
    text.warn(
      "\(DisplayedStore.name(store.name)) had catalog \(found), and this key signed catalog \(remembered) before, so clients "
        + "may refuse it; if the store was restored from a backup, run iapkg catalog renew --at-least \(remembered + 1)",
      on: console)
  }
}
