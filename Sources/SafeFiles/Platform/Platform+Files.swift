// The differences between systems in files; Support's `Platform.swift` covers threads, terminals and signals. The Linux
// branches are tested. The Darwin branches follow Apple's manual pages and are untested.

import CLibrary
import Support
import SystemPackage

#if !canImport(Darwin)
import CLinux
#endif

/// The error of the last system call, valid until the next call.
var lastErrno: Errno {
  get { Errno(rawValue: errno) }
  set { errno = newValue.rawValue }
}

/// The treatment of an existing item with the new name in a rename.
package enum RenameMode: Sendable {
  /// Throws `.fileExists`.
  case noReplace
  /// Exchanges the two items; throws `.noSuchFileOrDirectory` if one is missing.
  case exchange
  /// Replaces the item.
  case replace
}

extension Platform {
  /// Returns whether a file system may report permissions that were never set, because the file system does not record
  /// any (`fstatfs`). True for the file systems of Windows, optical discs, network drives, and FUSE mounts.
  static func mayLackPermissions(_ folder: CInt) -> Bool {
    #if canImport(Darwin)
    var status = statfs()
    guard unsafe fstatfs(folder, &status) == 0 else { return false }
    let name = unsafe withUnsafeBytes(of: status.f_fstypename) { Array($0.prefix { $0 != 0 }) }
    return ["msdos", "exfat", "ntfs", "smbfs", "cd9660", "udf"].contains(
      String(decoding: name, as: UTF8.self))
    #else
    var status = [CLong](repeating: 0, count: 32)
    guard unsafe fstatfs(folder, &status) == 0 else { return false }
    return permissionlessTypes.contains(UInt32(truncatingIfNeeded: status[0]))
    #endif
  }

  /// The magic numbers from <linux/magic.h> and the sources of the file systems: MSDOS_SUPER_MAGIC (vfat too),
  /// EXFAT_SUPER_MAGIC, FUSE_SUPER_MAGIC, NTFS_SB_MAGIC, that of ntfs3, CIFS_SUPER_MAGIC, SMB2_SUPER_MAGIC,
  /// ISOFS_SUPER_MAGIC, UDF_SUPER_MAGIC.
  private static let permissionlessTypes: Set<UInt32> = [
    0x4D44, 0x2011_BAB0, 0x6573_5546, 0x5346_544E, 0x7366_746E, 0xFF53_4D42, 0xFE53_4D42, 0x9660, 0x1501_3346,
  ]
}

extension Platform {
  /// Renames an item with `renameat2` (Linux) or `renameatx_np` (Darwin).
  static func rename(
    _ oldFolder: CInt, _ oldName: borrowing CName, _ newFolder: CInt, _ newName: borrowing CName,
    _ mode: RenameMode
  ) throws(Errno) {
    #if canImport(Darwin)
    let flags =
      switch mode {
      case .noReplace: UInt32(RENAME_EXCL)
      case .exchange: UInt32(RENAME_SWAP)
      case .replace: UInt32(0)
      }
    _ = try POSIX.retrying {
      unsafe renameatx_np(oldFolder, oldName.pointer, newFolder, newName.pointer, flags)
    }
    #else
    // rename(2): RENAME_NOREPLACE is 1, RENAME_EXCHANGE is 2. Plain renameat works on every file system.
    let flags: CUnsignedInt? =
      switch mode {
      case .noReplace: 1
      case .exchange: 2
      case .replace: nil
      }
    _ = try POSIX.retrying {
      if let flags {
        unsafe renameat2(oldFolder, oldName.pointer, newFolder, newName.pointer, flags)
      } else {
        unsafe renameat(oldFolder, oldName.pointer, newFolder, newName.pointer)
      }
    }
    #endif
  }

  /// Writes a file or directory to stable storage. After an error, a retry would succeed without writing the lost data.
  static func synchronize(_ descriptor: CInt) throws(Errno) {
    #if canImport(Darwin)
    // fsync leaves the data in the drive's cache. File systems without F_FULLFSYNC support only fsync.
    do throws(Errno) {
      _ = try POSIX.retrying { fcntl(descriptor, F_FULLFSYNC) }
    } catch .notSupported, .invalidArgument {
      _ = try POSIX.retrying { fsync(descriptor) }
    }
    #else
    _ = try POSIX.retrying { fsync(descriptor) }
    #endif
  }

  /// Writes the whole file system of `descriptor` to stable storage.
  static func synchronizeFileSystem(_ descriptor: CInt) throws(Errno) {
    #if canImport(Darwin)
    sync()
    try synchronize(descriptor)
    #else
    _ = try POSIX.retrying { syncfs(descriptor) }
    #endif
  }

  /// Whether `excludeFromBackup` has an effect.
  static var hasBackupMark: Bool {
    #if canImport(Darwin)
    return true
    #else
    return false
    #endif
  }

  /// Marks a directory as excluded from backups.
  static func excludeFromBackup(_ descriptor: CInt) throws(Errno) {
    #if canImport(Darwin)
    // The attribute that NSURLIsExcludedFromBackupKey sets. Its value is the binary property list of a string.
    let name = "com.apple.metadata:com_apple_backup_excludeItem"
    let value: [UInt8] =
      Array("bplist00_".utf8) + [0x10, 0x11] + Array("com.apple.backupd".utf8)
      + [0x08, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1]
      + [UInt8](repeating: 0, count: 15) + [0x1C]
    _ = try POSIX.retrying {
      unsafe value.withUnsafeBytes { unsafe fsetxattr(descriptor, name, $0.baseAddress, $0.count, 0, 0) }
    }
    #else
    throw .notSupported
    #endif
  }

