#if canImport(Darwin)
  import Darwin  // untested
#elseif canImport(Musl)
  import Musl  // untested
#else
  import Glibc
#endif

/// What belongs to the process as a whole.
enum ServerProcess {
  /// Makes a closed connection an error of the write, and lets the process have as many connections as the system
  /// grants it. Call it once, at the start.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard unsafe getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, mostDescriptors)
    unsafe setrlimit(resource, &limit)
  }

  private static let mostDescriptors: rlim_t = 65_536

  /// How many connections there may be beside the descriptors that files and the database need.
  static var connectionRoom: Int {
    max(16, (Int(clamping: sysconf(Int32(_SC_OPEN_MAX))) - 64) / 2)
  }
}
