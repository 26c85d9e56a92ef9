import ArgumentParser
import ContentPackage
import Delivery
import SafeFiles
import Settings
import Support

/// The patterns of items to exclude from content folders, in addition to those of the settings.
struct ExclusionOptions: ParsableArguments {
  @Option(
    name: .customLong("exclude"),
    help: ArgumentHelp(
      """
      Exclude files of content folders that match this pattern, which has the syntax of .gitignore. The option can \
      be repeated, and comes after exclude in .iapkg.yml and .iapkgignore.
      """, valueName: "pattern"))
  var patterns: [String] = []

  func validate() throws {
    for text in patterns where text.utf8.count > PathPattern.maximumByteCount || PathPattern(text) == nil {
      throw ValidationError("--exclude is '\(text.prefix(40))', expected a pattern as in .gitignore")
    }
  }

  /// The parsed patterns, which `validate` has checked.
  var list: [PathPattern] { patterns.compactMap { PathPattern($0) } }

  /// Loads the settings of a content folder.
  ///
  /// - Throws: The errors of `FolderSettings.load`.
  func settings(of folder: String, isBare: Bool = false) throws -> FolderSettings {
    try FolderSettings.load(for: folder, isBare: isBare, excluding: list)
  }
}

extension FolderSettings {
  /// Returns the choices for packing; `choosesCompression` is false if the command line chooses the compression.
  func choices(choosingCompression choosesCompression: Bool = true) -> FolderChoices {
    FolderChoices(
      excludes: { excludes($0, isFolder: $1) },
      compression: { choosesCompression ? compression(of: $0) : nil }, budget: sizeBudget,
      ignores: { reason(for: $0) != nil })
  }
}

extension Sequence<SettingsLocation> {
  /// The paths of settings files that are not read, safe to print; nil if there are none.
  var skippedFiles: [String]? {
    let paths = Set(compactMap(\.path)).sorted().map { String(displaying: $0.utf8) }
    return paths.isEmpty ? nil : paths
  }
}

/// A record of the settings that no folder of a run used.
struct SettingsUsage {
  /// The messages about all settings. Each names the file of its setting, or `--exclude`.
  private var messages: Set<String> = []
  private var used: Set<String> = []
  private let isForList: Bool

  /// Creates an empty record. It covers settings above the folders only with `isForList`: otherwise they may be meant
  /// for other folders.
  init(isForList: Bool) { self.isForList = isForList }

  /// Adds the settings of a folder, with the keys that were applied to all of its items.
  mutating func add(_ settings: FolderSettings, _ keys: Set<SettingsFile.Key>) {
    for usage in settings.usage(of: keys)
    where usage.isInFolder || isForList {
      let location = usage.location.path == nil ? "--exclude" : "\(usage.location)"
      let message = "\(location): \(usage.text)"
      if usage.isUsed { used.insert(message) }
      messages.insert(message)
    }
  }

  /// Warns on standard error about unused settings.
  func warn(_ text: TextOptions, on console: Console) {
    guard !text.quiet else { return }
    for line in messages.subtracting(used).sorted() { text.warn(String(displaying: line.utf8), on: console) }
  }
}

extension FolderChoices {
  /// Creates the choices from the settings of a folder; the default choices if `path` is not a folder.
  init(of path: String, excluding patterns: [PathPattern] = []) throws {
    let isFolder = (try? FileSystem.kind(of: path)) == .folder
    self = isFolder ? try FolderSettings.load(for: path, excluding: patterns).choices() : FolderChoices()
  }
}

extension PublishedContent {
  /// Opens a package, or a content folder with its settings.
  init(
    opening path: String, excluding patterns: [PathPattern], countingUpdate countsUpdate: Bool,
    cancellation: Cancellation
  ) throws {
    try self.init(
      opening: path, FolderChoices(of: path, excluding: patterns), countingUpdate: countsUpdate,
      cancellation: cancellation)
  }
}

extension Baseline {
  /// Opens a package, or a content folder with its settings.
  init(
    opening path: String, excluding patterns: [PathPattern], cancellation: Cancellation
  ) throws {
    try self.init(
      opening: path, FolderChoices(of: path, excluding: patterns), cancellation: cancellation)
  }
}
