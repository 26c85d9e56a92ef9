import Delivery
import Support

extension CatalogChange {
  /// More says that one of the two clocks is wrong.
  private static let toleratedSeconds = Timestamp.secondsPerDay

  /// Warns if the clock of the store and that of this machine are more than a day apart.
  func noteClock(_ text: TextOptions, on console: Console) {
    guard let difference = store.clockDifference, abs(difference) > Self.toleratedSeconds else { return }
    let now = Timestamp.now
    text.warn(
      "the clock of \(String(displaying: store.name.utf8)) says \(Timestamp(seconds: now.seconds + difference)), and that of "
        + "this machine \(now), which dates the catalog; set the one that is wrong", on: console)
  }
}
