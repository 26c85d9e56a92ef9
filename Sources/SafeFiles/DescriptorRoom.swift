#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// How many more files this process may have open.
package enum DescriptorRoom {
  /// Where the limit is this high nobody comes near it.
  private static let plenty = 1_024

  /// The number of descriptors that are free; at most `plenty` are counted.
  package static var count: Int {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    guard (0..<plenty).contains(limit) else { return plenty }
    return (0..<CInt(limit)).count { fcntl($0, F_GETFD) == -1 }
  }
}
