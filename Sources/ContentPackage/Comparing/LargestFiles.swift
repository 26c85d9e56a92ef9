package import ZipArchive

/// The largest of the files that were added, at most three.
package struct LargestFiles: Sendable, Equatable {
  /// The maximum number of files.
  private static let maximumCount = 3

  private struct File: Equatable {
    let path: EntryPath
    let bytes: Int64
  }

  /// The files, largest first.
  private var files: [File] = []

  /// Creates an empty list.
  package init() {}

  /// Adds a file, unless `maximumCount` other files are larger or `bytes` is not above 0.
  package mutating func add(_ path: EntryPath, _ bytes: Int64) {
    guard bytes > 0, files.count < Self.maximumCount || bytes >= files.last?.bytes ?? 0 else { return }
    let index =
      files.firstIndex { $0.bytes == bytes ? path < $0.path : $0.bytes < bytes } ?? files.endIndex
    files.insert(File(path: path, bytes: bytes), at: index)
    if files.count > Self.maximumCount { files.removeLast() }
  }

  /// Returns the files with their sizes, as in "Contents/a (+12 bytes), Contents/b (+3 bytes)"; safe to print.
  package func text(sign: String = "") -> String {
    files.map { "\($0.path.escaped) (\(sign)\($0.bytes) bytes)" }.joined(separator: ", ")
  }
}
