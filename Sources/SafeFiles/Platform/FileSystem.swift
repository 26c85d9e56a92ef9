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

  /// Whether the path leads to `/dev/null`, with which users turn an optional file off.
  package static func isNullDevice(_ path: String) -> Bool {
    guard let status = try? Self.status(of: path, followingLinks: true),
      let null = try? Self.status(of: "/dev/null", followingLinks: true)
    else { return false }
    return status.identity == null.identity
  }

  /// Whether the permissions allow this process to read the item at `path`, apart from a sandbox.
  package static func mayRead(_ path: String) -> Bool {
    (try? withCName(path.utf8) { path throws(Errno) in POSIX.mayRead(path) }) ?? false
  }

  /// Whether one of these users owns the item at `path`, without following a link; false if it is missing.
  package static func isOwned(_ path: String, byOneOf users: [UInt32]) -> Bool {
    guard let status = try? Self.status(of: path, followingLinks: false) else { return false }
    return users.contains(status.owner)
  }

  /// Returns the path of an item in a directory.
  package static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
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

  /// The folder for large temporary files: `TMPDIR`, or else a folder that is not kept in memory (hier(7)), if the
  /// machine has one.
  package static var temporaryFolder: String {
    if let chosen = ProcessEnvironment.value("TMPDIR") { return chosen }
    return ["/var/tmp", "/tmp"].first { (try? kind(of: $0)) == .folder } ?? "."
  }
}
