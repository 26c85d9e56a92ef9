package import ContentPackage
import SafeFiles
import Synchronization
package import ZipArchive

/// The settings that hold for a content folder.
package struct FolderSettings: Sendable {
  /// Which files are left out.
  package let exclude: PatternList
  /// Which findings are ignored; the element with the number of a pattern has its rule and reason.
  package let ignore: Ignored
  /// Which files are stored or deflated; the element with the number of a pattern has the method.
  package let compression: PatternList
  package let methods: [Compression]
  package let store: Setting<String>?
  package let channel: Setting<String>?
  package let signWith: Setting<String>?
  /// Whether paths begin with `Contents`, although the folder has no such folder.
  private let isBare: Bool
  /// Files of other users, which are not read.
  package let foreign: [SettingsPlace]

  init(
    exclude: PatternList, ignore: Ignored, compression: PatternList, methods: [Compression],
    store: Setting<String>?, channel: Setting<String>?, signWith: Setting<String>?, isBare: Bool,
    foreign: [SettingsPlace]
  ) {
    self.exclude = exclude
    self.ignore = ignore
    self.compression = compression
    self.methods = methods
    self.store = store
    self.channel = channel
    self.signWith = signWith
    self.isBare = isBare
    self.foreign = foreign
  }

  /// Whether an item, by its path in the folder, is no part of the content.
  package func leavesOut(_ path: EntryPath, isFolder: Bool) -> Bool {
    guard let last = exclude.last(matching: path.bytes, isFolder: isFolder) else { return false }
    return !exclude.entries[last].pattern.isNegated
  }

  /// How a file is compressed, by its path in the package; nil if the settings do not say.
  package func compression(of path: EntryPath) -> Compression? {
    compression.last(matching: inFolder(path).bytes, isFolder: false).map { methods[$0] }
  }

  /// Why a finding is ignored; nil if it is not.
  package func reason(for finding: Finding) -> String? {
    ignore.reason(for: finding, at: finding.path.map(inFolder))
  }

  /// The path in the folder of a path in the package.
  private func inFolder(_ path: EntryPath) -> EntryPath {
    isBare && path.isContent ? path.withoutFirst ?? path : path
  }

  /// A pattern, or a rule that is ignored.
  package struct Usage: Sendable {
    package let place: SettingsPlace
    /// What is said if it is not used.
    package let text: String
    package let isUsed: Bool
    /// Whether its file lies in the content folder, and not above it.
    package let isInFolder: Bool
  }

  /// What has been of use so far of these settings, each of which must have been asked for all that there is.
  package func usage(of keys: Set<SettingsFile.Key>) -> [Usage] {
    let patterns =
      (keys.contains(.exclude) ? exclude.usage : [])
      + (keys.contains(.compression) ? compression.usage : [])
    return patterns.map { entry, isUsed in
      Usage(
        place: entry.place, text: "the pattern '\(entry.pattern.text)' matches nothing", isUsed: isUsed,
        isInFolder: entry.prefix.isEmpty)
    } + (keys.contains(.ignore) ? ignore.usage : [])
  }
}

/// The rules whose findings are ignored.
package final class Ignored: Sendable {
  package let rules: [Setting<IgnoredRule>]
  /// The path of the content folder from the folder of the settings.
  private let prefix: [UInt8]
  private let used: Mutex<[Bool]>

  init(_ rules: [Setting<IgnoredRule>], prefix: [UInt8]) {
    self.rules = rules
    self.prefix = prefix
    used = Mutex(Array(repeating: false, count: rules.count))
  }

  func reason(for finding: Finding, at path: EntryPath?) -> String? {
    for (number, ignored) in rules.enumerated() where ignored.value.rule == finding.rule {
      if let pattern = ignored.value.path {
        // Nobody knows the paths of those that a report leaves out.
        guard let path, finding.omitted == 0 else { continue }
        let whole = prefix.isEmpty ? path.bytes : prefix + [UInt8(ascii: "/")] + path.bytes
        guard pattern.matchesOrHolds(whole) else { continue }
      }
      used.withLock { $0[number] = true }
      return ignored.value.reason
    }
    return nil
  }

  var usage: [FolderSettings.Usage] {
    used.withLock { used in
      zip(rules, used).map { rule, isUsed in
        FolderSettings.Usage(
          place: rule.place,
          text: "the rule \(rule.value.rule.rawValue) found nothing that is to be ignored", isUsed: isUsed,
          isInFolder: prefix.isEmpty)
      }
    }
  }
}

extension PathPattern {
  /// Whether it matches a path, or one of the folders that the path leads through.
  func matchesOrHolds(_ path: [UInt8]) -> Bool {
    if matches(path, isFolder: false) || matches(path, isFolder: true) { return true }
    return path.indices.contains {
      path[$0] == UInt8(ascii: "/") && matches(path[..<$0], isFolder: true)
    }
  }
}
