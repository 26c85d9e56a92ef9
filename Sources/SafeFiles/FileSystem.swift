import SystemPackage

/// Questions about whole paths, which are the user's own and may lead through links.
package enum FileSystem {
  /// What stands at `path`, or nil if nothing does.
  ///
  /// - Throws: `FileFailure` with operation `inspect`.
  package static func status(
    of path: String, followingLinks: Bool
  ) throws(FileFailure) -> FileStatus? {
    try attempt(.inspect, path) { () throws(Errno) in
      try POSIX.statusIfAny(of: path, followingLinks: followingLinks)
    }
  }

  /// The path of something in a folder.
  package static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// The number of the user whose rights the process has.
  package static var effectiveUser: UInt32 { POSIX.effectiveUser }

  /// The folder for large temporary files: `TMPDIR`, or the one that is not kept in memory (hier(7)).
  package static var temporaryFolder: String { POSIX.environment("TMPDIR") ?? "/var/tmp" }
}
