import ContentPackage
import Settings

/// The settings of the folders that are released, or why they cannot be read.
struct ReleaseSettings {
  private let byFolder: [String: Result<FolderSettings, any Error>]

  init(of folders: [String], _ exclusion: ExclusionOptions) {
    byFolder = Dictionary(
      folders.map { folder in (folder, Result { try exclusion.settings(of: folder) }) }
    ) { first, _ in first }
  }

  /// Those that could be read.
  var all: [FolderSettings] { byFolder.sorted { $0.key < $1.key }.compactMap { try? $0.value.get() } }

  /// - Throws: why they cannot be read.
  func settings(of folder: String) throws -> FolderSettings? { try byFolder[folder]?.get() }

  /// Says what no folder had a use for.
  func note(_ text: TextOptions, isForList: Bool, on console: Console) {
    var usage = SettingsUsage(isForList: isForList)
    // Nothing but the names is looked at of what has not changed.
    all.forEach { usage.add($0, [.exclude]) }
    usage.note(text, on: console)
  }
}
