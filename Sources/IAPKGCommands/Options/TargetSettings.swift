import Delivery
import Settings

/// The store, the signing key and the channel from the settings of all folders of a run.
struct TargetSettings {
  let store: Setting<String>?
  let signWith: Setting<String>?
  private let channelName: Setting<String>?

  /// - Throws: `CommandError` if the folders' settings differ.
  init(of folders: [FolderSettings]) throws(CommandError) {
    store = try Self.one(of: folders.map(\.store), "store")
    signWith = try Self.one(of: folders.map(\.signWith), "sign-with")
    channelName = try Self.one(of: folders.map(\.channel), "channel")
  }

  /// - Throws: `SettingsError` for an invalid channel name.
  func channel() throws(SettingsError) -> Channel? {
    guard let channelName else { return nil }
    guard let channel = Channel(channelName.value) else {
      throw SettingsError(
        channelName.place,
        "'\(channelName.value.prefix(80))' is no channel, expected 1 to \(Channel.maximumLength) letters, digits, '.', '_' and '-'"
      )
    }
    return channel
  }

  /// Returns the value of a key, which must be the same in all folders.
  private static func one(
    of settings: [Setting<String>?], _ key: String
  ) throws(CommandError) -> Setting<String>? {
    guard let first = settings.first else { return nil }
    guard let other = settings.first(where: { $0?.value != first?.value }) else { return first }
    let places = [first, other].map { $0.map { "\($0.value) (\($0.place))" } ?? "nothing" }
    throw CommandError(
      .configuration,
      "the settings of the folders differ in \(key): \(places.joined(separator: " and ")); give it on the command line, or "
        + "release them apart")
  }
}
