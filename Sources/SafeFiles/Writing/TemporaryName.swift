import Support
import SystemPackage

/// The name of an unfinished file. The file is removed unless it is published.
struct TemporaryName: ~Copyable {
  private let folder: Descriptor
  private var name: [UInt8]
  private var needsCleanup = false
  /// A second descriptor of the file, locked while the file has this name, so that other processes do not remove the
  /// file as abandoned.
  private var lock: Descriptor?

  init(folder: consuming Descriptor, name: [UInt8]) {
    self.folder = folder
    self.name = name
  }

  deinit {
    if needsCleanup {
      Self.remove(name, in: folder)
      PendingCleanup.end()
    }
  }

  /// Creates the file, open for reading and writing, with the permissions that the umask leaves.
  mutating func create(permissions: UInt16) throws(Errno) -> Descriptor {
    let number = folder.number
    PendingCleanup.begin()
    do throws(Errno) {
      while true {
        let file = try withEntryName(name) { name throws(Errno) in
          try POSIX.openEntry(
            in: number, name, POSIX.creationFlags | POSIX.readWrite, permissions: permissions)
        }
        do throws(Errno) {
          lock = try POSIX.duplicate(file.number)
          // Another process may have removed the file as abandoned before this lock. Not every file system has locks.
          let isLocked = (try? POSIX.tryLock(file.number)) ?? true
          guard isLocked, try POSIX.status(of: file.number).linkCount > 0 else {
            name = name.dropLast(Self.numberLength) + Self.randomNumber()
            continue
          }
        } catch {
          Self.remove(name, in: folder)
          throw error
        }
        needsCleanup = true
        return file
      }
    } catch {
      PendingCleanup.end()
      throw error
    }
  }

  /// Gives the file its final name.
  ///
  /// - Throws: `.fileExists` unless `replacing`, and the errors of a rename.
  mutating func publish(as final: [UInt8], replacing: Bool) throws(Errno) {
    let number = folder.number
    let keepsTemporaryName = try withEntryName(name) { name throws(Errno) -> Bool in
      try withEntryName(final) { final throws(Errno) -> Bool in
        do throws(Errno) {
          try Platform.rename(number, name, number, final, replacing ? .replace : .noReplace)
          return false
        } catch {
          guard !replacing, POSIX.isUnsupported(error) else { throw error }
          return try Self.publishWithoutFlag(name, as: final, in: number)
        }
      }
    }
    release(removing: keepsTemporaryName)
  }

  /// Replaces the file `final`, if its status is still `original`.
  ///
  /// The two files are exchanged, and the displaced one is checked again: a file that another process put there
  /// meanwhile is restored. If the file system cannot exchange files, the last check is right before the rename.
  ///
  /// - Parameters:
  ///   - final: The name of the other file.
  ///   - original: The expected status of that file.
  /// - Returns: The result; the caller owns the temporary name after an exchange.
  /// - Throws: The errors of a rename.
  mutating func publish(
    as final: [UInt8], inPlaceOf original: FileStatus
  ) throws(Errno) -> Placement {
    let number = folder.number
    let isOriginal = try Self.status(of: final, in: folder).map { !$0.mayDiffer(from: original) }
    guard isOriginal == true else { return .refused }
    guard let ours = try Self.status(of: name, in: folder) else { return .refused }
    guard try exchange(with: final) else {
      try withEntryName(name) { name throws(Errno) in
        try withEntryName(final) { final throws(Errno) in
          try Platform.rename(number, name, number, final, .replace)
        }
      }
      release(removing: false)
      return .renamed
    }
    do throws(Errno) {
      if let displaced = try Self.status(of: name, in: folder), displaced.isSameFile(as: original) {
        // The file with the temporary name still needs cleanup.
        needsCleanup = false
        lock = nil
        return .exchanged(temporary: name, new: ours)
      }
      _ = try exchange(with: final)
      // Another process may own the item that has the temporary name now.
      if try Self.status(of: name, in: folder)?.identity != ours.identity { release(removing: false) }
    } catch {
      // The displaced file may have the temporary name.
      release(removing: false)
      throw error
    }
    return .refused
  }

  /// The result of a placement.
  enum Placement {
    /// Another process has changed the file, and nothing was placed.
    case refused
    /// The original is lost, because the file system cannot exchange files.
    case renamed
    /// The original has the temporary name now; `new` is the status of the placed file.
    case exchanged(temporary: [UInt8], new: FileStatus)
  }

