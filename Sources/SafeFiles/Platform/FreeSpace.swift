import CLibrary
import SystemPackage

/// The free space that a file system reports.
package struct FreeSpace: Equatable, Sendable {
  /// The free bytes; nil if the file system does not count bytes.
  package let bytes: Int64?
  /// The number of further files and folders; nil if only space limits them.
  package let files: Int64?

  /// Returns the reason why this many bytes, files and folders do not fit; nil if they do, as far as known.
  package func shortage(bytes needed: Int64, files count: Int64) -> String? {
    if let bytes, bytes < needed {
      return "the content needs \(needed) bytes, and the file system has \(bytes) left"
    }
    if let files, files < count {
      return "the content has \(count) files and folders, and the file system has room for \(files)"
    }
    return nil
  }
}

extension POSIX {
  /// Returns the free space on the file system of a descriptor (`fstatvfs`); for the superuser including the reserved
  /// part.
  static func freeSpace(_ descriptor: CInt) throws(Errno) -> FreeSpace {
    var record = statvfs()
    _ = try retrying { unsafe fstatvfs(descriptor, &record) }
    let isSuperuser = effectiveUser == 0
    let blocks = UInt64(isSuperuser ? record.f_bfree : record.f_bavail)
    let (bytes, overflow) = blocks.multipliedReportingOverflow(by: UInt64(record.f_frsize))
    let files = UInt64(isSuperuser ? record.f_ffree : record.f_favail)
    return FreeSpace(
      bytes: record.f_blocks == 0 ? nil : overflow ? .max : Int64(clamping: bytes),
      files: record.f_files == 0 ? nil : Int64(clamping: files))
  }
}
