import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// Where one change of a product keeps the files that iapkg did not install: `.iapkg/kept/<product>/<number>`.
struct KeptFolder {
  let product: ProductIdentifier
  let number: Int

  var name: [UInt8] { Array(String(number).utf8) }
}

extension DocumentsFolder {
  /// The first number that no folder for kept files has yet.
  func nextKeptNumber(of product: ProductIdentifier) throws(FileError) -> Int {
    guard let folder = try openFolder(Name.kept, of: product) else { return 1 }
    let numbers = try folder.list().compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    return (numbers.max() ?? 0) + 1
  }

  /// Moves what lies at `paths` in `folder` to where it is kept; the paths are sorted, and each takes along what is
  /// beneath it. They go into the folder `place` in that for the change, or into that itself if `place` is nil.
  func keep(
    _ paths: [EntryPath], of folder: borrowing DirectoryHandle, under place: EntryPath?, in kept: KeptFolder
  ) throws(FileError) {
    guard !paths.isEmpty else { return }
    let top = try open(kept)
    var last: EntryPath?
    for path in paths where last.map({ !path.isBeneath($0) }) ?? true {
      last = path
      let target = place?.appending(path.bytes) ?? path
      try folder.withParent(of: path) { (source) throws(FileError) in
        guard let parent = target.parent else {
          return try source.moveReadOnly(path.name, to: target.name, in: top)
        }
        try source.moveReadOnly(path.name, to: target.name, in: top.makeFolders(at: parent))
      }
    }
    try synchronize(top)
  }

  /// Moves something to where it is kept, as a whole.
  func keepWhole(
    _ name: [UInt8], in folder: borrowing DirectoryHandle, as newName: [UInt8], in kept: KeptFolder
  ) throws(FileError) {
    let top = try open(kept)
    try folder.moveReadOnly(name, to: newName, in: top)
    try synchronize(top)
  }

  /// A name like this one that nothing in the folder for kept files has.
  func freeName(_ name: [UInt8], in kept: KeptFolder) throws(FileError) -> [UInt8] {
    let top = try open(kept)
    var free = name
    var number = 1
    while try top.status(of: free) != nil {
      number += 1
      free = name + Array("-\(number)".utf8)
    }
    return free
  }

  private func open(_ kept: KeptFolder) throws(FileError) -> DirectoryHandle {
    let folder = try makeFolder(Name.kept, of: kept.product)
    let top = try folder.openOrMakeFolder(kept.name)
    try synchronize(folder)
    return top
  }

  /// The paths of all that is kept of a product for the user: the files and links in `.iapkg/kept`, and in the versioned
  /// layout `extra`, which is what lies beside the versions and in them, and need not make room.
  func keptPaths(
    of product: ProductIdentifier, in layout: InstallationLayout, extra: [EntryPath]
  ) throws -> LocatedPaths {
    let kept = try keptFiles(of: product)
    return layout == .flat || extra.isEmpty ? kept : try kept + existing(extra, of: product)
  }

  /// The paths of all files and links in `.iapkg/kept` of a product. It is asked for after a change, when it is too late
  /// to end the work.
  func keptFiles(of product: ProductIdentifier) throws -> LocatedPaths {
    guard let folder = try openFolder(Name.kept, of: product) else { return LocatedPaths() }
    let path = folder.path
    var paths = PathList()
    try FileTree(root: folder).visit(cancellation: Cancellation()) { item in
      if item.status.kind != .folder { paths.append(EntryPath(bytes: item.relativePath)) }
      return .enter
    }
    return LocatedPaths(paths.paths.sorted(), in: path)
  }
}

extension DirectoryHandle {
  /// Opens the folder at `path` beneath this one, and makes what is missing on the way.
  fileprivate func makeFolders(at path: EntryPath) throws(FileError) -> DirectoryHandle {
    var parts = path.parts[...]
    var folder = try openOrMakeFolder(parts.removeFirst())
    for part in parts { folder = try folder.openOrMakeFolder(part) }
    return folder
  }
}
