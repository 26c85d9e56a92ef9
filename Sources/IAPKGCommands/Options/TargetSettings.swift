import ContentPackage
import SafeFiles
import Settings

/// The store, the signing key and the channel from the settings of all folders of a run.
struct TargetSettings {
  let store: Setting<String>?
  let signWith: Setting<String>?
  let channel: Setting<Channel>?

  /// Combines the settings of several folders.
  ///
  /// - Parameters:
  ///   - folders: The settings of the folders.
  ///   - given: The keys that the command line overrides, whose settings are not used.
  /// - Throws: `CommandError` if the folders' settings differ.
  init(of folders: [FolderSettings], except given: Set<SettingsFile.Key> = []) throws(CommandError) {
    func common<Value, Identity: Equatable>(
      _ key: SettingsFile.Key, _ setting: (FolderSettings) -> Setting<Value>?,
      comparing identity: (Value) -> Identity
    ) throws(CommandError) -> Setting<Value>? {
      given.contains(key) ? nil : try Self.common(of: folders.map(setting), key, comparing: identity)
    }
    store = try common(.store, \.store, comparing: Self.resolved)
    signWith = try common(.signWith, \.signWith, comparing: Self.resolved)
    channel = try common(.channel, \.channel) { $0 }
  }

  /// Returns the location that a setting names: an address, or a path whose existing part is resolved.
  private static func resolved(_ location: String) -> String {
    guard !location.contains("://") else { return location }
    if let path = try? FileSystem.resolved(location) { return path }
    let folder = FileSystem.folder(of: location)
    guard folder != location else { return location }
    return FileSystem.joined(
      resolved(folder), String(decoding: FileSystem.name(of: location), as: UTF8.self))
  }

  /// Returns the value of a key, which must be the same in all folders.
  private static func common<Value, Identity: Equatable>(
    of settings: [Setting<Value>?], _ key: SettingsFile.Key, comparing identity: (Value) -> Identity
  ) throws(CommandError) -> Setting<Value>? {
    guard let first = settings.first else { return nil }
    let wanted = first.map { identity($0.value) }
    guard let other = settings.first(where: { $0.map { identity($0.value) } != wanted }) else { return first }
    let places = [first, other].map { $0.map { "\($0.value) (\($0.location))" } ?? "nothing" }
    throw CommandError(
      .configuration,
      "the settings of the folders differ in \(key.rawValue): \(places.joined(separator: " and ")); override the "
        + "setting on the command line, or release the folders separately")
  }
}
