package import ContentPackage
package import Conversion
import SafeFiles
import Support
import Synchronization
package import ZipArchive

/// The effective settings of a content folder.
package struct FolderSettings: Sendable {
  /// The patterns of excluded files.
  package let exclude: PatternList
  /// The findings to ignore.
  package let ignore: Ignored
  /// The patterns that choose a compression; `methods` has the method of each pattern at the same index.
  package let compression: PatternList
  package let methods: [Compression]
  /// The maximum sizes of the product; nil for none.
  package let budget: FolderBudget?
  /// The address of the store, or its folder, relative to the current folder if it is inside; nil for none.
  package let store: Setting<String>?
  package let channel: Setting<Channel>?
  /// The path of the private key that signs catalogs, relative to the current folder if it is inside; nil for none.
  package let signWith: Setting<String>?
  /// The keys of the manifests of asset packs; nil for none.
  package let backgroundAssets: Setting<AssetPackKeys>?
  /// Whether paths in the package begin with `Contents`, which the folder does not have.
  private let isBare: Bool
  /// Skipped files of other users.
  package let untrustedFiles: [SettingsLocation]

  init(
    exclude: PatternList, ignore: Ignored, compression: PatternList, methods: [Compression],
    budget: FolderBudget?, store: Setting<String>?, channel: Setting<Channel>?, signWith: Setting<String>?,
    backgroundAssets: Setting<AssetPackKeys>?, isBare: Bool, untrustedFiles: [SettingsLocation]
  ) {
    self.exclude = exclude
    self.ignore = ignore
    self.compression = compression
    self.methods = methods
    self.budget = budget
    self.store = store
    self.channel = channel
    self.signWith = signWith
    self.backgroundAssets = backgroundAssets
    self.isBare = isBare
    self.untrustedFiles = untrustedFiles
  }

  /// Returns whether an item, given by its path in the folder, is excluded from the content.
  package func excludes(_ path: EntryPath, isFolder: Bool) -> Bool {
    guard let last = exclude.last(matching: path.bytes, isFolder: isFolder) else { return false }
    return !exclude.entries[last].pattern.isNegated
  }

  /// Returns the compression of a file, given by its path in the package; nil if the settings do not choose one.
  package func compression(of path: EntryPath) -> Compression? {
    compression.last(matching: inFolder(path).bytes, isFolder: false).map { methods[$0] }
  }

  /// The maximum sizes of the product, for paths in the package; nil for none.
  package var sizeBudget: SizeBudget? {
    budget.map { budget in
      SizeBudget(
        package: budget.package?.limit, update: budget.update?.limit, files: budget.files?.limit,
        file: { budget.file(at: inFolder($0)) })
    }
  }

  /// Returns the reason for ignoring a finding; nil if it is not ignored.
  package func reason(for finding: Finding) -> String? {
    ignore.reason(for: finding, at: finding.path.map(inFolder))
  }

  /// Converts a path in the package to a path in the folder.
  private func inFolder(_ path: EntryPath) -> EntryPath {
    isBare && path.isContent ? path.withoutFirst ?? path : path
  }

  /// The use of a pattern or an ignored rule.
  package struct Usage: Sendable {
    package let location: SettingsLocation
    /// The message for an unused pattern or rule.
    package let text: String
    package let isUsed: Bool
    /// Whether the settings file is in the content folder rather than above it.
    package let isInFolder: Bool
  }

  /// Returns the use of the patterns and rules of the given keys. Must be called after every item has been matched.
  package func usage(of keys: Set<SettingsFile.Key>) -> [Usage] {
    let patterns =
      (keys.contains(.exclude) ? exclude.usage : [])
      + (keys.contains(.compression) ? compression.usage : [])
      + (keys.contains(.budget) ? budget?.usage ?? [] : [])
    return patterns.map { entry, isUsed in
      Usage(
        location: entry.location, text: "the pattern '\(entry.pattern.text)' matches nothing", isUsed: isUsed,
        isInFolder: entry.prefix.isEmpty)
    } + (keys.contains(.ignore) ? ignore.usage : [])
  }
}

/// The rules whose findings are ignored.
package final class Ignored: Sendable {
  package let rules: [Setting<IgnoredRule>]
  /// The path of the content folder relative to the folder of the settings file.
  private let prefix: [UInt8]
  private let used: Mutex<[Bool]>

  init(_ rules: [Setting<IgnoredRule>], prefix: [UInt8]) {
    self.rules = rules
    self.prefix = prefix
    used = Mutex(Array(repeating: false, count: rules.count))
  }

  func reason(for finding: Finding, at path: EntryPath?) -> String? {
    for (index, ignored) in rules.enumerated() where ignored.value.rule == finding.rule {
      if let pattern = ignored.value.path {
        // A finding may stand for omitted findings, whose paths are unknown.
        guard let path, finding.omitted == 0 || finding.omitsIgnored else { continue }
        let fullPath = prefix.isEmpty ? path.bytes : prefix + [UInt8(ascii: "/")] + path.bytes
        guard pattern.matchesPathOrParent(fullPath) else { continue }
      }
      used.withLock { $0[index] = true }
      return ignored.value.reason
    }
    return nil
  }

  var usage: [FolderSettings.Usage] {
    used.withLock { used in
      zip(rules, used).map { rule, isUsed in
        FolderSettings.Usage(
          location: rule.location,
          text: "the rule \(rule.value.rule.rawValue) has no finding to ignore", isUsed: isUsed,
          isInFolder: prefix.isEmpty)
      }
    }
  }
}

extension PathPattern {
  /// Returns whether the pattern matches a path or one of its parent folders.
  func matchesPathOrParent(_ path: [UInt8]) -> Bool {
    if matches(path, isFolder: false) || matches(path, isFolder: true) { return true }
    return path.indices.contains {
      path[$0] == UInt8(ascii: "/") && matches(path[..<$0], isFolder: true)
    }
  }
}