  /// Lets the kernel copy up to `count` bytes at `offset` of `source` to the position of `target`.
  ///
  /// - Returns: The number of bytes copied, or nil if the kernel cannot copy and the caller must read and write.
  static func copyRange(
    from source: CInt, at offset: Int64, to target: CInt, count: Int
  ) throws(Errno) -> Int? {
    #if canImport(Darwin)
    return nil
    #else
    var position = off_t(offset)
    do throws(Errno) {
      return try POSIX.retrying { unsafe copy_file_range(source, &position, target, nil, count, 0) }
    } catch {
      switch error {
      case .improperLink, .invalidArgument, .noFunction, .notSupported, .badFileDescriptor,
        .notPermitted, .textFileBusy:
        return nil
      default: throw error
      }
    }
    #endif
  }

  /// Creates a file that shares the blocks of another until one of them is written to (FICLONE on Linux,
  /// `fclonefileat` on Darwin).
  ///
  /// - Returns: The new file, open for writing; nil if the file system cannot clone, in which case nothing was created.
  static func cloneFile(
    _ source: CInt, to folder: CInt, _ name: borrowing CName, permissions: UInt16
  ) throws(Errno) -> Descriptor? {
    #if canImport(Darwin)
    do throws(Errno) {
      _ = try POSIX.retrying { unsafe fclonefileat(source, folder, name.pointer, 0) }
    } catch {
      guard isNoClone(error) else { throw error }
      return nil
    }
    do throws(Errno) { return try POSIX.openEntry(in: folder, name, POSIX.writeOnly) } catch {
      try? POSIX.remove(in: folder, name)  // the error means that nothing was created
      throw error
    }
    #else
    let clone: UInt = 0x4004_9409  // linux/fs.h: FICLONE
    let made = try POSIX.openEntry(
      in: folder, name, POSIX.creationFlags | POSIX.writeOnly, permissions: permissions)
    do throws(Errno) {
      _ = try POSIX.retrying { ioctl(made.number, clone, source) }
      return made
    } catch {
      guard isNoClone(error) else {
        try? POSIX.remove(in: folder, name)  // the error means that nothing was created
        throw error
      }
      try POSIX.remove(in: folder, name)
      return nil
    }
    #endif
  }

  /// Returns whether an error means that these two files cannot share blocks.
  private static func isNoClone(_ error: Errno) -> Bool {
    switch error {
    case .improperLink, .notSupported, .invalidArgument, .noFunction, .inappropriateIOCTLForDevice,
      .notPermitted, .badFileDescriptor, .textFileBusy:
      true
    default: false
    }
  }

  /// Opens an unnamed file in `folder`, or returns nil if the file system does not support it (O_TMPFILE).
  static func openUnnamed(in folder: borrowing CName) throws(Errno) -> Descriptor? {
    #if canImport(Darwin)
    return nil
    #else
    let temporaryFile: CInt = 0o20000000 | O_DIRECTORY  // asm-generic/fcntl.h: __O_TMPFILE | O_DIRECTORY
    do throws(Errno) {
      return try POSIX.openPath(folder, temporaryFile | O_RDWR, permissions: 0o600)
    } catch {
      switch error {
      case .notSupported, .isDirectory, .invalidArgument: return nil
      default: throw error
      }
    }
    #endif
  }
}

extension Platform {
  /// The version of the Landlock interface (landlock_create_ruleset(2)); 0 if the system has none.
  static var landlockVersion: Int {
    #if canImport(Darwin)
    return 0
    #else
    return max(0, Int(iapkg_landlock_version()))
    #endif
  }

  /// Creates a ruleset that denies these operations (landlock_create_ruleset(2)).
  static func makeRuleset(_ denied: LandlockOperations) throws(Errno) -> Descriptor {
    #if canImport(Darwin)
    throw .noFunction
    #else
    return Descriptor(
      owning: try POSIX.retrying {
        iapkg_landlock_create(denied.files.rawValue, denied.network, denied.scopes)
      })
    #endif
  }

  /// Allows operations on a file, or on a folder and everything beneath it (landlock_add_rule(2)).
  static func allow(_ operations: FileOperations, on file: CInt, in ruleset: CInt) throws(Errno) {
    #if canImport(Darwin)
    throw .noFunction
    #else
    _ = try POSIX.retrying { iapkg_landlock_allow(ruleset, file, operations.rawValue) }
    #endif
  }

  /// Restricts this thread and those that it starts later (prctl(2), landlock_restrict_self(2)).
  static func restrict(to ruleset: CInt) throws(Errno) {
    #if canImport(Darwin)
    throw .noFunction
    #else
    _ = try POSIX.retrying { iapkg_set_no_new_privileges() }
    _ = try POSIX.retrying { iapkg_landlock_restrict(ruleset) }
    #endif
  }

  /// Opens an item only as a reference, which needs no read permission (O_PATH).
  static func openToName(_ path: borrowing CName) throws(Errno) -> Descriptor {
    #if canImport(Darwin)
    try POSIX.openPath(path, POSIX.readingFlags)
    #else
    try POSIX.openPath(path, pathOnly)
    #endif
  }

  #if !canImport(Darwin)
  /// asm-generic/fcntl.h: O_PATH.
  private static let pathOnly: CInt = 0o10000000
  #endif
}
