// The differences between systems for threads, terminals and signals. Those for files are in
// `Platform+Files.swift` of SafeFiles. The Linux branches are tested. The Darwin branches follow Apple's
// manual pages and have not been run.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import CLinux
  import Musl
#else
  import CLinux
  import Glibc
#endif

/// The operating system's calls that differ between Linux and Darwin.
package enum Platform {
  /// Starts a thread that runs `body` in the surroundings of this one; nil if the system provides no thread.
  static func startThread(stackSize: Int, _ body: @escaping @Sendable () -> Void) -> pthread_t? {
    let surroundings = Surroundings.current
    let box = unsafe Unmanaged.passRetained(
      ThreadBody { Surroundings.$current.withValue(surroundings, operation: body) })
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackSize)
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let code = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        #if !canImport(Darwin)
          guard let argument = unsafe argument else { return nil }
        #endif
        unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      unsafe box.release()
      return nil
    }
    return thread
  }

  /// Opens the root directory, to which nobody can write, with each of the numbers 0 to 2 that is closed.
  static func reserveStandardStreams() {
    for number: CInt in 0...2 where fcntl(number, F_GETFD) == -1 {
      _ = unsafe open("/", O_RDONLY | O_DIRECTORY)
    }
  }

  /// Has arrays above a megabyte given back to the system as soon as they are released (mallopt(3)). The GNU C library
  /// would otherwise keep all that are smaller than one that was released before. Threads share up to four heaps, each of
  /// which takes 64 MiB of addresses, so that little address space is enough. Call it once, before anything else.
  package static func releaseLargeArrays() {
    #if canImport(Glibc)
      mallopt(IAPKG_M_MMAP_THRESHOLD, 1 << 20)
      mallopt(IAPKG_M_TRIM_THRESHOLD, 1 << 20)
      mallopt(IAPKG_M_ARENA_MAX, CInt(max(2, min(processorCount, 4))))
    #endif
  }

  static func isTerminal(_ descriptor: CInt) -> Bool { isatty(descriptor) == 1 }

  /// The columns of a terminal (`TIOCGWINSZ`); nil if it is not a terminal or does not report them.
  static func columns(_ descriptor: CInt) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The number of processors that the process may use, at least 1.
  static var processorCount: Int {
    #if !canImport(Darwin)
      var mask = [UInt64](repeating: 0, count: 128)  // a bit for each of 8,192 processors
      let isKnown = unsafe mask.withUnsafeMutableBytes {
        unsafe sched_getaffinity(0, $0.count, $0.baseAddress) == 0
      }
      if isKnown { return max(1, mask.reduce(0) { $0 + $1.nonzeroBitCount }) }
    #endif
    return max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
  }

  /// Waits until a signal of `awaited`, which must be blocked, arrives.
  static func waitForSignal(_ awaited: sigset_t) -> CInt {
    var awaited = awaited
    var number: CInt = 0
    while unsafe sigwait(&awaited, &number) != 0 {}
    return number
  }

  /// Waits for a signal as above, but no longer than `timeout`; nil if none has arrived by then.
  static func waitForSignal(_ awaited: sigset_t, atMost timeout: Duration) -> CInt? {
    let (seconds, attoseconds) = timeout.components
    var time = timespec(tv_sec: time_t(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    #if canImport(Darwin)
      unsafe nanosleep(&time, nil)
      var pending = sigset_t()
      unsafe sigpending(&pending)
      return (1..<NSIG).first { number in
        unsafe withUnsafePointer(to: awaited) { unsafe sigismember($0, number) } == 1
          && unsafe sigismember(&pending, number) == 1
      }
    #else
      var awaited = awaited
      let number = unsafe sigtimedwait(&awaited, nil, &time)
      return number > 0 ? number : nil
    #endif
  }
  /// Waits until a thread has ended.
  static func join(_ thread: pthread_t) { pthread_join(thread, nil) }

  /// Makes a condition variable whose waits use a clock that cannot be set.
  @unsafe static func initialize(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
    #if canImport(Darwin)
      unsafe pthread_cond_init(condition, nil)
    #else
      var attributes = pthread_condattr_t()
      unsafe pthread_condattr_init(&attributes)
      unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      unsafe pthread_cond_init(condition, &attributes)
      unsafe pthread_condattr_destroy(&attributes)
    #endif
  }

  /// Waits for a condition variable made by `initialize`, perhaps for less than `timeout`.
  @unsafe static func wait(
    for condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
    atMost timeout: Duration
  ) {
    let (seconds, attoseconds) = timeout.components
    var time = timespec(tv_sec: time_t(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    #if canImport(Darwin)
      unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
      var now = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &now)
      time.tv_sec += now.tv_sec
      time.tv_nsec += now.tv_nsec
      if time.tv_nsec >= nanosecondsPerSecond {
        time.tv_sec += 1
        time.tv_nsec -= nanosecondsPerSecond
      }
      unsafe pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }

  private static let nanosecondsPerSecond = 1_000_000_000

  /// Whether a signal is ignored.
  static func ignores(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = unsafe action.__sigaction_u.__sa_handler
    #elseif canImport(Musl)
      let handler = unsafe action.__sa_handler.sa_handler
    #else
      let handler = unsafe action.__sigaction_handler.sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// The argument of a new thread.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
