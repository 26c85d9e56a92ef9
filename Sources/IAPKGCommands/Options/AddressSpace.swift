#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The address space limit of this process (`ulimit -v`).
enum AddressSpace {
  /// In bytes; nil without a limit.
  static var limit: UInt64? {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
    #else
      let resource = RLIMIT_AS
    #endif
    guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur != rlim_t.max else { return nil }
    return UInt64(limit.rlim_cur)
  }
}
