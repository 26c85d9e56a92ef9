import SystemPackage

/// The owner of an open file descriptor, which it closes when it ends.
struct Descriptor: ~Copyable, Sendable {
  let number: CInt

  init(owning number: CInt) { self.number = number }

  deinit { POSIX.closeQuietly(number) }

  /// Gives up the descriptor without closing it. Whoever has its number must close it.
  consuming func release() { discard self }

  /// Closes the descriptor and throws the error of doing so, since network file systems report write errors
  /// only then.
  consuming func close() throws(Errno) {
    let number = number
    discard self
    try POSIX.closeReporting(number)
  }
}
