import Support
import Synchronization

/// Patterns of which the last that matches a path decides.
package final class PatternList: Sendable {
  /// A pattern, and where it stands.
  package struct Entry: Sendable {
    package let pattern: PathPattern
    /// Where it is written.
    package let place: SettingsPlace
    /// The path of the content folder from the folder of the pattern's file, or nothing where both are one.
    let prefix: [UInt8]

    package init(_ pattern: PathPattern, at place: SettingsPlace, prefix: [UInt8]) {
      self.pattern = pattern
      self.place = place
      self.prefix = prefix
    }
  }

  package let entries: [Entry]
  /// Which of them matched something.
  private let used: Mutex<[Bool]>

  package init(_ entries: [Entry]) {
    self.entries = entries
    used = Mutex(Array(repeating: false, count: entries.count))
  }

  /// The last entry that matches an item of the content folder.
  ///
  /// - Returns: its place in the list; nil if none does.
  package func last(matching path: some Collection<UInt8>, isFolder: Bool) -> Int? {
    guard !entries.isEmpty else { return nil }
    let own = PathPattern.names(of: path)
    var (prefix, names) = ([UInt8](), own)
    var found: Int?
    for (number, entry) in entries.enumerated() {
      if entry.prefix != prefix {
        prefix = entry.prefix
        names = PathPattern.names(of: prefix) + own
      }
      guard entry.pattern.matches(names: names, isFolder: isFolder) else { continue }
      used.withLock { $0[number] = true }
      found = number
    }
    return found
  }

  /// Which of them have matched something so far.
  var usage: [(entry: Entry, isUsed: Bool)] {
    used.withLock { used in zip(entries, used).map { (entry: $0, isUsed: $1) } }
  }
}
