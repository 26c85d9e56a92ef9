import ContentPackage
import Conversion
import SafeFiles
import StrictYAML
package import Support
import SystemPackage
import ZipArchive

extension FolderSettings {
  /// Reads the settings in a content folder and in the folders above it, up to the root of a Git repository. For each
  /// key the nearest file counts.
  ///
  /// - Parameters:
  ///   - folder: The content folder; if it is missing, only `patterns` count, unless `allowsMissing` is set.
  ///   - isBare: Whether the folder holds only the contents, without a manifest.
  ///   - allowsMissing: Whether to read the settings above the folder if the folder is missing.
  ///   - patterns: Further exclusion patterns, with the highest precedence.
  /// - Returns: The settings of the folder.
  /// - Throws: `SettingsError`; `FileError`, `SourceError` if a file cannot be read.
  package static func load(
    for folder: String, isBare: Bool = false, allowsMissing: Bool = false,
    excluding patterns: [PathPattern] = []
  ) throws -> FolderSettings {
    var nearest = Nearest()
    // The command reports a path that is not a folder.
    if let resolved = try? resolved(folder, allowsMissing: allowsMissing),
      let status = try FileSystem.status(of: resolved.present, followingLinks: true), status.kind == .folder
    {
      for path in folders(from: resolved.present, owner: status.owner) {
        try nearest.read(path, prefix: prefix(of: resolved.path, in: path), owner: status.owner)
      }
    }
    let last = patterns.map { PatternList.Entry($0, at: .commandLine, prefix: []) }
    let exclude = PatternList(nearest.exclude + nearest.ignoredNames + last)
    if !isBare { try checkManifest(exclude) }
    return FolderSettings(
      exclude: exclude, ignore: nearest.ignored,
      compression: PatternList(nearest.compression), methods: nearest.methods, budget: nearest.budget,
      store: nearest.store, channel: nearest.channel, signWith: nearest.signWith,
      backgroundAssets: nearest.backgroundAssets, isBare: isBare, untrustedFiles: nearest.untrustedFiles)
  }

  /// Returns the folders whose settings can apply to a content folder.
  ///
  /// - Parameters:
  ///   - folder: An absolute path without links.
  ///   - owner: The user who owns the content folder.
  /// - Returns: The folder and those above it, up to the root of a Git repository; another user's `.git` is
  ///   disregarded.
  static func folders(from folder: String, owner: UInt32) -> [String] {
    var folders = [folder]
    while let path = folders.last {
      let parent = FileSystem.folder(of: path)
      let repository = FileSystem.joined(path, ".git")
      if parent == path || parent == "." || isTrusted(repository, owner: owner) { break }
      folders.append(parent)
    }
    return folders
  }

  /// Returns whether the owner of the content folder, this user or the superuser owns an item.
  fileprivate static func isTrusted(_ path: String, owner: UInt32) -> Bool {
    FileSystem.isOwned(path, byOneOf: [owner, FileSystem.effectiveUser, 0])
  }

  /// Checks that no pattern excludes the manifest or the contents, which every content folder needs.
  private static func checkManifest(_ exclude: PatternList) throws(SettingsError) {
    for path in [PackageLayout.manifest, PackageLayout.contents] {
      guard let last = exclude.last(matching: path.bytes, isFolder: path == PackageLayout.contents) else {
        continue
      }
      let entry = exclude.entries[last]
      guard !entry.pattern.isNegated else { continue }
      throw SettingsError(
        entry.location,
        "the pattern '\(entry.pattern.text.prefix(40))' excludes \(path.escaped), which every content folder needs"
      )
    }
  }

  /// Resolves the links of a folder's path. `present` is the folder, or its parent if the folder is missing and
  /// `allowsMissing` is set.
  private static func resolved(
    _ folder: String, allowsMissing: Bool
  ) throws(FileError) -> (path: String, present: String) {
    do throws(FileError) {
      let path = try FileSystem.resolved(folder)
      return (path, path)
    } catch {
      guard allowsMissing, error.errno == .noSuchFileOrDirectory else { throw error }
      let above = try FileSystem.resolved(FileSystem.folder(of: folder))
      return (FileSystem.joined(above, String(decoding: FileSystem.name(of: folder), as: UTF8.self)), above)
    }
  }

  private static func prefix(of folder: String, in other: String) -> [UInt8] {
    Array(folder.utf8.dropFirst(other.utf8.count).drop { $0 == UInt8(ascii: "/") })
  }
}

/// The settings found so far, from the content folder upwards.
private struct Nearest {
  private(set) var exclude: [PatternList.Entry] = []
  private(set) var ignoredNames: [PatternList.Entry] = []
  private(set) var compression: [PatternList.Entry] = []
  private(set) var methods: [Compression] = []
  private(set) var budget: FolderBudget?
  private(set) var ignored = Ignored([], prefix: [])
  private(set) var store: Setting<String>?
  private(set) var channel: Setting<Channel>?
  private(set) var signWith: Setting<String>?
  private(set) var backgroundAssets: Setting<AssetPackKeys>?
  private var known: Set<SettingsFile.Key> = []
  /// Skipped files of other users.
  private(set) var untrustedFiles: [SettingsLocation] = []
  private var hasIgnoredNames = false
  /// The current folder, which messages omit.
  private let currentFolder = try? FileSystem.resolved(".")

