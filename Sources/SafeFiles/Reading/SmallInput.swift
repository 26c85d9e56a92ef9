import CLibrary
package import Support
import SystemPackage

/// A short input that may be a file or a pipe, such as a token, a key or `/dev/stdin`.
package enum SmallInput {
  /// The maximum time until a cancellation is noticed, in milliseconds.
  private static let interval: CInt = 50

  /// Reads all bytes of a file or pipe, following links.
  ///
  /// - Returns: The bytes; nil if there are more than `limit`.
  /// - Throws: `FileError` with operation `open` or `read`; `.canceled` for cancelled work.
  package static func read(
    _ path: String, atMost limit: Int, cancellation: Cancellation
  ) throws(FileError) -> [UInt8]? {
    let descriptor = try attempt(.open, path) { () throws(Errno) in
      try withCName(path.utf8) { name throws(Errno) in try POSIX.openPath(name, POSIX.readingFlags) }
    }
    let number = descriptor.number
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count <= limit {
      if cancellation.isCancelled { throw FileError(.read, path, .canceled) }
      // A pipe without a writer yet is not at its end.
      var state = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&state, 1, interval) > 0 else { continue }
      let read: Int
      do throws(Errno) {
        read = try bytes.withMutableBytes { bytes throws(Errno) in
          try unsafe bytes.withUnsafeMutableBytes { buffer throws(Errno) in
            try unsafe POSIX.read(number, into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
          }
        }
      } catch {
        if error == .resourceTemporarilyUnavailable { continue }
        throw FileError(error == .isDirectory ? .open : .read, path, error)
      }
      guard read > 0 else { return Array(bytes.prefix(count)) }
      count += read
    }
    return nil
  }
}
