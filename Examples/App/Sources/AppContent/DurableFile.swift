import Foundation

/// Files that are written completely and durably.
enum DurableFile {
  /// Replaces a file atomically: a crash leaves the old or the new one.
  static func write(_ data: Data, to file: URL) throws {
    let folder = file.deletingLastPathComponent()
    let temporary = folder.appendingPathComponent(".\(file.lastPathComponent).new")
    // Only the owner may read the account's secrets.
    let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DurableFileError(path: temporary.path, code: errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.write(contentsOf: data)
    try handle.synchronize()
    try handle.close()
    guard rename(temporary.path, file.path) == 0 else {
      throw DurableFileError(path: file.path, code: errno)
    }
    try synchronize(folder)
  }

  /// Removes a file durably.
  static func remove(_ file: URL) throws {
    try FileManager.default.removeItem(at: file)
    try synchronize(file.deletingLastPathComponent())
  }

  /// Writes the names in a folder to disk.
  private static func synchronize(_ folder: URL) throws {
    let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw DurableFileError(path: folder.path, code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw DurableFileError(path: folder.path, code: errno) }
  }
}

/// The system failed to write a file.
struct DurableFileError: Error, CustomStringConvertible {
  let path: String
  let code: Int32

  var description: String { "\(path) cannot be written: \(String(cString: strerror(code)))" }
}
