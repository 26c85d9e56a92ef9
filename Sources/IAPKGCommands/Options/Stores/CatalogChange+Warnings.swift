import Delivery
import SafeFiles
import Support

extension CatalogChange {
  /// The maximum clock difference without a warning: one day, in seconds.
  private static let maximumClockDifference = Timestamp.secondsPerDay
  /// The remaining lifetime of a trust document below which iapkg warns publishers: two weeks, in seconds.
  private static let trustWarningPeriod = 14 * Timestamp.secondsPerDay

  /// Warns about a key memory that could not be written, a store behind the last sequence number that the key signed, a
  /// trust document that expires soon or has expired, and clocks of the store and this machine that differ by more than a day.
  func warn(_ text: TextOptions, on console: Console) {
    text.warn(ofUnwritten: unwrittenMemories, of: store.name, on: console)
    warnOfRestore(text, on: console)
    warnOfExpiry(text, on: console)
    guard let difference = store.clockDifference, abs(difference) > Self.maximumClockDifference else {
      return
    }
    let now = Timestamp.now
    text.warn(
      "the clock of \(String(displaying: store.name.utf8)) shows \(Timestamp(seconds: now.seconds + difference)), and that of "
        + "this machine, which dates the catalog, shows \(now); correct the wrong clock", on: console)
  }

  private func warnOfRestore(_ text: TextOptions, on console: Console) {
    guard let (found, remembered) = restoredSequences else { return }
    let catalog = found.map { "catalog \($0)" } ?? "no catalog"
    text.warn(
      "\(DisplayedStore.name(store.name)) had \(catalog), and this key signed catalog \(remembered) before, so clients may "
        + "refuse it; if the store was restored from a backup, \(RenewalAdvice.action(after: remembered))",
      on: console)
  }

  private func warnOfExpiry(_ text: TextOptions, on console: Console) {
    guard let expires = trustExpiry, expires.seconds - Timestamp.now.seconds < Self.trustWarningPeriod else {
      return
    }
    let document = "the trust document of \(DisplayedStore.name(store.name))"
    let effect =
      expires < .now
      ? "clients have refused \(document) since \(expires)" : "clients refuse \(document) after \(expires)"
    text.warn("\(effect); sign a new one with iapkg trust threshold --expires 365", on: console)
  }
}

extension TextOptions {
  /// Warns that the memories of keys could not be written, so that iapkg cannot notice if the store loses this
  /// change.
  func warn(ofUnwritten memories: [FileError], of store: String, on console: Console) {
    for error in memories {
      warn(
        "\(error); the key does not remember this change, so iapkg will not notice if \(DisplayedStore.name(store)) loses its "
          + "newest state: free disk space, or let this user write the file", on: console)
    }
  }

  /// Warns that a package or folder is already published, with other properties than those given.
  func warnOfKeptProperties(of path: String, on console: Console) {
    warn(
      "\(String(displaying: path.utf8)) is already published and keeps its properties; the given ones do not apply: change "
        + "a rollout with iapkg rollout, and other properties with a new version", on: console)
  }
}
