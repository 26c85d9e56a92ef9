import Support
import SystemPackage

/// Functions on whole paths. The user chose these paths, so links in them are followed.
package enum FileSystem {
  /// Returns the status of the item at `path`, or nil if there is none.
  ///
  /// - Throws: `FileError` with operation `inspect`.
  package static func status(
    of path: String, followingLinks: Bool
  ) throws(FileError) -> FileStatus? {
    try attempt(.inspect, path) { () throws(Errno) in
      try POSIX.statusIfAny(of: path, followingLinks: followingLinks)
    }
  }

  /// Returns whether the path leads to `/dev/null`, which users pass to disable an optional file.
  package static func isNullDevice(_ path: String) -> Bool {
    guard let status = try? Self.status(of: path, followingLinks: true),
      let null = try? Self.status(of: "/dev/null", followingLinks: true)
    else { return false }
    return status.identity == null.identity
  }

  /// Returns whether the permissions allow this process to read the item at `path`, regardless of a sandbox.
  package static func mayRead(_ path: String) -> Bool {
    (try? withCName(path.utf8) { path throws(Errno) in POSIX.mayRead(path) }) ?? false
  }

  /// Returns whether one of these users owns the item at `path`, without following a link; false if it is missing.
  package static func isOwned(_ path: String, byOneOf users: [UInt32]) -> Bool {
    guard let status = try? Self.status(of: path, followingLinks: false) else { return false }
    return users.contains(status.owner)
  }

  /// Returns the path of an item in a directory.
  package static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// Returns whether a resolved path is that of a resolved folder, or of an item in it. Bytes are compared: as text, names
  /// in another Unicode form would be equal.
  package static func isPath(_ path: String, in folder: String) -> Bool {
    joined(path, "").utf8.starts(with: joined(folder, "").utf8)
  }

  /// Returns whether a path leads to a regular file that its owner, its group or others may execute; false if the file
  /// cannot be inspected.
  package static func isProgram(_ path: String) -> Bool {
    guard let status = try? status(of: path, followingLinks: true) else { return false }
    return status.kind == .file && status.permissions & 0o111 != 0
  }

  /// Returns the absolute path of an existing item, without links (realpath(3)).
  ///
  /// - Throws: `FileError` with operation `open`.
  package static func resolved(_ path: String) throws(FileError) -> String {
    try attempt(.open, path) { () throws(Errno) in
      try withCName(path.utf8) { path throws(Errno) in try POSIX.resolve(path) }
    }
  }

  /// The user ID whose permissions the process has.
  package static var effectiveUser: UInt32 { POSIX.effectiveUser }

  /// The folder for large temporary files: `TMPDIR`, or else `/var/tmp`, which is usually on a disk
  /// (file-hierarchy(7)), or else `/tmp`, or else the current folder.
  package static var temporaryFolder: String {
    if let chosen = ProcessEnvironment.value("TMPDIR") { return chosen }
    return ["/var/tmp", "/tmp"].first { (try? kind(of: $0)) == .folder } ?? "."
  }
}
