import ZipArchive

/// The paths that two asset packs share. All packs of an app make up one tree of files, so a path must not belong to
/// files of two packs, or to a file of one pack and a folder of another.
struct SharedPaths {
  /// Two packs that share paths.
  struct Pair {
    let index: Int
    /// The index of the earlier pack.
    let other: Int
    /// The first shared path.
    let path: EntryPath
    /// The number of shared paths.
    let count: Int
  }

  /// The pairs, sorted by their indices.
  let pairs: [Pair]

  /// Finds the paths that packs share.
  ///
  /// - Parameters:
  ///   - packs: The paths of the files of each pack.
  ///   - canShareDevice: Whether the packs with these indices can be on one device.
  init(_ packs: [[EntryPath]], where canShareDevice: (Int, Int) -> Bool) {
    var files: [String: [Int]] = [:]
    var folders: [String: [Int]] = [:]
    var shared: [Int: [Int: (path: EntryPath, count: Int)]] = [:]
    for (index, paths) in packs.enumerated() {
      var ownFolders: Set<String> = []
      func note(_ path: EntryPath, _ others: [Int]) {
        for other in others where other != index && canShareDevice(index, other) {
          let known = shared[index, default: [:]][other]
          shared[index, default: [:]][other] = (known?.path ?? path, (known?.count ?? 0) + 1)
        }
      }
      for path in paths.sorted() {
        let folded = Self.folded(path)
        note(path, files[folded, default: []])
        note(path, folders[folded, default: []])
        files[folded, default: []].append(index)
        var parent = path.parent
        while let folder = parent, case let folded = Self.folded(folder), ownFolders.insert(folded).inserted {
          note(folder, files[folded, default: []])
          parent = folder.parent
        }
      }
      for folder in ownFolders { folders[folder, default: []].append(index) }
    }
    pairs = shared.sorted { $0.key < $1.key }.flatMap { index, others in
      others.sorted { $0.key < $1.key }.map { other, found in
        Pair(index: index, other: other, path: found.path, count: found.count)
      }
    }
  }

  /// Returns the form for comparisons: most Apple file systems ignore case.
  static func folded(_ path: EntryPath) -> String { path.escaped.lowercased() }
}
