import Delivery
import Support

extension CatalogChange {
  /// The maximum clock difference without a warning: one day, in seconds.
  private static let toleratedSeconds = Timestamp.secondsPerDay

  /// Warns if the clocks of the store and this machine differ by more than a day.
  func noteClock(_ text: TextOptions, on console: Console) {
    guard let difference = store.clockDifference, abs(difference) > Self.toleratedSeconds else { return }
    let now = Timestamp.now
    text.warn(
      "the clock of \(String(displaying: store.name.utf8)) says \(Timestamp(seconds: now.seconds + difference)), and that of "
        + "this machine \(now), which dates the catalog; set the one that is wrong", on: console)
  }
}
