package import Support
import Synchronization

/// A list of patterns, of which the last match decides.
package final class PatternList: Sendable {
  /// A pattern and its location.
  package struct Entry: Sendable {
    package let pattern: PathPattern
    /// The location of the pattern's text.
    package let location: SettingsLocation
    /// The path of the content folder relative to the folder of the pattern's file; empty if both are the same.
    let prefix: [UInt8]

    package init(_ pattern: PathPattern, at location: SettingsLocation, prefix: [UInt8]) {
      self.pattern = pattern
      self.location = location
      self.prefix = prefix
    }
  }

  /// The entries in ascending precedence.
  package let entries: [Entry]
  /// Flags of the entries that matched an item.
  private let used: Mutex<[Bool]>

  package init(_ entries: [Entry]) {
    self.entries = entries
    used = Mutex(Array(repeating: false, count: entries.count))
  }

  /// Returns the last entry that matches an item of the content folder.
  ///
  /// - Returns: The index of the entry; nil if none matches.
  package func last(matching path: some Collection<UInt8>, isFolder: Bool) -> Int? {
    guard !entries.isEmpty else { return nil }
    var (prefix, fullPath) = ([UInt8](), Array(path))
    var found: Int?
    for (index, entry) in entries.enumerated() {
      if entry.prefix != prefix {
        prefix = entry.prefix
        fullPath = prefix.isEmpty ? Array(path) : prefix + [PatternElement.slash] + path
      }
      guard entry.pattern.matches(fullPath, isFolder: isFolder) else { continue }
      used.withLock { $0[index] = true }
      found = index
    }
    return found
  }

  /// The entries, with a flag for those that have matched an item so far.
  var usage: [(entry: Entry, isUsed: Bool)] {
    used.withLock { used in zip(entries, used).map { (entry: $0, isUsed: $1) } }
  }
}
