import Delivery
import SafeFiles
import Support

extension CatalogChange {
  /// The maximum clock difference without a warning: one day, in seconds.
  private static let toleratedSeconds = Timestamp.secondsPerDay
  /// The remaining lifetime of a trust document from which publishers are warned: two weeks, in seconds.
  private static let trustWarningSeconds = 14 * Timestamp.secondsPerDay

  /// Warns if the memory of a key could not be written, if the store was behind the last sequence number that the key signed
  /// for it, if its trust document expires soon, and if the clocks of the store and this machine differ by more than a day.
  func warn(_ text: TextOptions, on console: Console) {
    text.warn(ofUnwritten: unwrittenMemories, of: store.name, on: console)
    warnOfRestore(text, on: console)
    warnOfExpiry(text, on: console)
    guard let difference = store.clockDifference, abs(difference) > Self.toleratedSeconds else { return }
    let now = Timestamp.now
    text.warn(
      "the clock of \(String(displaying: store.name.utf8)) says \(Timestamp(seconds: now.seconds + difference)), and that of "
        + "this machine \(now), which dates the catalog; set the one that is wrong", on: console)
  }

  private func warnOfRestore(_ text: TextOptions, on console: Console) {
    guard let (found, remembered) = restoredSequences else { return }
    let catalog = found.map { "catalog \($0)" } ?? "no catalog"
    text.warn(
      "\(DisplayedStore.name(store.name)) had \(catalog), and this key signed catalog \(remembered) before, so clients may "
        + "refuse it; if the store was restored from a backup, run iapkg catalog renew --at-least \(remembered + 1)",
      on: console)
  }

  private func warnOfExpiry(_ text: TextOptions, on console: Console) {
    guard let expires = trustExpiry, expires.seconds - Timestamp.now.seconds < Self.trustWarningSeconds else {
      return
    }
    text.warn(
      "clients refuse the trust document of \(DisplayedStore.name(store.name)) after \(expires); sign a new one with iapkg "
        + "trust threshold --expires 365", on: console)
  }
}

extension TextOptions {
  /// Warns that the memories of keys could not be written, so that a later loss goes unnoticed.
  func warn(ofUnwritten memories: [FileError], of store: String, on console: Console) {
    for error in memories {
      warn(
        "\(error); the key does not remember this change, so iapkg will not notice if \(DisplayedStore.name(store)) loses its "
          + "newest state: free disk space, or let this user write the file", on: console)
    }
  }

  /// Warns that a package or folder is published already, with other properties than those given.
  func warnOfKeptProperties(of path: String, on console: Console) {
    warn(
      "\(String(displaying: path.utf8)) is published already and keeps its properties: those given now do not apply; a rollout "
        + "is changed with iapkg rollout, all else with a new version", on: console)
  }
}
