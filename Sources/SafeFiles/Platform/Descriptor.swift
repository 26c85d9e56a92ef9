import SystemPackage

/// The owner of an open file descriptor, which is closed at the end of the value's lifetime.
struct Descriptor: ~Copyable, Sendable {
  let number: CInt

  init(owning number: CInt) { self.number = number }

  deinit { POSIX.closeQuietly(number) }

  /// Gives up ownership without closing the descriptor. The holder of its number must close it.
  consuming func release() { discard self }

  /// Closes the descriptor and throws the error, because network file systems may report write errors only then.
  consuming func close() throws(Errno) {
    let number = number
    discard self
    try POSIX.closeReporting(number)
  }
}
