import CLibrary
import SystemPackage

/// A name in a directory, with the kind recorded in the directory itself.
struct FolderEntry {
  let name: [UInt8]
  /// Whether the item is a directory; nil if the file system does not record kinds in directories.
  let isFolder: Bool?
}

extension POSIX {
  /// Returns the items of an open directory except `.` and `..`, in no particular order.
  static func list(_ folder: CInt) throws(Errno) -> [FolderEntry] {
    var entries: [FolderEntry] = []
    try visit(folder) { entry in
      entries.append(entry)
      return true
    }
    return entries
  }

  /// Calls `body` with each item of an open directory except `.` and `..`, in no particular order, until `body` returns
  /// false. The names of a very large directory are never in memory together.
  static func visit(_ folder: CInt, _ body: (FolderEntry) throws(Errno) -> Bool) throws(Errno) {
    let own = try reopen(folder)
    guard let stream = unsafe fdopendir(own.number) else { throw lastErrno }
    own.release()  // the stream closes the descriptor
    defer { unsafe closedir(stream) }
    while true {
      lastErrno = Errno(rawValue: 0)  // the end of the directory leaves errno unchanged
      guard let record = unsafe readdir(stream) else { break }
      let entry = unsafe FolderEntry(record)
      if entry.name != [UInt8(ascii: ".")], entry.name != [UInt8(ascii: "."), UInt8(ascii: ".")] {
        guard try body(entry) else { return }
      }
    }
    let code = lastErrno
    guard code.rawValue == 0 else { throw code }
  }
}

extension FolderEntry {
  /// Reads the record in place: the system allocates only the length of the name, so a copy would read beyond the
  /// record.
  fileprivate init(_ record: UnsafeMutablePointer<dirent>) {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let start = unsafe UnsafeRawPointer(record) + offset
    let count = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
    unsafe name = Array(UnsafeRawBufferPointer(start: start, count: count))
    isFolder =
      switch unsafe CInt(record.pointee.d_type) {
      case CInt(DT_DIR): true
      case CInt(DT_UNKNOWN): nil
      default: false
      }
  }
}
