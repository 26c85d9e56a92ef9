import Support
import SystemPackage

/// The name of an unfinished file. The file is removed unless it is published.
struct TemporaryName: ~Copyable {
  private let folder: Descriptor
  private let name: [UInt8]
  private var isOurs = false
  /// The file once more, locked as long as it has this name, so that others see that somebody works on it.
  private var lock: Descriptor?
  /// How far the last placement came.
  private var failure = PlacementFailure.notPlaced

  init(folder: consuming Descriptor, name: [UInt8]) {
    self.folder = folder
    self.name = name
  }

  deinit {
    if isOurs {
      Self.remove(name, in: folder)
      PendingCleanup.end()
    }
  }

  /// Makes the file.
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
          // Before it was locked, somebody may have taken it for abandoned. Not every file system has locks.
          let isLocked = (try? POSIX.tryLock(file.number)) ?? true
          guard isLocked, try POSIX.status(of: file.number).linkCount > 0 else { continue }
        } catch {
          Self.remove(name, in: folder)
          throw error
        }
        isOurs = true
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
    let isNameLeft = try withEntryName(name) { name throws(Errno) -> Bool in
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
    release(removing: isNameLeft)
  }

  /// Gives the file the name of another, if that is still what it was at `original`.
  ///
  /// The two are exchanged, and what has come out is looked at again: whatever somebody put in its place until then is
  /// put back. Where the file system cannot exchange, the last look is right before the rename.
  ///
  /// - Parameters:
  ///   - final: the name of the other file.
  ///   - original: what that file was.
  ///   - isDurable: whether the folder is synchronized. Where that fails after an exchange, the original gets its name
  ///     back.
  /// - Returns: whether it has the name now; if not, everything is as it was.
  /// - Throws: `PlacementError`.
  mutating func publish(
    as final: [UInt8], inPlaceOf original: FileStatus, isDurable: Bool
  ) throws(PlacementError) -> Bool {
    do throws(Errno) {
      return try place(as: final, inPlaceOf: original, isDurable: isDurable)
    } catch {
      throw PlacementError(errno: error, state: failure)
    }
  }

  /// How far a placement came that failed.
  enum PlacementFailure {
    /// Everything is as it was.
    case notPlaced
    /// Everything is as it was, since the folder could not be synchronized.
    case takenBack
    /// The file is in its place, and the folder could not be synchronized.
    case placed
  }

  /// The reason why a file did not safely take the place of another.
  struct PlacementError: Error {
    let errno: Errno
    let state: PlacementFailure
  }

  private mutating func place(
    as final: [UInt8], inPlaceOf original: FileStatus, isDurable: Bool
  ) throws(Errno) -> Bool {
    let number = folder.number
    let isOriginal = try Self.status(of: final, in: folder).map { !$0.mayDiffer(from: original) }
    guard isOriginal == true else { return false }
    guard let ours = try Self.status(of: name, in: folder) else { return false }
    guard try exchange(with: final) else {
      try withEntryName(name) { name throws(Errno) in
        try withEntryName(final) { final throws(Errno) in
          try Platform.rename(number, name, number, final, .replace)
        }
      }
      release(removing: false)
      failure = .placed
      if isDurable { try synchronizeFolder() }
      return true
    }
    if let displaced = try Self.status(of: name, in: folder), displaced.isSameFile(as: original) {
      if isDurable {
        do throws(Errno) { try synchronizeFolder() } catch {
          failure = .placed
          guard try exchange(with: final) else { throw error }
          failure = .takenBack
          throw error
        }
      }
      release(removing: true)
      return true
    }
    _ = try exchange(with: final)
    // Whatever has the name by now may not be ours.
    if try Self.status(of: name, in: folder)?.identity != ours.identity { release(removing: false) }
    return false
  }

  /// Exchanges the file with the one called `final`.
  ///
  /// - Returns: false if the file system cannot do that.
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

  /// Gives the file its name where the file system cannot refuse to replace another: a second name takes nobody's
  /// place, and where there are no second names (FAT, exFAT, NTFS through FUSE) the place is looked at before, so that
  /// only somebody who takes it in the same instant loses what he puts there.
  ///
  /// - Returns: whether the file still has its temporary name too.
  /// - Throws: `.fileExists`, and whatever a rename throws.
  private static func publishWithoutFlag(
    _ name: borrowing CName, as final: borrowing CName, in folder: CInt
  ) throws(Errno) -> Bool {
    do throws(Errno) {
      try POSIX.makeName(in: folder, final, for: name)
      return true
    } catch {
      // link(2): EPERM is for a file system that has no hard links.
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

  /// Makes the names in the folder durable.
  func synchronizeFolder() throws(Errno) { try Platform.synchronize(folder.number) }

  /// Removes the published name `final` again.
  func withdraw(_ final: [UInt8]) { Self.remove(final, in: folder) }

  /// Gives up the temporary name, which nothing has to take away any more.
  private mutating func release(removing: Bool) {
    if removing { Self.remove(name, in: folder) }
    isOurs = false
    lock = nil
    PendingCleanup.end()
  }

  /// Removes the files in a folder that processes have left which were killed while they wrote: those whose names
  /// `isTemporary` accepts, and that nobody has locked.
  static func removeAbandoned(in folder: borrowing Descriptor, where isTemporary: ([UInt8]) -> Bool) {
    let number = folder.number
    var found: [[UInt8]] = []
    // Nobody need hear of it if they cannot be removed; they do no harm.
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
    // Nobody could do anything about an error here, and the file does no harm.
    try? withEntryName(name) { name throws(Errno) in try POSIX.remove(in: number, name) }
  }
}

// MARK: - Names

extension TemporaryName {
  /// A hidden unique name for what becomes `name`, which explains itself if a kill or a power cut leaves the item behind.
  static func temporaryName(for name: [UInt8]) -> [UInt8] {
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    return temporaryPrefix(for: name) + String(repeating: "0", count: numberLength - number.count).utf8
      + number.utf8
  }

  static func isTemporaryName(_ other: [UInt8], for name: [UInt8]) -> Bool {
    let prefix = temporaryPrefix(for: name)
    return other.count == prefix.count + numberLength && other.starts(with: prefix)
  }

  /// What stands before the number.
  private static func temporaryPrefix(for name: [UInt8]) -> [UInt8] {
    let mark = Array(".iapkg-".utf8)
    return Array(".".utf8) + name.prefix(maximumNameLength - 1 - mark.count - numberLength) + mark
  }

  /// The hexadecimal digits of a number of 64 bits.
  private static let numberLength = 16
}
