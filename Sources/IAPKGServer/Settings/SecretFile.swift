import SafeFiles

/// The permissions that a file with a secret may have.
enum SecretFile {
  /// Whether only the user may read the file. A file of root may also be readable by a group, as a secret that is mounted
  /// into a container is.
  static func isPrivate(permissions: UInt16, owner: UInt32, user: UInt32) -> Bool {
    let isMounted = owner == 0 && user != 0
    return permissions & (isMounted ? 0o037 : 0o077) == 0
  }

  static func isPrivate(_ status: FileStatus) -> Bool {
    isPrivate(permissions: status.permissions, owner: status.owner, user: FileSystem.effectiveUser)
  }
}
