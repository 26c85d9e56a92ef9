import CLibrary

/// The number of further files that this process can open.
package enum DescriptorRoom {
  /// Limits from this value on are treated as unlimited.
  private static let plenty = 1_024

  /// The number of free descriptors, at most 1,024.
  package static var count: Int {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    guard (0..<plenty).contains(limit) else { return plenty }
    return (0..<CInt(limit)).count { fcntl($0, F_GETFD) == -1 }
  }
}
