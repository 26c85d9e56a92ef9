#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What the process does on signals.
package enum SignalHandling {
  /// Its own waits need little stack.
  private static let stackSize = 256 << 10

  /// From now on SIGINT, SIGTERM and SIGHUP cancel `cancellation`, and a closed pipe (SIGPIPE) or a file-size
  /// limit (SIGXFSZ) is an error of the write that met it.
  ///
  /// Called once, before there are other threads, which inherit what is blocked. A signal that the parent
  /// process had us ignore (`nohup`, a shell's background job) stays ignored.
  package static func install(cancelling cancellation: Cancellation) {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var awaited = sigset_t()
    unsafe sigemptyset(&awaited)
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
      unsafe sigaddset(&awaited, number)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &awaited, nil)
    let blocked = awaited
    let waiter = Platform.startThread(stackSize: stackSize) {
      var blocked = blocked
      var number: CInt = 0
      while true {
        if unsafe sigwait(&blocked, &number) == 0 { cancellation.cancel(signal: number) }
      }
    }
    // Without the thread nobody would hear them.
    if waiter == nil { unsafe pthread_sigmask(SIG_UNBLOCK, &awaited, nil) }
  }

  private static func isIgnored(_ number: CInt) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    return Platform.ignores(action)
  }
}
