import CLibrary

/// The file `-shm` of an open database, in which SQLite records its checkpoints
/// (https://sqlite.org/walformat.html#the_wal_index_file_format).
final class WALIndex: Sendable {
  /// The progress of the checkpoints, which write changes from the WAL to the main file.
  struct Checkpoints: Equatable {
    /// The salts of the WAL, which change when its frames are overwritten.
    let salts: UInt64
    /// The number of frames that were written to the main file.
    let written: UInt32
    /// The number of frames that a checkpoint began to write.
    let begun: UInt32

    /// Whether a checkpoint runs, or failed.
    var isRunning: Bool { begun > written }
  }

  /// Closing any descriptor of the file would release SQLite's locks on it, so this one lasts as long as the object.
  private let descriptor: CInt

  init?(_ path: String) {
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Returns the current progress; nil if it cannot be read.
  var checkpoints: Checkpoints? {
    var words = [UInt32](repeating: 0, count: 33)
    let size = words.count * MemoryLayout<UInt32>.size
    guard unsafe pread(descriptor, &words, size, 0) == size else { return nil }
    // aSalt, nBackfill and nBackfillAttempted
    return Checkpoints(
      salts: UInt64(words[8]) << 32 | UInt64(words[9]), written: words[24], begun: words[32])
  }
}
