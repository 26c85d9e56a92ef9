#if canImport(Darwin)
  import Darwin  // untested
#elseif canImport(Musl)
  import Musl  // untested
#else
  import Glibc
#endif

/// Settings of the whole process.
enum ServerProcess {
  /// Turns writes to closed connections into errors, and raises the limit of open files as far as the system permits.
  /// Must be called once, at the start.
  ///
  /// - Throws: `CommandFailure` with `.unavailable` if the system grants too few files.
  static func prepare() throws(CommandFailure) {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard unsafe getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, maximumDescriptorCount)
    unsafe setrlimit(resource, &limit)
    guard limit.rlim_cur >= minimumDescriptorCount else {
      throw CommandFailure(
        .unavailable,
        "the system grants \(limit.rlim_cur) open files, expected at least \(minimumDescriptorCount); see ulimit -n"
      )
    }
  }

  /// The network event loops need some descriptors, and crash the process if they get none.
  private static let minimumDescriptorCount: rlim_t = 64
  private static let maximumDescriptorCount: rlim_t = 65_536

  /// The maximum number of connections, with room for the descriptors of files and the database.
  static var connectionRoom: Int {
    max(16, (Int(clamping: sysconf(Int32(_SC_OPEN_MAX))) - 64) / 2)
  }
}
