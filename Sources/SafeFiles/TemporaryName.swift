import SystemPackage

/// The name of an unfinished file; removes it unless it was published.
struct TemporaryName: ~Copyable {
  private let folder: Descriptor
  private let name: [UInt8]
  private var isOurs = false

  init(folder: consuming Descriptor, name: [UInt8]) {
    self.folder = folder
    self.name = name
  }

  deinit {
    if isOurs { Self.remove(name, in: folder) }
  }

  /// Makes the file.
  mutating func create(permissions: UInt16) throws(Errno) -> Descriptor {
    let number = folder.number
    let file = try withEntryName(name) { name throws(Errno) in
      try POSIX.openEntry(
        in: number, name, POSIX.creationFlags | POSIX.readWrite, permissions: permissions)
    }
    isOurs = true
    return file
  }

  /// Gives the file its final name.
  ///
  /// - Throws: `.fileExists` unless `replacing`, and whatever a rename throws.
  mutating func publish(as final: [UInt8], replacing: Bool) throws(Errno) {
    let number = folder.number
    isOurs = try withEntryName(name) { name throws(Errno) -> Bool in
      try withEntryName(final) { final throws(Errno) -> Bool in
        do throws(Errno) {
          try Platform.rename(number, name, number, final, replacing ? .replace : .noReplace)
          return false
        } catch {
          guard !replacing, error == .invalidArgument || error == .noFunction || error == .notSupported else {
            throw error
          }
          // A file system without the flag; a second name cannot take another's place either.
          try POSIX.makeName(in: number, final, for: name)
          return true
        }
      }
    }
    removeOwnName()
  }

  /// Makes the names in the folder durable.
  func synchronizeFolder() throws(Errno) { try Platform.synchronize(folder.number) }

  /// Takes back what was published under `final`.
  func withdraw(_ final: [UInt8]) { Self.remove(final, in: folder) }

  private mutating func removeOwnName() {
    if isOurs { Self.remove(name, in: folder) }
    isOurs = false
  }

  private static func remove(_ name: [UInt8], in folder: borrowing Descriptor) {
    let number = folder.number
    // There is nobody left to tell, and the file does no harm.
    try? withEntryName(name) { name throws(Errno) in try POSIX.remove(in: number, name) }
  }
}
