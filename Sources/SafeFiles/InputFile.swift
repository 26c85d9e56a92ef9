import SystemPackage

/// An open regular file that is read at any position; several threads may share it. Closes when it goes.
package final class InputFile: ByteSource {
  /// The path that it was opened by, for messages.
  package let path: String
  /// The bytes it had when it was opened.
  package let byteCount: Int64
  package let identity: FileIdentity
  /// When it was last written, as of when it was opened.
  package let modificationTime: FileStatus.Time
  let descriptor: Descriptor

  init(owning descriptor: consuming Descriptor, path: String, status: FileStatus) {
    self.descriptor = descriptor
    self.path = path
    byteCount = status.size
    identity = status.identity
    modificationTime = status.modificationTime
  }

  /// Whether the file's size or time is no longer what it was when it was opened.
  ///
  /// - Throws: `FileFailure` with operation `inspect`.
  package func hasChanged() throws(FileFailure) -> Bool {
    let now = try attempt(.inspect, path) { () throws(Errno) in try POSIX.status(of: descriptor.number) }
    return now.size != byteCount || now.modificationTime != modificationTime
  }

  /// Opens the file at `path`, following links.
  ///
  /// - Throws: `FileFailure` with operation `open`; a folder gives `.isDirectory`, a fifo, socket or device
  ///   `.notSupported`.
  package static func open(_ path: String) throws(FileFailure) -> InputFile {
    let descriptor = try attempt(.open, path) { () throws(Errno) in
      try withCName(path.utf8) { name throws(Errno) in try POSIX.openPath(name, POSIX.readingFlags) }
    }
    return try InputFile.checked(descriptor, path: path)
  }

  /// Takes over what was opened, if it is a regular file.
  static func checked(_ descriptor: consuming Descriptor, path: String) throws(FileFailure) -> InputFile {
    let number = descriptor.number
    let status = try attempt(.open, path) { () throws(Errno) in try POSIX.status(of: number) }
    guard status.kind == .file else {
      throw FileFailure(
        .open, path, status.kind == .folder ? .isDirectory : .notSupported,
        detail: "it is a \(status.kind.name), not a regular file")
    }
    return InputFile(owning: descriptor, path: path, status: status)
  }

  package func read(at offset: Int64, into buffer: inout MutableRawSpan) throws(FileFailure) -> Int {
    guard offset >= 0, offset <= Int64.max - Int64(buffer.byteCount) else { return 0 }
    do throws(Errno) {
      return try unsafe buffer.withUnsafeMutableBytes { bytes throws(Errno) in
        try unsafe POSIX.readFully(descriptor.number, at: offset, into: bytes)
      }
    } catch {
      throw FileFailure(.read, path, error)
    }
  }
}
