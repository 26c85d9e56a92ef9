import SafeFiles
import Support
import ZipArchive

/// Full paths, safe to print, in a few folders.
///
/// Each text is built on access, because there may be a hundred thousand paths.
public struct LocatedPaths: RandomAccessCollection, Equatable, Sendable {
  private struct Part: Equatable {
    let folder: String
    let paths: [EntryPath]
    /// The index after the part's last path.
    let end: Int
  }

  private var parts: [Part] = []

  init() {}

  /// Creates a list of paths in one folder.
  ///
  /// - Parameters:
  ///   - paths: The paths relative to `folder`.
  ///   - folder: The folder, safe to print.
  init(_ paths: [EntryPath], in folder: String) {
    parts = paths.isEmpty ? [] : [Part(folder: folder, paths: paths, end: paths.count)]
  }

  public var startIndex: Int { 0 }

  public var endIndex: Int { parts.last?.end ?? 0 }

  public subscript(position: Int) -> String {
    let part = parts[parts.partitioningIndex { $0.end <= position }]
    return FileSystem.joined(part.folder, part.paths[position - (part.end - part.paths.count)].escaped)
  }

  /// Returns the paths that `isIncluded` accepts by their folder and their path in it.
  func filtered(_ isIncluded: (String, EntryPath) -> Bool) -> LocatedPaths {
    parts.reduce(LocatedPaths()) { sum, part in
      sum + LocatedPaths(part.paths.filter { isIncluded(part.folder, $0) }, in: part.folder)
    }
  }

  static func + (left: LocatedPaths, right: LocatedPaths) -> LocatedPaths {
    var sum = left
    for part in right.parts {
      sum.parts.append(Part(folder: part.folder, paths: part.paths, end: sum.endIndex + part.paths.count))
    }
    return sum
  }
}
