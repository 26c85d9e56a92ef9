import Synchronization
import SystemPackage

/// Open descriptors that `release` makes available for other files.
package final class DescriptorReserve: Sendable {
  private struct ReservedDescriptors: ~Copyable {
    let first: Descriptor
    let second: Descriptor
    let third: Descriptor
  }

  private let descriptors: Mutex<ReservedDescriptors?>

  fileprivate init(_ folder: CInt) throws(Errno) {
    let first = try POSIX.reopen(folder)
    let second = try POSIX.reopen(folder)
    let third = try POSIX.reopen(folder)
    descriptors = Mutex(ReservedDescriptors(first: first, second: second, third: third))
  }

  /// Closes the descriptors.
  package func release() { descriptors.withLock { $0 = nil } }
}

extension DirectoryHandle {
  /// Reserves as many descriptors as the deletion of a tree needs: a folder, its directory stream, and the next folder
  /// beneath it.
  ///
  /// - Throws: `FileError` with operation `open`; `.tooManyOpenFiles`.
  package func reserveDescriptors() throws(FileError) -> DescriptorReserve {
    let number = descriptor.number
    return try attempt(.open, path) { () throws(Errno) in try DescriptorReserve(number) }
  }
}
