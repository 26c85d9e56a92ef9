import Support

/// The files that a process reads and writes, and whether it connects to other machines or starts other programs.
///
/// A missing path adds nothing. A rule for a folder applies to everything beneath it.
package struct ProcessAccess: Sendable, Equatable {
  /// A path and the operations allowed on it.
  struct Rule: Sendable, Equatable {
    let path: String
    let operations: FileOperations
  }

  private(set) var rules: [Rule] = []
  /// Whether the process connects to other machines.
  package var connects = false
  /// Whether the process starts other programs.
  package private(set) var startsPrograms = false
  /// Whether the process moves files between folders.
  private(set) var movesFiles = false

  package init() {}

  /// Adds everything that another value allows.
  package mutating func add(_ other: ProcessAccess) {
    rules += other.rules
    connects = connects || other.connects
    startsPrograms = startsPrograms || other.startsPrograms
    movesFiles = movesFiles || other.movesFiles
  }

  /// Allows reading a file, or a folder with everything in it.
  package mutating func read(_ path: String) { add(path, [.readFile, .readFolder]) }

  /// Allows listing the names in a folder.
  package mutating func list(_ path: String) { add(path, .readFolder) }

  /// Allows creating or replacing a file through a temporary file in the same folder. The folder must exist, because
  /// the rule is for the folder.
  package mutating func make(_ path: String) {
    add(FileSystem.folder(of: destination(of: path)), Self.makingFiles)
  }

  /// Allows appending to a file, or creating it if it is missing. If the append fails, the file is truncated.
  package mutating func append(to path: String) {
    if exists(path) { add(path, [.readFile, .writeFile, .truncate]) } else { make(path) }
  }

  /// Allows any change in a folder. If the folder is missing, the rule is for the nearest existing parent.
  ///
  /// With `mayVanish`, the rule is for the parent, because another process may remove the folder, which is then created
  /// again.
  package mutating func change(_ path: String, mayVanish: Bool = false) {
    movesFiles = true
    add(FileSystem.existing(mayVanish ? FileSystem.folder(of: destination(of: path)) : path), Self.changing)
  }

  /// Allows creating a folder. The rule is for its parent, or the nearest existing folder above that.
  package mutating func makeFolder(_ path: String) {
    add(
      FileSystem.existing(FileSystem.folder(of: destination(of: path))),
      Self.makingFiles.union(Self.makingFolders))
    if exists(path) { add(path, Self.makingFiles.union(Self.makingFolders)) }
  }

  /// Allows keeping files in a folder for later runs. If the folder is missing, its parent gets the rule.
  package mutating func keep(_ folder: String) {
    list(FileSystem.folder(of: folder))
    if exists(folder) { add(folder, Self.makingFiles) } else { makeFolder(folder) }
  }

  /// Allows creating temporary files, unnamed or named, in the folder for temporary files.
  package mutating func spool() { add(FileSystem.temporaryFolder, Self.makingFiles) }

  /// Allows reading and executing a program and its files.
  package mutating func execute(_ path: String) {
    startsPrograms = true
    add(path, [.readFile, .readFolder, .execute])
  }

  /// Allows using a device, such as a terminal.
  package mutating func use(device path: String) {
    add(path, [.readFile, .writeFile, .controlDevice])
  }

  private static let makingFiles: FileOperations = [
    .readFile, .readFolder, .writeFile, .truncate, .makeFile, .removeFile,
  ]
  private static let makingFolders: FileOperations = [.makeFolder, .removeFolder, .makeLink]
  /// Moving sockets and pipes, which a user may have put there, requires the rights to create them.
  private static let changing: FileOperations =
    makingFiles.union(makingFolders).union([.moveBetweenFolders, .makeSocket, .makePipe])

  mutating func add(_ path: String, _ operations: FileOperations) {
    rules.append(Rule(path: path, operations: operations))
  }

  /// Returns the path with its links resolved, or unchanged if the item does not exist.
  private func destination(of path: String) -> String { (try? FileSystem.resolved(path)) ?? path }

  private func exists(_ path: String) -> Bool {
    (try? FileSystem.status(of: path, followingLinks: true)) != nil
  }
}
