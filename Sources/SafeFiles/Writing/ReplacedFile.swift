import Support

/// The previous version of a replaced file. It has a temporary name, and is removed when this value is released.
package final class ReplacedFile: Sendable {
  private let folder: String
  private let name: [UInt8]
  private let temporary: [UInt8]
  /// The status of the file that replaced it.
  private let new: FileStatus

  /// Takes over the cleanup of the temporary name.
  init(folder: String, name: [UInt8], temporary: [UInt8], new: FileStatus) {
    self.folder = folder
    self.name = name
    self.temporary = temporary
    self.new = new
  }

  deinit {
    // Errors are ignored; a later run removes the file.
    try? DirectoryHandle.open(folder).remove(temporary)
    PendingCleanup.end()
  }

  /// Restores the previous file, unless another process has changed the new file.
  ///
  /// - Returns: Whether the previous file was restored.
  /// - Throws: `FileError` with operation `open`, `rename` or `inspect`, also if another process has removed the
  ///   previous file.
  package func restore() throws(FileError) -> Bool {
    let folder = try DirectoryHandle.open(folder)
    try folder.rename(temporary, to: name, in: folder, mode: .exchange)
    if let displaced = try folder.status(of: temporary), displaced.isSameFile(as: new) {
      try? folder.synchronize()  // an error does not undo the exchange
      return true
    }
    try folder.rename(temporary, to: name, in: folder, mode: .exchange)
    return false
  }
}
