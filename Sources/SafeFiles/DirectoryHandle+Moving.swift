import SystemPackage

extension DirectoryHandle {
  /// Moves as `move(_:to:in:)`, also out of a folder and of a folder itself that this user has made read-only; both keep
  /// their permissions.
  ///
  /// - Throws: `FileError` with operation `rename`.
  package func moveReadOnly(
    _ old: some Collection<UInt8>, to new: some Collection<UInt8>, in other: borrowing DirectoryHandle
  ) throws(FileError) {
    do throws(FileError) { return try move(old, to: new, in: other) } catch {
      // A folder that moves gets another parent, which is a write to it.
      guard error.errno == .permissionDenied, let moved = try status(of: old) else { throw error }
      let holder = try status()
      let isFolderReadOnly = moved.kind == .folder && moved.isReadOnlyHere
      guard holder.isReadOnlyHere || isFolderReadOnly else { throw error }
      // What was moved is where it belongs, whatever becomes of permissions.
      defer { if holder.isReadOnlyHere { try? setPermissions(holder.permissions) } }
      if holder.isReadOnlyHere { try setPermissions(holder.permissions | 0o700) }
      if isFolderReadOnly { try setPermissions(moved.permissions | 0o700, of: old) }
      do throws(FileError) { try move(old, to: new, in: other) } catch {
        if isFolderReadOnly { try? setPermissions(moved.permissions, of: old) }
        throw error
      }
      if isFolderReadOnly { try? other.setPermissions(moved.permissions, of: new) }
    }
  }

  private func setPermissions(_ permissions: UInt16, of name: some Collection<UInt8>) throws(FileError) {
    try call(.rename, name) { folder, name throws(Errno) in
      try POSIX.setPermissions(permissions, in: folder, name)
    }
  }
}
