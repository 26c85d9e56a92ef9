import SafeFiles
import Support
import ZipArchive

/// Paths in a few folders, each of which is told in full and safe to print.
///
/// A path becomes a text only when it is accessed: there may be a hundred thousand.
public struct LocatedPaths: RandomAccessCollection, Equatable, Sendable {
  private struct Part: Equatable {
    let folder: String
    let paths: [EntryPath]
    /// The index after its last.
    let end: Int
  }

  private var parts: [Part] = []

  init() {}

  /// - Parameters:
  ///   - paths: where something lies in `folder`.
  ///   - folder: the folder, safe to print.
  init(_ paths: [EntryPath], in folder: String) {
    parts = paths.isEmpty ? [] : [Part(folder: folder, paths: paths, end: paths.count)]
  }

  public var startIndex: Int { 0 }

  public var endIndex: Int { parts.last?.end ?? 0 }

  public subscript(position: Int) -> String {
    let part = parts[parts.partitioningIndex { $0.end <= position }]
    return FileSystem.joined(part.folder, part.paths[position - (part.end - part.paths.count)].escaped)
  }

  static func + (left: LocatedPaths, right: LocatedPaths) -> LocatedPaths {
    var sum = left
    for part in right.parts {
      sum.parts.append(Part(folder: part.folder, paths: part.paths, end: sum.endIndex + part.paths.count))
    }
    return sum
  }
}
