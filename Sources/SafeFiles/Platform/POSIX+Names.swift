import CLibrary
import Support
import SystemPackage

/// System calls on the entries of a directory, and comparisons of names and bytes.
extension POSIX {
  /// Compares two names by their bytes: negative if `left` sorts before `right`, 0 if both are equal, positive
  /// otherwise.
  static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let common = min(left.count, right.count)
    let difference = unsafe left.withUnsafeBytes { left in
      unsafe right.withUnsafeBytes { right -> CInt in
        guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
        return unsafe memcmp(left, right, common)
      }
    }
    return difference == 0 ? left.count - right.count : Int(difference)
  }

  /// Returns whether two buffers of the same size have the same bytes.
  static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard let start = left.baseAddress, let other = right.baseAddress else { return true }
    return unsafe memcmp(start, other, left.count) == 0
  }

  /// Compares the first `count` bytes of two buffers, which must have that many (memcmp(3)): negative if `left` sorts
  /// before `right`, 0 if both are equal, positive otherwise.
  static func difference(
    of left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, count: Int
  ) -> CInt {
    guard count > 0, let start = left.baseAddress, let other = right.baseAddress else { return 0 }
    return unsafe memcmp(start, other, count)
  }

  static func makeFolder(
    in folder: CInt, _ name: borrowing CName, permissions: UInt16
  ) throws(Errno) {
    _ = try retrying { unsafe mkdirat(folder, name.pointer, mode_t(permissions)) }
  }

  static func makeLink(
    in folder: CInt, _ name: borrowing CName, target: borrowing CName
  ) throws(Errno) {
    _ = try retrying { unsafe symlinkat(target.pointer, folder, name.pointer) }
  }

  /// Creates a hard link to a file (linkat(2)). The new name must not exist.
  static func makeHardLink(
    in folder: CInt, _ name: borrowing CName, for existing: borrowing CName
  ) throws(Errno) {
    _ = try retrying { unsafe linkat(folder, existing.pointer, folder, name.pointer, 0) }
  }

  static func readLink(in folder: CInt, _ name: borrowing CName) throws(Errno) -> [UInt8] {
    var capacity = 256
    while true {
      let target = try readLink(in: folder, name, capacity: capacity)
      if target.count < capacity { return target }  // otherwise it may be truncated
      capacity *= 4
    }
  }

  private static func readLink(
    in folder: CInt, _ name: borrowing CName, capacity: Int
  ) throws(Errno) -> [UInt8] {
    try unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) {
      buffer throws(Errno) -> [UInt8] in
      guard let start = buffer.baseAddress else { throw .noMemory }
      let count = try retrying { unsafe readlinkat(folder, name.pointer, start, capacity) }
      return unsafe buffer[..<count].map { UInt8(bitPattern: $0) }
    }
  }

  /// Removes an item that is not a directory, or with `isFolder` an empty directory.
  static func remove(
    in folder: CInt, _ name: borrowing CName, isFolder: Bool = false
  ) throws(Errno) {
    _ = try retrying { unsafe unlinkat(folder, name.pointer, isFolder ? AT_REMOVEDIR : 0) }
  }
}
