/// The identity of a file, whatever its name: its device and the number on that device.
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

    /// The kind in a message.
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

  // There is a status for each file of a folder, so the order is that in which the fields take the least room.
  package let kind: Kind
  /// The 12 bits that `chmod` sets.
  package let permissions: UInt16
  /// The number of the user who owns the file.
  package let owner: UInt32
  /// Bytes. For a link, the length of its target.
  package let size: Int64
  package let identity: FileIdentity
  package let modificationTime: Time
  /// How many names the file has.
  package let linkCount: UInt32
  /// When anything about the file was last changed, its names and permissions included; nobody can set this time.
  package let changeTime: Time

  /// Whether the file may have another content than when it had the status `earlier`: it is another file, has another
  /// size or modification time, or was changed in a way that neither new permissions nor another number of names
  /// explain.
  package func mayDiffer(from earlier: FileStatus) -> Bool {
    guard isSameFile(as: earlier) else { return true }
    return changeTime != earlier.changeTime && permissions == earlier.permissions && owner == earlier.owner
      && linkCount == earlier.linkCount
  }

  /// Whether the file belongs to this user, who has not the permission to write to it.
  package var isReadOnlyHere: Bool { owner == POSIX.effectiveUser && permissions & 0o200 == 0 }

  /// The status of the same file with another size.
  package func with(size: Int64) -> FileStatus {
    FileStatus(
      kind: kind, permissions: permissions, owner: owner, size: size, identity: identity,
      modificationTime: modificationTime, linkCount: linkCount, changeTime: changeTime)
  }

  /// Whether it is the same file with the same size and modification time; a rename changes none of these.
  package func isSameFile(as earlier: FileStatus) -> Bool {
    identity == earlier.identity && size == earlier.size && modificationTime == earlier.modificationTime
  }
}
