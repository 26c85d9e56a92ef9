import ContentPackage
import Settings

/// The store, the signing key and the channel from the settings of all folders of a run.
struct TargetSettings {
  let store: Setting<String>?
  let signWith: Setting<String>?
  let channel: Setting<Channel>?

  /// - Throws: `CommandError` if the folders' settings differ.
  init(of folders: [FolderSettings]) throws(CommandError) {
    store = try Self.one(of: folders.map(\.store), "store")
    signWith = try Self.one(of: folders.map(\.signWith), "sign-with")
    channel = try Self.one(of: folders.map(\.channel), "channel")
  }

  /// Returns the value of a key, which must be the same in all folders.
  private static func one<Value: Equatable>(
    of settings: [Setting<Value>?], _ key: String
  ) throws(CommandError) -> Setting<Value>? {
    guard let first = settings.first else { return nil }
    guard let other = settings.first(where: { $0?.value != first?.value }) else { return first }
    let places = [first, other].map { $0.map { "\($0.value) (\($0.place))" } ?? "nothing" }
    throw CommandError(
      .configuration,
      "the settings of the folders differ in \(key): \(places.joined(separator: " and ")); give it on the command line, or "
        + "release them apart")
  }
}
