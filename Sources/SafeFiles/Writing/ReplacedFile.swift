import Support

/// The previous content of a replaced file. It has a temporary name until this value is released, which removes it.
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

  /// Puts the previous file back, unless another process has changed the new one.
  ///
  /// - Returns: Whether the previous file is back.
  /// - Throws: `FileError`, also if another process has removed the previous file.
  package func restore() throws(FileError) -> Bool {
    let folder = try DirectoryHandle.open(folder)
    try folder.rename(temporary, to: name, in: folder, mode: .exchange)
    if let displaced = try folder.status(of: temporary), displaced.isSameFile(as: new) {
      try? folder.synchronize()  // even if a power cut may undo it, the previous file is back
      return true
    }
    try folder.rename(temporary, to: name, in: folder, mode: .exchange)
    return false
  }
}
