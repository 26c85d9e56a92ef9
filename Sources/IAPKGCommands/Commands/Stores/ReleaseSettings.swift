import ContentPackage
import Settings

/// The settings of the folders to release, or the errors of reading them.
struct ReleaseSettings {
  private let byFolder: [String: Result<FolderSettings, any Error>]

  init(of folders: [String], _ exclusion: ExclusionOptions) {
    byFolder = Dictionary(
      folders.map { folder in (folder, Result { try exclusion.settings(of: folder) }) }
    ) { first, _ in first }
  }

  /// The readable settings.
  var all: [FolderSettings] { byFolder.sorted { $0.key < $1.key }.compactMap { try? $0.value.get() } }

  /// Returns the settings of a folder to release; nil for any other path.
  ///
  /// - Throws: The error of reading the settings.
  func settings(of folder: String) throws -> FolderSettings? { try byFolder[folder]?.get() }

  /// Warns on standard error about unused settings.
  func warn(_ text: TextOptions, isForList: Bool, on console: Console) {
    var usage = SettingsUsage(isForList: isForList)
    // Of unchanged content, only the names are read, so only the use of `exclude` is known.
    all.forEach { usage.add($0, [.exclude]) }
    usage.warn(text, on: console)
  }
}