  /// Adds the settings of one folder, for keys that no nearer folder sets.
  mutating func read(_ folder: String, prefix: [UInt8], owner: UInt32) throws {
    if let bytes = try bytes(PackageLayout.settings, in: folder, owner: owner) {
      let path = relativeToCurrentFolder(FileSystem.joined(folder, PackageLayout.settings.escaped))
      merge(try SettingsFile(bytes: bytes, path: path), in: folder, prefix: prefix)
    }
    if !hasIgnoredNames, let bytes = try bytes(PackageLayout.ignoredNames, in: folder, owner: owner) {
      hasIgnoredNames = true
      let path = relativeToCurrentFolder(FileSystem.joined(folder, PackageLayout.ignoredNames.escaped))
      ignoredNames = try Self.lines(bytes, path: path, prefix: prefix)
    }
  }

  private mutating func merge(_ file: SettingsFile, in folder: String, prefix: [UInt8]) {
    if let setting = file.exclude, known.insert(.exclude).inserted {
      exclude = setting.value.map { PatternList.Entry($0.value, at: $0.location, prefix: prefix) }
    }
    if let setting = file.ignore, known.insert(.ignore).inserted {
      ignored = Ignored(setting.value, prefix: prefix)
    }
    if let setting = file.compression, known.insert(.compression).inserted {
      compression = setting.value.map { PatternList.Entry($0.value.0, at: $0.location, prefix: prefix) }
      methods = setting.value.map(\.value.1)
    }
    if let setting = file.budget, known.insert(.budget).inserted {
      budget = FolderBudget(setting.value, prefix: prefix)
    }
    if let setting = file.channel, known.insert(.channel).inserted { channel = setting }
    if let setting = file.backgroundAssets, known.insert(.backgroundAssets).inserted {
      backgroundAssets = setting
    }
    if let setting = file.store, known.insert(.store).inserted { store = located(setting, in: folder) }
    if let setting = file.signWith, known.insert(.signWith).inserted {
      signWith = located(setting, in: folder)
    }
  }

  /// Resolves a path relative to the folder of its file. Absolute paths and URLs stay unchanged.
  private func located(_ setting: Setting<String>, in folder: String) -> Setting<String> {
    let isAbsolute = setting.value.hasPrefix("/") || setting.value.contains("://")
    return Setting(
      isAbsolute ? setting.value : relativeToCurrentFolder(FileSystem.joined(folder, setting.value)),
      at: setting.location)
  }

  /// Returns a path relative to the current folder, if it is inside.
  private func relativeToCurrentFolder(_ path: String) -> String {
    guard let currentFolder else { return path }
    let start = currentFolder.hasSuffix("/") ? currentFolder : currentFolder + "/"
    return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : path
  }

  /// Returns the bytes of a settings file; nil if the file is missing, or if another user owns it and it is skipped.
  ///
  /// Links are refused, because error messages could quote the linked file.
  ///
  /// - Throws: `SettingsError` for an item that is not a regular file or is too large; `FileError` or `SourceError` if
  ///   the file cannot be read.
  private mutating func bytes(_ name: EntryPath, in folder: String, owner: UInt32) throws -> [UInt8]? {
    // Opened by path: the user may have search permission for a folder above, but no read permission.
    let path = FileSystem.joined(folder, name.escaped)
    guard try FileSystem.status(of: path, followingLinks: false) != nil else { return nil }
    let location = SettingsLocation(path: relativeToCurrentFolder(path), line: 1, column: 1)
    let file: InputFile
    do throws(FileError) {
      file = try InputFile.openUnlinked(path)
    } catch {
      if error.errno == .noSuchFileOrDirectory { return nil }
      guard FolderSettings.isTrusted(path, owner: owner) else {
        untrustedFiles.append(location)
        return nil
      }
      if error.errno == .tooManySymbolicLinkLevels {
        throw SettingsError(
          location,
          "the file is a symbolic link, expected a regular file; replace the link with a copy of its target")
      }
      if let detail = error.detail { throw SettingsError(location, detail) }
      throw error
    }
    guard [owner, FileSystem.effectiveUser, 0].contains(file.status.owner) else {
      untrustedFiles.append(location)
      return nil
    }
    guard file.byteCount <= Int64(YAMLNode.maximumByteCount) else {
      throw SettingsError(
        location, "the file has \(file.byteCount) bytes, expected at most \(YAMLNode.maximumByteCount)")
    }
    return try file.bytes(at: 0, count: Int(file.byteCount))
  }

  private static func lines(
    _ bytes: [UInt8], path: String, prefix: [UInt8]
  ) throws(SettingsError) -> [PatternList.Entry] {
    var entries: [PatternList.Entry] = []
    // Git skips a byte order mark in `.gitignore` too.
    let lines = ByteOrderMark.dropped(from: bytes).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let location = SettingsLocation(path: path, line: index + 1, column: 1)
      guard let text = String(validating: line, as: UTF8.self), line.count <= PathPattern.maximumByteCount
      else {
        throw SettingsError(
          location, "the line is not UTF-8, or has more than \(PathPattern.maximumByteCount) bytes")
      }
      if let pattern = PathPattern(text) {
        entries.append(PatternList.Entry(pattern, at: location, prefix: prefix))
      }
    }
    return entries
  }
}
