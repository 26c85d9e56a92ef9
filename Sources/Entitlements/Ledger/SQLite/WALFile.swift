import CLibrary

/// The file `-wal` of an open database (https://sqlite.org/fileformat2.html#walformat).
final class WALFile: Sendable {
  let path: String
  private let descriptor: CInt

  init?(_ path: String) {
    self.path = path
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Returns whether the file has the frames that the index lists. SQLite writes frames before it lists them, and removes
  /// them from the list before it shortens the file.
  func hasFrames(of index: WALIndex) -> Bool {
    guard let frames = index.frames, frames.count > 0 else { return true }
    var salts: [UInt32] = [0, 0]
    let size = salts.count * MemoryLayout<UInt32>.size
    let isRead = unsafe pread(descriptor, &salts, size, 16) == size
    let hasAll = lseek(descriptor, 0, SEEK_END) >= frames.minimumWALSize
    let isSame = isRead && UInt64(salts[0]) << 32 | UInt64(salts[1]) == frames.salts
    // If the index has changed, SQLite may have begun to overwrite the frames after the first read of the index.
    return hasAll && isSame || index.frames != frames
  }
}
