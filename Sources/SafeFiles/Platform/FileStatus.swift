/// The identity of a file, independent of its name: its device and the inode number on that device.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// The status of a file (`stat`).
package struct FileStatus: Hashable, Sendable {
  /// The kind of an item in a folder.
  package enum Kind: Hashable, Sendable {
    case file, folder, link
    case special(Special)

    /// Any other kind, with its name in messages.
    package enum Special: String, Sendable {
      case fifo, socket
      case characterDevice = "character device"
      case blockDevice = "block device"
      case unknown = "file of an unknown kind"
    }

    /// The name of the kind in messages.
    package var name: String {
      switch self {
      case .file: "regular file"
      case .folder: "folder"
      case .link: "symbolic link"
      case .special(let kind): kind.rawValue
      }
    }
  }

  /// A time with the precision of the file system.
  package struct Time: Hashable, Sendable {
    /// Seconds since 1970-01-01 00:00:00 UTC.
    package let seconds: Int64
    /// 0 to 999,999,999.
    package let nanoseconds: Int32

    package init(seconds: Int64, nanoseconds: Int32) {
      self.seconds = seconds
      self.nanoseconds = nanoseconds
    }
  }

  // The order of the fields minimizes padding, because there is a status for each file of a folder.
  package let kind: Kind
  /// The 12 bits that `chmod` sets.
  package let permissions: UInt16
  /// The user ID of the owner.
  package let owner: UInt32
  /// The size in bytes; for a link, the length of its target.
  package let size: Int64
  package let identity: FileIdentity
  package let modificationTime: Time
  /// The number of the file's hard links.
  package let linkCount: UInt32
  /// The time of the last change of any kind, including names and permissions; it cannot be set.
  package let changeTime: Time

  /// Returns whether the content may have changed since the status `earlier`. True for another file, size or
  /// modification time, and for another change time while permissions, owner and link count are the same.
  package func mayDiffer(from earlier: FileStatus) -> Bool {
    guard isSameFile(as: earlier) else { return true }
    return changeTime != earlier.changeTime && permissions == earlier.permissions && owner == earlier.owner
      && linkCount == earlier.linkCount
  }

  /// Whether this user owns the file and has no permission to write to it.
  package var isOwnedAndReadOnly: Bool { owner == POSIX.effectiveUser && permissions & 0o200 == 0 }

  /// Returns the status with another size.
  package func with(size: Int64) -> FileStatus {
    FileStatus(
      kind: kind, permissions: permissions, owner: owner, size: size, identity: identity,
      modificationTime: modificationTime, linkCount: linkCount, changeTime: changeTime)
  }

  /// Returns whether the file, its size and its modification time are the same; a rename changes none of them.
  package func isSameFile(as earlier: FileStatus) -> Bool {
    identity == earlier.identity && size == earlier.size && modificationTime == earlier.modificationTime
  }
}
