import SystemPackage

/// The streams that a process is given.
package enum StandardStream: CInt, Sendable {
  case output = 1
  case error = 2

  /// Writes all of `bytes`.
  ///
  /// - Returns: false if that failed, unless whoever reads has gone away (`EPIPE`): then nobody misses it.
  package func write(_ bytes: [UInt8]) -> Bool {
    do throws(Errno) {
      try unsafe bytes.span.bytes.withUnsafeBytes { bytes throws(Errno) in
        try unsafe POSIX.writeAll(rawValue, bytes)
      }
      return true
    } catch {
      return error == .brokenPipe
    }
  }

  /// Whether the stream is a terminal.
  package var isTerminal: Bool { Platform.isTerminal(rawValue) }

  /// The columns of the terminal, or nil if it is none.
  package var columns: Int? { Platform.columns(rawValue) }
}

/// What the process was started with.
package enum ProcessEnvironment {
  /// The value of a variable, unless it is unset or empty.
  package static func value(_ name: String) -> String? { POSIX.environment(name) }

  /// Ends the process.
  package static func exit(_ code: CInt) -> Never { POSIX.exit(code) }
}