  /// Exchanges the file with `final`.
  ///
  /// - Returns: False if the file system cannot exchange files.
  private func exchange(with final: [UInt8]) throws(Errno) -> Bool {
    let number = folder.number
    return try withEntryName(name) { name throws(Errno) in
      try withEntryName(final) { final throws(Errno) in
        do throws(Errno) {
          try Platform.rename(number, name, number, final, .exchange)
          return true
        } catch .invalidArgument, .noFunction, .notSupported {
          return false
        }
      }
    }
  }

  private static func status(of name: [UInt8], in folder: borrowing Descriptor) throws(Errno) -> FileStatus? {
    let number = folder.number
    return try withEntryName(name) { name throws(Errno) in
      do throws(Errno) { return try POSIX.status(in: number, name) } catch .noSuchFileOrDirectory {
        return nil
      }
    }
  }

  /// Publishes the file on a file system without exclusive renames. A hard link never replaces a file. Without hard
  /// links (FAT, exFAT, NTFS through FUSE) the name is checked first, so only a file created in the same instant can be
  /// lost.
  ///
  /// - Returns: Whether the file still has its temporary name too.
  /// - Throws: `.fileExists`, and the errors of a rename.
  private static func publishWithoutFlag(
    _ name: borrowing CName, as final: borrowing CName, in folder: CInt
  ) throws(Errno) -> Bool {
    do throws(Errno) {
      try POSIX.makeHardLink(in: folder, final, for: name)
      return true
    } catch {
      // link(2): EPERM means that the file system has no hard links.
      guard POSIX.isUnsupported(error) || error == .notPermitted else { throw error }
    }
    do throws(Errno) {
      _ = try POSIX.status(in: folder, final)
    } catch .noSuchFileOrDirectory {
      try Platform.rename(folder, name, folder, final, .replace)
      return false
    }
    throw .fileExists
  }

  /// Writes the names in the folder to stable storage.
  func synchronizeFolder() throws(Errno) { try Platform.synchronize(folder.number) }

  /// Removes the published name `final` again.
  func withdraw(_ final: [UInt8]) { Self.remove(final, in: folder) }

  /// Gives up the temporary name, which no longer needs cleanup.
  private mutating func release(removing: Bool) {
    if removing { Self.remove(name, in: folder) }
    needsCleanup = false
    lock = nil
    PendingCleanup.end()
  }

  /// Removes the files of killed processes from a folder: unlocked files whose names `isTemporary` accepts.
  static func removeAbandoned(in folder: borrowing Descriptor, where isTemporary: ([UInt8]) -> Bool) {
    let number = folder.number
    var found: [[UInt8]] = []
    // Errors are ignored; leftover files do no harm.
    try? POSIX.visit(number) { entry in
      if isTemporary(entry.name) { found.append(entry.name) }
      return true
    }
    for name in found {
      try? withEntryName(name) { name throws(Errno) in
        let file = try POSIX.openEntry(in: number, name, POSIX.readWrite)
        guard try POSIX.status(of: file.number).kind == .file, try POSIX.tryLock(file.number) else { return }
        try POSIX.remove(in: number, name)
      }
    }
  }

  private static func remove(_ name: [UInt8], in folder: borrowing Descriptor) {
    let number = folder.number
    // Errors are ignored; nothing can be done here, and the file does no harm.
    try? withEntryName(name) { name throws(Errno) in try POSIX.remove(in: number, name) }
  }
}

// MARK: - Names

extension TemporaryName {
  /// Returns a hidden, unique, temporary name for an item that will be named `name`. If a kill or power cut leaves the
  /// item behind, its name indicates its origin.
  static func temporaryName(for name: [UInt8]) -> [UInt8] {
    temporaryPrefix(for: name) + randomNumber()
  }

  private static func randomNumber() -> [UInt8] {
    Array(String(UInt64.random(in: .min ... .max), radix: 16, width: numberLength).utf8)
  }

  static func isTemporaryName(_ other: [UInt8], for name: [UInt8]) -> Bool {
    let prefix = temporaryPrefix(for: name)
    return other.count == prefix.count + numberLength && other.starts(with: prefix)
  }

  /// The part before the random number.
  private static func temporaryPrefix(for name: [UInt8]) -> [UInt8] {
    let mark = Array(".iapkg-".utf8)
    return Array(".".utf8) + name.prefix(maximumNameLength - 1 - mark.count - numberLength) + mark
  }

  /// The number of hexadecimal digits of a 64-bit number.
  private static let numberLength = 16
}
