import CLibrary
import SafeFiles
import Synchronization
import SystemPackage

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

    /// Whether a checkpoint is running or has failed.
    var isRunning: Bool { begun > written }
  }

  /// The frames of the WAL that its readers see.
  struct Frames: Equatable {
    /// The salts in the header of the WAL.
    let salts: UInt64
    let count: UInt32
    let pageSize: Int

    /// The minimum size of the WAL in bytes: its header, and the header and page of each frame.
    var minimumWALSize: Int64 { 32 + Int64(count) * Int64(24 + pageSize) }
  }

  /// The indexes of this process. All ledgers share the one descriptor of a file, which stays open until the file is
  /// deleted: closing any descriptor of a file releases the locks that SQLite has on the file in this process.
  private static let indexes = Mutex<[FileIdentity: WALIndex]>([:])

  private let descriptor: CInt

  /// Returns the index at a path; nil if it cannot be opened.
  static func shared(at path: String) -> WALIndex? {
    indexes.withLock { indexes in
      indexes = indexes.filter { !$0.value.isDeleted }
      guard let identity = (try? FileSystem.status(of: path, followingLinks: true))?.identity else {
        return nil
      }
      if let index = indexes[identity] { return index }
      let index = WALIndex(path)
      indexes[identity] = index
      return index
    }
  }

  private init?(_ path: String) {
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Whether the file has no name, so that no other process can open it.
  private var isDeleted: Bool {
    guard let status = try? Stat(FileDescriptor(rawValue: descriptor)) else { return false }
    return status.linkCount == 0
  }

  /// The current progress; nil if it cannot be read.
  var checkpoints: Checkpoints? {
    // aSalt, nBackfill and nBackfillAttempted
    words().map { Checkpoints(salts: Self.salts($0), written: $0[24], begun: $0[32]) }
  }

  /// The current frames; nil if they cannot be read.
  var frames: Frames? {
    words().map { words in
      // szPage, where 1 stands for 64 KiB, and mxFrame
      let size = Int(words[3].littleEndian >> 16)
      return Frames(salts: Self.salts(words), count: words[4], pageSize: size & 0xFE00 | (size & 1) << 16)
    }
  }

  private static func salts(_ words: [UInt32]) -> UInt64 { UInt64(words[8]) << 32 | UInt64(words[9]) }

  private func words() -> [UInt32]? {
    var words = [UInt32](repeating: 0, count: 33)
    let size = words.count * MemoryLayout<UInt32>.size
    guard unsafe pread(descriptor, &words, size, 0) == size else { return nil }
    return words
  }
}
