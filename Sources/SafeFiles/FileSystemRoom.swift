import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// How much may still be put on a file system, as far as it tells.
package struct FileSystemRoom: Equatable, Sendable {
  /// Nil where the file system does not count bytes.
  package let bytes: Int64?
  /// How many files and folders; nil where there is no limit but space.
  package let files: Int64?

  /// Why so many bytes of content, and so many files and folders, do not fit; nil if they do, as far as is known.
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
  /// The room for us on the file system of a descriptor (`fstatvfs`); the superuser may use what is reserved.
  static func room(_ descriptor: CInt) throws(Errno) -> FileSystemRoom {
    var record = statvfs()
    _ = try retrying { unsafe fstatvfs(descriptor, &record) }
    let isSuperuser = effectiveUser == 0
    let blocks = UInt64(isSuperuser ? record.f_bfree : record.f_bavail)
    let (bytes, overflow) = blocks.multipliedReportingOverflow(by: UInt64(record.f_frsize))
    let files = UInt64(isSuperuser ? record.f_ffree : record.f_favail)
    return FileSystemRoom(
      bytes: record.f_blocks == 0 ? nil : overflow ? .max : Int64(clamping: bytes),
      files: record.f_files == 0 ? nil : Int64(clamping: files))
  }
}
