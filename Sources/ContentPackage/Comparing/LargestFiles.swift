package import ZipArchive

/// The few largest of some files.
package struct LargestFiles: Sendable, Equatable {
  /// The maximum number of files.
  private static let maximumCount = 3

  private struct File: Equatable {
    let path: EntryPath
    let bytes: Int64
  }

  /// Largest first.
  private var files: [File] = []

  package init() {}

  /// Adds a file, unless `maximumCount` others are larger.
  package mutating func add(_ path: EntryPath, _ bytes: Int64) {
    guard bytes > 0, files.count < Self.maximumCount || bytes >= files.last?.bytes ?? 0 else { return }
    let index =
      files.firstIndex { $0.bytes == bytes ? path < $0.path : $0.bytes < bytes } ?? files.endIndex
    files.insert(File(path: path, bytes: bytes), at: index)
    if files.count > Self.maximumCount { files.removeLast() }
  }

  /// Returns the files with their sizes: "Contents/a (+12 bytes), Contents/b (+3 bytes)"; safe to print.
  package func text(sign: String = "") -> String {
    files.map { "\($0.path.escaped) (\(sign)\($0.bytes) bytes)" }.joined(separator: ", ")
  }
}
