import CLibrary

/// The signal handling of the process.
package enum SignalHandling {
  /// The stack size of the signal thread, in bytes.
  private static let stackSize = 256 << 10

  /// The time for the work to end by itself. Then the process ends, unless cleanup is pending.
  private static let gracePeriod = Duration.milliseconds(60)
  /// The interval at which the process checks whether cleanup is still pending.
  private static let pollingInterval = Duration.milliseconds(10)

  /// The maximum time between two signals that count as one: GNU timeout(1) signals the process and then its group. No
  /// user presses Ctrl-C twice that fast.
  private static let repetitionInterval = Duration.milliseconds(40)

  /// The time for transfers to close their connections before the process stops.
  private static let disconnectionTimeout = Duration.seconds(1)

  /// Makes writes to a closed pipe (SIGPIPE) or beyond the file size limit (SIGXFSZ) fail instead of ending the
  /// process.
  package static func ignoreFailedWrites() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Makes the exit codes of child processes available, also if the parent process ignores SIGCHLD.
  package static func expectChildren() { signal(SIGCHLD, SIG_DFL) }

  /// Makes SIGQUIT (Ctrl-\) end the process at once by the default action, unless the parent process ignores it.
  ///
  /// Swift's runtime handles the signal as a crash, and if it cannot print a backtrace, the process continues.
  package static func endOnQuit() {
    if !isIgnored(SIGQUIT) { signal(SIGQUIT, SIG_DFL) }
  }

  /// Makes SIGINT, SIGTERM and SIGHUP cancel `cancellation`. SIGTSTP (Ctrl-Z) makes `pauseRequest` and then stops the
  /// process; after SIGCONT the request is withdrawn.
  ///
  /// If the work does not end by itself and no cleanup is pending, the process ends anyway: the work may be waiting for
  /// a reader of its output or a slow disk. The process reports the interruption if the work has not. A second signal,
  /// unless it arrives together with the first, ends the process at once.
  ///
  /// Must be called once, before other threads exist, because they inherit the blocked signals. Signals that the parent
  /// process ignores (nohup, a background job of a shell) remain ignored.
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
        // Makes SIGTSTP pending again, so that a SIGCONT that arrives while transfers disconnect discards it.
        raise(SIGTSTP)
        pauseRequest.pause()
        pauseRequest.waitUntilDisconnected(atMost: disconnectionTimeout)
        deliver(SIGTSTP)
        pauseRequest.resume()
        number = Platform.waitForSignal(blocked)
      }
      cancellation.cancel(signal: number)
      let first = ContinuousClock.now
      var timeout = gracePeriod
      var isReported = false
      while true {
        if let second = Platform.waitForSignal(blocked, atMost: timeout) {
          if second != SIGTSTP, first.duration(to: .now) > repetitionInterval { endProcess(bySignal: second) }
          continue
        }
        if PendingCleanup.isEmpty {
          // Work that reports the interruption itself has one more interval to write its report.
          if isReported || cancellation.claimMessage(writeInterruption) { endProcess(bySignal: number) }
          isReported = true
        }
        timeout = pollingInterval
      }
    }
    // Without the thread, no code would receive the blocked signals.
    if waiter == nil { unsafe pthread_sigmask(SIG_UNBLOCK, &awaited, nil) }
  }

  /// Ends the process by the default action of the signal, so that the parent sees the cause: a shell then stops its
  /// loop too.
  package static func endProcess(bySignal number: CInt) -> Never {
    signal(number, SIG_DFL)
    raise(number)
    deliver(number)
    // The first process of a container has no default actions; exit with the code that a shell would report.
    _exit(128 + number)
  }

  /// A pending signal that the thread of `install` has not received yet; nil for none.
  package static var pending: CInt? {
    var waiting = sigset_t()
    guard unsafe sigpending(&waiting) == 0 else { return nil }
    return [SIGINT, SIGTERM, SIGHUP].first { unsafe sigismember(&waiting, $0) == 1 }
  }

  /// Reports the interruption, unless standard error would block.
  private static func writeInterruption() {
    var stream = pollfd(fd: StandardStream.error.rawValue, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&stream, 1, 0) == 1 else { return }
    let message = Array("error: interrupted\n".utf8)
    _ = unsafe message.withUnsafeBytes { unsafe write(stream.fd, $0.baseAddress, $0.count) }
  }

  /// Unblocks a signal in this thread until its delivery, and blocks it again.
  private static func deliver(_ number: CInt) {
    var only = sigset_t()
    unsafe sigemptyset(&only)
    unsafe sigaddset(&only, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &only, nil)
    unsafe pthread_sigmask(SIG_BLOCK, &only, nil)
  }

  private static func isIgnored(_ number: CInt) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    return Platform.ignores(action)
  }
}
