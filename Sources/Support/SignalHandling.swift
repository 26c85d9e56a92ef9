#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// How the process handles signals.
package enum SignalHandling {
  /// The signal thread needs little stack.
  private static let stackSize = 256 << 10

  /// How long the work may take to end by itself before the process ends without it, if nothing is left behind.
  private static let grace = Duration.milliseconds(60)
  /// How long it is until the process looks again whether it still has something to take away.
  private static let interval = Duration.milliseconds(10)

  /// Signals that come closer together than this are one wish to end: timeout(1) of GNU signals the process and then
  /// the group that it belongs to. Nobody presses Ctrl-C twice in so short a time.
  private static let together = Duration.milliseconds(40)

  /// How long transfers may take to close their connections before the process stops.
  private static let disconnecting = Duration.seconds(1)

  /// From now on a closed pipe (SIGPIPE) or a file size limit (SIGXFSZ) becomes an error of the write.
  package static func ignoreFailedWrites() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// From now on SIGINT, SIGTERM and SIGHUP cancel `cancellation`, and SIGTSTP (Ctrl-Z) makes `pauseRequest` and then
  /// stops the process; SIGCONT, on which it goes on, takes the request back.
  ///
  /// Work that has nothing to take away and does not end by itself is ended all the same: it may wait for a
  /// reader of its output or for a slow disk. The process says that it was interrupted if the work has not. A second
  /// signal, unless it comes together with the first, ends the process at once.
  ///
  /// Call it once, before other threads exist, because they inherit the set of blocked signals. A signal that
  /// the parent process has set to be ignored (`nohup`, a background job of a shell) remains ignored.
  package static func install(cancelling cancellation: Cancellation, pausing pauseRequest: PauseRequest) {
    var awaited = sigset_t()
    unsafe sigemptyset(&awaited)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGTSTP] where !isIgnored(number) {
      unsafe sigaddset(&awaited, number)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &awaited, nil)
    let blocked = awaited
    let waiter = Platform.startThread(stackSize: stackSize) {
      var number = Platform.waitForSignal(blocked)
      while number == SIGTSTP {
        pauseRequest.pause()
        pauseRequest.waitUntilDisconnected(atMost: disconnecting)
        raiseUnblocked(SIGTSTP)
        pauseRequest.resume()
        number = Platform.waitForSignal(blocked)
      }
      cancellation.cancel(signal: number)
      let first = ContinuousClock.now
      var timeout = grace
      while true {
        if let second = Platform.waitForSignal(blocked, atMost: timeout) {
          if second != SIGTSTP, first.duration(to: .now) > together { endProcess(bySignal: second) }
          continue
        }
        if PendingCleanup.isEmpty {
          _ = cancellation.claimMessage(writeLastWords)
          endProcess(bySignal: number)
        }
        timeout = interval
      }
    }
    // Without the thread nobody would receive them.
    if waiter == nil { unsafe pthread_sigmask(SIG_UNBLOCK, &awaited, nil) }
  }

  /// Ends the process as the signal does where nobody handles it, so that the parent sees what ended it: a shell
  /// then stops its loop as well.
  package static func endProcess(bySignal number: CInt) -> Never {
    signal(number, SIG_DFL)
    raiseUnblocked(number)
    // The first process of a container has no default for signals; this is what a shell makes of one.
    _exit(128 + number)
  }

  /// Says why the process ends, unless whoever reads standard error is so slow that the process would have to wait.
  private static func writeLastWords() {
    var stream = pollfd(fd: StandardStream.error.rawValue, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&stream, 1, 0) == 1 else { return }
    let words = Array("error: interrupted\n".utf8)
    _ = unsafe words.withUnsafeBytes { unsafe write(stream.fd, $0.baseAddress, $0.count) }
  }

  /// Has the signal do to the process what it does where nobody blocks it; it is blocked again afterwards.
  private static func raiseUnblocked(_ number: CInt) {
    var only = sigset_t()
    unsafe sigemptyset(&only)
    unsafe sigaddset(&only, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &only, nil)
    raise(number)
    unsafe pthread_sigmask(SIG_BLOCK, &only, nil)
  }

  private static func isIgnored(_ number: CInt) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    return Platform.ignores(action)
  }
}
