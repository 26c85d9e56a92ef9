import Support

/// The files that a process reads and writes, and whether it connects to other machines or starts other programs.
///
/// A path that leads nowhere adds nothing. A rule for a folder holds for everything below it.
package struct ProcessAccess: Sendable, Equatable {
  /// A path, and what is done there.
  struct Rule: Sendable, Equatable {
    let path: String
    let operations: FileOperations
  }

  private(set) var rules: [Rule] = []
  /// Whether the process connects to other machines.
  package var connects = false
  /// Whether the process starts other programs.
  package private(set) var startsPrograms = false
  /// Whether files move between folders.
  private(set) var movesFiles = false

  package init() {}

  /// Adds everything that another value has.
  package mutating func add(_ other: ProcessAccess) {
    rules += other.rules
    connects = connects || other.connects
    startsPrograms = startsPrograms || other.startsPrograms
    movesFiles = movesFiles || other.movesFiles
  }

  /// A file, or a folder with everything in it, is read.
  package mutating func read(_ path: String) { add(path, [.readFile, .readFolder]) }

  /// The names in a folder are read.
  package mutating func list(_ path: String) { add(path, .readFolder) }

  /// A file is made, or replaced, by one that is written beside it; the folder must exist, and gets the right.
  package mutating func make(_ path: String) {
    add(FileSystem.folder(of: destination(of: path)), Self.makingFiles)
  }

  /// Something is appended to a file, which is made if it is missing.
  package mutating func append(to path: String) {
    if exists(path) { add(path, [.readFile, .writeFile]) } else { make(path) }
  }

  /// A folder is changed in every way; one that is missing is made, and the nearest folder above it gets the right.
  ///
  /// With `mayVanish`, the same holds for a folder that another process may take away and that is then made again.
  package mutating func change(_ path: String, mayVanish: Bool = false) {
    movesFiles = true
    add(existing(mayVanish ? FileSystem.folder(of: destination(of: path)) : path), Self.changing)
  }

  /// A folder is made, and the folder that it goes into gets the right; the nearest one above that exists if that is missing.
  package mutating func makeFolder(_ path: String) {
    add(existing(FileSystem.folder(of: destination(of: path))), Self.makingFiles.union(Self.makingFolders))
    if exists(path) { add(path, Self.makingFiles.union(Self.makingFolders)) }
  }

  /// A folder of files that are kept for later runs; the folder around it gets the right if it is missing.
  package mutating func keep(_ folder: String) {
    list(FileSystem.folder(of: folder))
    if exists(folder) { add(folder, Self.makingFiles) } else { makeFolder(folder) }
  }

  /// Unnamed files, and those of file systems without any, are made in the folder for temporary files.
  package mutating func spool() { add(FileSystem.temporaryFolder, Self.makingFiles) }

  /// A program and what belongs to it are read and executed.
  package mutating func execute(_ path: String) {
    startsPrograms = true
    add(path, [.readFile, .readFolder, .execute])
  }

  /// A device, such as a terminal, is used.
  package mutating func use(device path: String) {
    add(path, [.readFile, .writeFile, .controlDevice])
  }

  private static let makingFiles: FileOperations = [
    .readFile, .readFolder, .writeFile, .truncate, .makeFile, .removeFile,
  ]
  private static let makingFolders: FileOperations = [.makeFolder, .removeFolder, .makeLink]
  private static let changing: FileOperations =
    makingFiles.union(makingFolders).union(.moveBetweenFolders)

  mutating func add(_ path: String, _ operations: FileOperations) {
    rules.append(Rule(path: path, operations: operations))
  }

  /// The path that a link leads to; any other path as it is.
  private func destination(of path: String) -> String { (try? FileSystem.resolved(path)) ?? path }

  private func exists(_ path: String) -> Bool {
    (try? FileSystem.status(of: path, followingLinks: true)) != nil
  }

  /// The path, or the nearest one above it that exists.
  private func existing(_ path: String) -> String {
    var path = path
    while !exists(path) {
      let above = FileSystem.folder(of: path)
      if above == path { break }
      path = above
    }
    return path
  }
}
