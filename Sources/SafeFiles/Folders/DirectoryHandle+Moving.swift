import SystemPackage

extension DirectoryHandle {
  /// Moves an item like `move(_:to:in:)`, even if the source folder or a moved folder belongs to this user and is
  /// read-only. Permissions are kept.
  ///
  /// - Throws: `FileError` with operation `rename`; with `inspect` or `write` if permissions cannot be read or changed.
  package func moveReadOnly(
    _ old: some Collection<UInt8>, to new: some Collection<UInt8>, in other: borrowing DirectoryHandle
  ) throws(FileError) {
    do throws(FileError) { return try move(old, to: new, in: other) } catch {
      // Moving a folder changes its parent entry, which requires write permission on it.
      guard error.errno == .permissionDenied, let item = try status(of: old) else { throw error }
      let sourceFolder = try status()
      let isFolderReadOnly = item.kind == .folder && item.isOwnedAndReadOnly
      guard sourceFolder.isOwnedAndReadOnly || isFolderReadOnly else { throw error }
      // Restoring permissions must not turn a successful move into an error.
      defer { if sourceFolder.isOwnedAndReadOnly { try? setPermissions(sourceFolder.permissions) } }
      if sourceFolder.isOwnedAndReadOnly { try setPermissions(sourceFolder.permissions | 0o700) }
      if isFolderReadOnly { try setPermissions(item.permissions | 0o700, of: old) }
      do throws(FileError) { try move(old, to: new, in: other) } catch {
        if isFolderReadOnly { try? setPermissions(item.permissions, of: old) }
        throw error
      }
      if isFolderReadOnly { try? other.setPermissions(item.permissions, of: new) }
    }
  }

  private func setPermissions(_ permissions: UInt16, of name: some Collection<UInt8>) throws(FileError) {
    try call(.rename, name) { folder, name throws(Errno) in
      try POSIX.setPermissions(permissions, in: folder, name)
    }
  }
}
