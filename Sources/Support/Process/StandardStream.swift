import SystemPackage

/// The standard streams of a process.
package enum StandardStream: CInt, Sendable {
  case input = 0
  case output = 1
  case error = 2

  /// Writes all of `bytes`.
  ///
  /// - Returns: False on an error, but true if the reader has closed the pipe (EPIPE).
  package func write(_ bytes: [UInt8]) -> Bool {
    do {
      try FileDescriptor(rawValue: rawValue).writeAll(bytes)
      return true
    } catch {
      return error as? Errno == .brokenPipe
    }
  }

  /// Occupies closed standard streams, so that no file opened later gets one of their numbers and receives messages.
  /// Must be called once, before any file is opened.
  package static func reserve() { Platform.reserveStandardStreams() }

  /// Whether the stream is a terminal.
  package var isTerminal: Bool { Platform.isTerminal(rawValue) }

  /// The number of columns of the terminal; nil if the stream is not a terminal or does not report the number.
  package var columns: Int? { Platform.columns(rawValue) }
}
