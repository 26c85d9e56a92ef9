import SystemPackage

/// The owner of an open file descriptor; closes it when it goes.
struct Descriptor: ~Copyable, Sendable {
  let number: CInt

  init(owning number: CInt) { self.number = number }

  deinit { POSIX.closeQuietly(number) }

  /// Leaves the descriptor open, for whoever has its number to close.
  consuming func release() { discard self }

  /// Closes and says how that went: file systems on a network report failed writes only here.
  consuming func close() throws(Errno) {
    let number = number
    discard self
    try POSIX.closeReporting(number)
  }
}
