import CLibrary
import Support

/// Settings of the whole process.
enum ServerProcess {
  /// Turns writes to closed connections and beyond the file size limit into errors instead of signals. Raises the limit
  /// of open files as far as the system permits. Must be called once, at the start.
  ///
  /// - Throws: `CommandFailure` with `.unavailable` if the system permits too few open files.
  static func prepare() throws(CommandFailure) {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    guard let granted = Platform.raiseDescriptorLimit(to: maximumDescriptorCount) else { return }
    guard granted >= minimumDescriptorCount else {
      throw CommandFailure(
        .unavailable,
        "the system grants \(granted) open files, expected at least \(minimumDescriptorCount); see ulimit -n")
    }
  }

  /// Checks that threads can be started safely (`Platform.canObserveThreads`).
  ///
  /// - Throws: `CommandFailure` with `.unavailable` if `/proc/self/task` cannot be read.
  static func checkThreads() throws(CommandFailure) {
    guard Platform.canObserveThreads else {
      throw CommandFailure(
        .unavailable,
        "/proc/self/task cannot be read, which every command needs; mount /proc (mount -t proc proc /proc)")
    }
  }

  /// The network event loops need some descriptors, and crash the process if they get none.
  private static let minimumDescriptorCount = 64
  private static let maximumDescriptorCount = 65_536

  /// The maximum number of connections, with room for the descriptors of files and the database.
  static var maximumConnectionCount: Int {
    max(16, (Int(clamping: sysconf(Int32(_SC_OPEN_MAX))) - 64) / 2)
  }
}
