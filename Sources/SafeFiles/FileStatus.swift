/// Which file it is, whatever its name: the device and the number on it.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// What the file system says about a file (`stat`).
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case file, folder, link
    /// Anything else; the text names it: "fifo", "socket", "character device", "block device".
    case special(String)

    /// The kind in the words of a message.
    package var name: String {
      switch self {
      case .file: "regular file"
      case .folder: "folder"
      case .link: "symbolic link"
      case .special(let name): name
      }
    }
  }

  /// A moment, as the file system keeps it.
  package struct Time: Hashable, Sendable {
    /// Seconds since 1970-01-01 00:00:00 UTC.
    package let seconds: Int64
    /// 0 to 999,999,999.
    package let nanoseconds: Int32
  }

  package let kind: Kind
  /// Bytes; of a link, the length of its target.
  package let size: Int64
  /// The 12 bits that `chmod` sets.
  package let permissions: UInt16
  /// The number of the user that it belongs to.
  package let owner: UInt32
  package let identity: FileIdentity
  package let modificationTime: Time
}
