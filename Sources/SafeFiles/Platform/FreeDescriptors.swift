import CLibrary

/// The number of further files that this process can open.
package enum FreeDescriptors {
  /// Limits from this value on are treated as unlimited.
  private static let maximumCount = 1_024

  /// The number of free descriptors, at most 1,024.
  package static var count: Int {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    guard (0..<maximumCount).contains(limit) else { return maximumCount }
    return (0..<CInt(limit)).count { fcntl($0, F_GETFD) == -1 }
  }
}
